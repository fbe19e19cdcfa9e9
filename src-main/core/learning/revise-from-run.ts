import { type RoutineNote, routineNoteSchema, type Step } from "#contract/chat/schema.ts";
import type { Call, RevisionContent, SkillStep } from "#contract/skills/schema.ts";
import { callTarget, checkText, isPager, isStructured, mapTexts } from "../skills/index.ts";
import { type NamedValue, toTemplate } from "../skills/values/index.ts";
import { checkOfPage } from "./check-after.ts";
import { describeCall } from "./describe-call.ts";
import { onFail } from "./generalise.ts";

/** What a run that went well would change in its routine. */
export interface Revised {
  readonly content: RevisionContent;
  /** One sentence a change. */
  readonly changes: readonly string[];
}

interface Done {
  readonly step: Step;
  readonly note: RoutineNote;
  readonly after: { readonly url: string; readonly heading: string; readonly text: string } | null;
}

/**
 * Compares a successful run with its routine: a check that failed although the run went on to its end is replaced by what was seen, a control that led
 * to the same place takes the place of the one that was missing, and what was pressed to find a target comes before it. Null where nothing differs.
 * @param steps of one run, in order, with their notes under `details.routine`
 */
export function reviseFromRun(content: RevisionContent, steps: readonly Step[], inputs: Readonly<Record<string, string>>): Revised | null {
  const values = Object.entries(inputs).map(([name, canonical]): NamedValue => ({ name, canonical, kind: content.inputs.properties[name]?.kind ?? "text" }));
  const done = steps.flatMap(readDone);
  const last = Math.max(-1, ...done.map(({ note }) => note.at));
  const changes: string[] = [];
  const revised = content.steps.flatMap((base, at): SkillStep[] => {
    const own = done.filter(({ note }) => note.at === at);
    const due = own.findLast(({ note }) => note.isDue);
    const searched = own.filter(({ note }) => note.kind === "search");
    const wayThere = due === undefined && base.call !== undefined && at < last ? own.at(-1) : undefined;
    const before = wayThere ? searched.filter((one) => one !== wayThere) : searched;
    const found = foundBy(before, values);
    for (const step of found) changes.push(`Before step ${at + 1}: ${step.do}`);
    return [...found, wayThere ? otherWay(base, at, wayThere, values, changes) : withCheck(base, at, due, values, changes)];
  });
  if (changes.length === 0) return null;
  const origins = done.flatMap(({ after }) => originOf(after?.url ?? ""));
  const destinations = [...new Set([...content.capabilities.destinations, ...origins])];
  return { content: { ...content, steps: revised, capabilities: { ...content.capabilities, destinations } }, changes };
}

function readDone(step: Step): Done[] {
  const note = routineNoteSchema.safeParse(step.details.routine);
  if (!note.success || step.status !== "ok") return [];
  return [{ step, note: note.data, after: (step.details.after as Done["after"] | undefined) ?? null }];
}

/** The step with another check, where what it led to did not look as it says and was right all the same. */
function withCheck(base: SkillStep, at: number, due: Done | undefined, values: readonly NamedValue[], changes: string[]): SkillStep {
  if (due?.note.check?.held !== false || due.after === null || !isStructured(base.check) || !("page" in base.check)) return base;
  const check = checkOfPage(due.after, values);
  changes.push(`Step ${at + 1} expects ${checkText(check)} instead of ${checkText(base.check)}`);
  return { ...base, check };
}

function otherWay(base: SkillStep, at: number, way: Done, values: readonly NamedValue[], changes: string[]): SkillStep {
  const call = templated(way.step, values);
  const made = describeCall(call);
  changes.push(`Step ${at + 1}: ${made} instead of ${base.do}`);
  return { ...base, do: made, call };
}

/** What brought a target into sight: pages that were leafed through are one step; a way that came back to where it was is none. */
function foundBy(searched: readonly Done[], values: readonly NamedValue[]): SkillStep[] {
  const pager = searched.findLast(({ step }) => isPager(nameOf(step)));
  if (pager !== undefined) {
    const call = templated(pager.step, []);
    const check = pager.after === null ? { page: { url: "*" } } : checkOfPage(pager.after, values);
    return [{ do: `Press ${nameOf(pager.step)} until the next target is there`, call, check, repeatUntilNext: true, onFail }];
  }
  const way: Done[] = [];
  for (const one of searched) {
    const there = way.findIndex(({ after }) => after !== null && keyOf(after) === keyOf(one.after));
    if (there >= 0) way.length = there + 1;
    else way.push(one);
  }
  // What only opened something on the page is found again by looking.
  return way.flatMap(({ step, after }, index): SkillStep[] => {
    const earlier = way[index - 1]?.after;
    if (after === null || (earlier !== undefined && earlier?.url === after.url && earlier.heading === after.heading)) return [];
    const call = templated(step, values);
    return [{ do: describeCall(call), call, check: checkOfPage(after, values), onFail }];
  });
}

function templated({ tool, args }: Step, values: readonly NamedValue[]): Call {
  return { tool, args: mapTexts(args, (text) => toTemplate(text, values)) };
}

function nameOf({ args }: Step): string {
  return callTarget({ args })?.name ?? "";
}

function keyOf(after: Done["after"]): string {
  return after === null ? "" : `${after.url}\n${after.heading}\n${after.text}`;
}

function originOf(url: string): string[] {
  const parsed = URL.parse(url);
  return parsed === null || parsed.origin === "null" ? [] : [parsed.origin];
}
