import { fail, ok, type Result } from "#base/result.ts";
import type { SkillInput, SkillStep, ValueKind } from "#contract/skills/schema.ts";
import { callTarget, mapTexts, placeholderNames } from "../skills/index.ts";
import { plainNumber, readCanonicalDate } from "../skills/values/index.ts";
import { mapLeaves } from "./call-leaves.ts";
import type { LearnableEpisode } from "./collect.ts";
import { asSeen, constantNames } from "./constant-names.ts";
import { type Generalised, generalise } from "./generalise.ts";
import { matchRuns, type Row } from "./match-runs.ts";
import { mergeSteps } from "./merge-steps.ts";
import { isPlainCall } from "./plain-call.ts";
import { isPagerStep } from "./step-key.ts";
import { tidyShowing } from "./tidy-showing.ts";
import { unifyInputs } from "./unify-inputs.ts";

/** What several successful runs have in common, with the goal → inputs pair of each. */
export interface Aligned extends Generalised {
  readonly bindings: { readonly goal: string; readonly inputs: Record<string, string> }[];
  /** Steps that only some runs have, with the goal of the run: they are detours and dropped out. */
  readonly onlySome: { readonly goal: string; readonly do: string }[];
}

export interface AlignOptions {
  /** Whether so many of all runs are most of them; more than half unless told otherwise. */
  readonly isMost?: (count: number, all: number) => boolean;
  /** A value that a single goal names is an input, with the constant of the others as its default: a person showed each of them on purpose. */
  readonly isNamedOnce?: boolean;
}

/** The day a run took place: "tomorrow" in its goal is the day after. */
export function dayOf({ episode }: LearnableEpisode): Date {
  return new Date(episode.createdAt);
}

/** Of each run once: what is left of a run when others are left out is the same (leave-one-out aligns each of them many times). */
const known = new WeakMap<LearnableEpisode, Generalised>();

/** A run with its values taken out; milliseconds of work the first time. */
export function generalised(run: LearnableEpisode): Generalised {
  const there = known.get(run);
  if (there !== undefined) return there;
  const made = generalise(run.episode.goal, tidyShowing(run.actions).kept, dayOf(run));
  known.set(run, made);
  return made;
}

/**
 * Steps present in every run, in order. Values that the goals name are inputs already; what differs without being one costs the step its call
 * (IND-07). A pager pressed a different number of times becomes one repeat step (IND-17). Detours drop out (IND-04).
 */
export function align(
  runs: readonly LearnableEpisode[],
  { isMost = (count, all) => count * 2 > all, isNamedOnce = false }: AlignOptions = {},
): Result<Aligned> {
  const each = constantNames(runs.map(generalised));
  const [first] = each;
  if (!first) return fail("no successful run");
  const enough = (count: number): boolean => isMost(count, runs.length);
  const matched = matchRuns(each, enough);
  if (!matched) return fail("NO_COMMON_PROCEDURE");
  const { rows, inputs: all, values } = unifyInputs(matched, each);
  const notes: string[] = [];
  const enoughNames = isNamedOnce ? (count: number): boolean => count > 0 : enough;
  const places: number[] = [];
  const steps = rows.flatMap(({ steps: same, pager }, at): SkillStep[] => {
    const own = matched[at]?.steps ?? [];
    const seen = own.map((step, run) => shown(each[run] as Generalised, step));
    const step = mergeSteps(same, seen, enoughNames, notes);
    if (pager) places.push(first.steps.indexOf(pager));
    places.push(first.steps.indexOf(own[0] as SkillStep));
    if (!pager) return [step];
    return [{ ...pager, repeatUntilNext: true, do: `Press ${callTarget(pager.call)?.name ?? ""} until the next target is there` }, step];
  });
  const used = new Set(placeholderNames(steps.map(({ call }) => call?.args ?? {})));
  const ofRun = values.map((own) => Object.fromEntries(Object.entries(own).filter(([name]) => used.has(name))));
  const ofCalls = new Set(placeholderNames(steps.flatMap(({ call }) => (isPlainCall(call) ? [call.args] : []))));
  const defaults = isNamedOnce ? constantsOf(rows, values) : {};
  const inputs = Object.fromEntries(
    Object.entries(all).flatMap(([name, input]): [string, SkillInput][] => {
      if (!used.has(name)) return [];
      const constant = input.default ?? asDefault(defaults[name], input.kind);
      const withConstant = constant === undefined ? input : { ...input, default: constant };
      const own = ofRun.map((one) => one[name]);
      return [[name, ofCalls.has(name) ? withDefault(withConstant, own) : withConstant]];
    }),
  );
  return ok({
    steps,
    inputs,
    required: Object.keys(inputs).filter((name) => inputs[name]?.default === undefined),
    values: ofRun[0] ?? {},
    notes: [...notes, ...first.notes],
    origins: [...new Set(each.flatMap((run) => run.origins))],
    tools: [...new Set([...rows.flatMap(({ steps: [step], pager }) => [pager, step].flatMap((one) => (one?.call ? [one.call.tool] : []))), ...ofAll(each)])],
    observed: places.map((place) => first.observed[place] ?? null),
    shown: places.map((place) => first.shown[place]),
    onlySome: each.flatMap((run, index) => {
      const kept = new Set(matched.flatMap(({ steps: same, pager }) => [same[index], pager]));
      return run.steps
        .filter((step) => step.call && !kept.has(step) && !isPagerStep(step))
        .map((step) => ({ goal: runs[index]?.episode.goal ?? "", do: step.do }));
    }),
    bindings: runs.map((run, index) => ({ goal: run.episode.goal, inputs: ofRun[index] ?? {} })),
  });
}

/** One word in small letters that never changed ("inbox") may be the kind of thing and no value of it: an input that nobody is asked for (SHO-10). */
function withDefault(input: SkillInput, values: readonly (string | undefined)[]): SkillInput {
  const [first, ...others] = values;
  const isKindWord = input.kind === "text" && first !== undefined && /^\p{Ll}+$/u.test(first) && others.every((value) => value === first);
  return isKindWord ? { ...input, default: first } : input;
}

/** Tools every run used, also where a step of them has no call any more. */
function ofAll(each: readonly Generalised[]): string[] {
  return (each[0]?.tools ?? []).filter((tool) => each.every(({ tools }) => tools.includes(tool)));
}

/** Of inputs that some goals do not name: what those runs took all the same, where they all took the same. */
function constantsOf(rows: readonly Row[], values: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const seen = new Map<string, Set<string>>();
  for (const { steps } of rows) {
    const texts = steps.map((step) => String(step.call?.args.text ?? step.call?.args.option ?? ""));
    const [, name = ""] = texts.map((text) => /^\{\{([^}|]+)(?:\|[^}]*)?\}\}$/u.exec(text)).find((match) => match !== null) ?? [];
    if (name === "") continue;
    const literals = texts.filter((text, run) => values[run]?.[name] === undefined && text !== "" && !text.includes("{{"));
    const known = seen.get(name) ?? new Set();
    for (const literal of literals) known.add(literal);
    seen.set(name, known);
  }
  return Object.fromEntries([...seen].flatMap(([name, [constant, ...others]]) => (constant === undefined || others.length > 0 ? [] : [[name, constant]])));
}

/** A constant as the default of an input of this kind; undefined where it is written in another form than it is kept in. */
function asDefault(constant: string | undefined, kind: ValueKind): string | undefined {
  if (constant === undefined || kind === "text" || kind === "id" || kind === "email" || kind === "site") return constant;
  if (kind === "number" || kind === "amount") return plainNumber(constant) === constant ? constant : undefined;
  return readCanonicalDate(constant) ? constant : undefined;
}

/** A step with the values of its run. */
function shown(run: Generalised, step: SkillStep): SkillStep {
  if (isPlainCall(step.call)) {
    return { ...step, call: { ...step.call, args: mapLeaves(step.call.args, ({ value }) => (typeof value === "string" ? asSeen(run, value) : value)) } };
  }
  return step.call ? { ...step, call: { ...step.call, args: mapTexts(step.call.args, (text) => asSeen(run, text)) } } : step;
}
