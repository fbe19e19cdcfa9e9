import type { Call, Check, SkillStep } from "#contract/skills/schema.ts";
import type { PageView } from "../ports/browser.ts";
import { callTarget, mapTexts } from "../skills/index.ts";
import { type Absent, absentIn, namesOf } from "./absent.ts";
import { type Bindings, fillKnown } from "./bindings.ts";
import { type CheckResult, evaluateCheck, type Observed } from "./checks.ts";
import { advance, type Guidance, isDue, look, type Place, startPlace } from "./place.ts";

/** Looks around for one target before it counts as not there. */
const maxSearches = 4;
/** Pages of a list that are leafed through for it; a page seen before ends it sooner. */
const maxPages = 60;

/** A check with its finding, and the step it belongs to (from 1). */
export interface StepCheck extends CheckResult {
  readonly step: number;
}

/** What a step that went well led to. */
export interface Seen extends Observed {
  readonly before: PageView | null;
}

/** Keeps the place of one run in its routine, with what its checks found; the same for the model's steps and for the driver's. */
export interface Follower {
  /** The bindings as the pages so far have them. */
  readonly bindings: Bindings;
  /** The last check that was evaluated. */
  readonly lastCheck: StepCheck | null;
  /** What comes next, looking at the page. */
  look(page: PageView | null): Guidance;
  /** The last check once more, on what is to be seen now; null when there was none. */
  checkAgain(seen: Observed): StepCheck | null;
  /** Whether one more search for this target is one too many. Counts it. */
  searchedTooOften(due: Extract<Guidance, { kind: "search" }>): boolean;
  /** What was asked for, where a search that took every way on met others of its kind, on pages that were right so far; null else. */
  absent(due: Extract<Guidance, { kind: "search" }>): Absent | null;
  /** Takes note of a step that went well; the check that belongs to it, where one was due. */
  took(call: Call, due: Guidance, seen: Seen): StepCheck | null;
  /** How the run stands when the model says it is through: every step done, only the judgement at its end left, or steps left. */
  standing(page: PageView | null): "done" | "judged" | "unfinished";
}

/** Starts at the first of `steps`, or at `from` where those before it were done. */
export function follow(steps: readonly SkillStep[], start: Bindings, from = 0): Follower {
  let place: Place = { ...startPlace, at: from };
  let bindings = start;
  let lastCheck: StepCheck | null = null;
  let searches = 0;
  /** Others of the kind of the target that is looked for; whether a way on was passed over for something else, and whether all were looked at. */
  let met = { at: -1, names: new Set<string>(), isAstray: false, isThrough: false };
  let evaluated: { readonly check: Check; readonly at: number } | null = null;
  const evaluate = (check: Check, at: number, values: Bindings["values"], seen: Observed): StepCheck => {
    const filled = fillCheck(check, { ...bindings, values });
    evaluated = { check: filled, at };
    return { ...evaluateCheck(filled, seen), step: at + 1 };
  };

  return {
    get bindings() {
      return bindings;
    },
    get lastCheck() {
      return lastCheck;
    },
    look(page) {
      const due = look(steps, place, page, bindings);
      if (met.at !== place.at) met = { at: place.at, names: new Set(), isAstray: false, isThrough: false };
      if (due.kind === "search") for (const name of namesOf(due.step, due.siblings)) met.names.add(name);
      return due;
    },
    checkAgain(seen) {
      if (evaluated === null) return null;
      lastCheck = { ...evaluateCheck(evaluated.check, seen), step: evaluated.at + 1 };
      return lastCheck;
    },
    searchedTooOften(due) {
      searches += 1;
      return searches > (due.ways.length > 0 ? maxPages : maxSearches);
    },
    absent(due) {
      const isThrough = met.isThrough || (due.ways.length === 0 && !met.isAstray);
      return !isThrough || lastCheck?.held === false ? null : absentIn(due.step, met.names, bindings);
    },
    took(call, due, seen) {
      if (due.kind === "search") {
        const name = callTarget(call)?.name;
        if (due.ways.length === 0) met.isThrough ||= !met.isAstray;
        else met.isAstray ||= !due.ways.some((way) => way.name === name);
        place = advance(place, due, call, seen.before);
        return null;
      }
      if (due.kind === "judge" && due.at < steps.length - 1) {
        // A step that was left to judgement stands for one call, whatever it is.
        place = { at: due.at + 1, searched: [] };
        return null;
      }
      if (due.kind !== "call") return null;
      const { check, repeatUntilNext } = due.step;
      if (isDue(call, due)) {
        bindings = { ...bindings, values: due.values };
        place = advance(place, due, call, seen.before);
        searches = 0;
        if (check === undefined || repeatUntilNext) return null;
        lastCheck = evaluate(check, due.at, due.values, seen);
        return lastCheck;
      }
      // Another way to where the step leads: where its check tells the page apart and holds, the step is done.
      if (check === undefined || !("page" in check) || check.page.heading === undefined || !isElsewhere(seen)) return null;
      const other = evaluate(check, due.at, due.values, seen);
      if (!other.held) return null;
      lastCheck = other;
      place = { at: due.at + 1, searched: [] };
      return other;
    },
    standing(page) {
      const left = look(steps, place, page, bindings);
      if (left.kind === "done") return "done";
      return left.kind === "judge" && left.at === steps.length - 1 ? "judged" : "unfinished";
    },
  };
}

function isElsewhere({ before, page }: Seen): boolean {
  return page !== null && (page.url !== before?.url || page.heading !== before.heading);
}

/** The check for the values of this run. What rests on a value that is not known asks for nothing. */
function fillCheck(check: Check, bindings: Bindings): Check {
  const filled = mapTexts(check, (text) => fillKnown(text, bindings));
  if (!("page" in filled)) return filled;
  const known = Object.fromEntries(Object.entries(filled.page).filter(([, text]) => !String(text).includes("{{")));
  return { page: Object.keys(known).length > 0 ? known : { url: "*" } };
}
