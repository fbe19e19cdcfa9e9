import { squash } from "#base/text.ts";
import { type RoutineNote, routineNoteSchema, type Step } from "#contract/chat/schema.ts";
import type { Call, RevisionContent, SkillStep } from "#contract/skills/schema.ts";
import { callTarget, checkText, invocationOf, isStructured, mapTexts, textsIn } from "../skills/index.ts";
import { type NamedValue, toTemplate } from "../skills/values/index.ts";
import { checkOfPage, isLiteral } from "./check-after.ts";
import { describeCall } from "./describe-call.ts";
import { onFail } from "./generalise.ts";
import { type Done, wayOf } from "./way-found.ts";

/** What a run that went well would change in its routine. */
export interface Revised {
  readonly content: RevisionContent;
  /** One sentence a change; what it reaches beyond the routine first. */
  readonly changes: readonly string[];
}

/**
 * Compares a successful run with its routine: a check that failed although the run went on to its end is replaced by what was seen, a control that led
 * to the same place takes the place of the one that was missing, and what was pressed to find a target comes before it. What was done inside another
 * skill is that one's matter: the step that calls it stays as it is. Null where nothing differs, where the site itself failed on the way, and where a
 * name on a page would be read as a pattern.
 * @param steps of one run, in order, with their notes under `details.routine`
 */
export function reviseFromRun(content: RevisionContent, steps: readonly Step[], inputs: Readonly<Record<string, string>>): Revised | null {
  const values = Object.entries(inputs).map(([name, canonical]): NamedValue => ({ name, canonical, kind: content.inputs.properties[name]?.kind ?? "text" }));
  const done = steps.flatMap(readDone);
  // Where a site failed, what helped once is no part of the way.
  if (done.some(({ step }) => Number(step.details.status ?? 0) >= 400)) return null;
  const last = Math.max(-1, ...done.map(({ note }) => note.at));
  const changes: string[] = [];
  const revised: SkillStep[] = [];
  const used: Done[] = [];
  for (const [at, base] of content.steps.entries()) {
    const own = done.filter(({ note }) => note.at === at && note.inside === undefined);
    if (own.length === 0 || base.call === undefined || invocationOf(base.call.tool).kind === "skill") {
      revised.push(base);
      continue;
    }
    const due = own.findLast(({ note }) => note.isDue);
    const start = done[done.indexOf(own[0] as Done) - 1]?.after ?? null;
    const way = wayOf(due === undefined && at < last ? own : own.filter(({ note }) => note.kind === "search"), start);
    if (!way.every(({ done: one }) => textsIn(one.step.args).every(isLiteral))) return null;
    used.push(...way.map(({ done: one }) => one), ...(due === undefined ? [] : [due]));
    const found = way.map((one) => stepFor(one, values));
    if (due === undefined && at < last) revised.push(...otherWay(base, at, found, way.at(-1)?.done, changes));
    else {
      takeIn(revised, found, at, changes);
      revised.push(withCheck(base, at, due, values, changes));
    }
  }
  if (changes.length === 0) return null;
  const known = content.capabilities.destinations;
  const further = [...new Set(used.flatMap(({ after }) => originOf(after?.url ?? "")))].filter((origin) => !known.includes(origin));
  return {
    content: { ...content, steps: revised, capabilities: { ...content.capabilities, destinations: [...known, ...further] } },
    changes: [...further.map((origin) => `It reaches ${origin} as well`), ...changes.map(squash)],
  };
}

function readDone(step: Step): Done[] {
  const note = routineNoteSchema.safeParse(step.details.routine);
  if (!note.success || step.status !== "ok") return [];
  return [{ step, note: note.data, after: (step.details.after as Done["after"] | undefined) ?? null }];
}

/** The step with another check, where what it led to did not look as it says and was right all the same. */
function withCheck(base: SkillStep, at: number, due: Done | undefined, values: readonly NamedValue[], changes: string[]): SkillStep {
  if (due === undefined || !isRefuted(due.note) || due.after === null || !isStructured(base.check) || !("page" in base.check)) return base;
  const check = checkOfPage(due.after, values);
  changes.push(`Step ${at + 1} expects ${checkText(check)} instead of ${checkText(base.check)}`);
  return { ...base, check };
}

function isRefuted({ check }: RoutineNote): boolean {
  return check?.held === false;
}

/** What led to where the step leads; its own check stays only where it was seen to hold. */
function otherWay(base: SkillStep, at: number, found: readonly SkillStep[], lastDone: Done | undefined, changes: string[]): SkillStep[] {
  const last = found.at(-1);
  if (last === undefined) return [base];
  changes.push(`Step ${at + 1}: ${found.map((step) => step.do).join(", then ")} instead of ${base.do}`);
  const holds = lastDone?.note.check?.held === true && base.check !== undefined;
  return [...found.slice(0, -1), { ...last, onFail: base.onFail, ...(holds && base.check !== undefined ? { check: base.check } : {}) }];
}

/** What brings a target into sight comes before it. Paging of another name takes the place of paging that was passed over; the same is not said twice. */
function takeIn(revised: SkillStep[], found: readonly SkillStep[], at: number, changes: string[]): void {
  const [first, ...rest] = found;
  const before = revised.at(-1);
  if (first?.repeatUntilNext === true && before?.repeatUntilNext === true) {
    if (callTarget(first.call)?.name !== callTarget(before.call)?.name) {
      changes.push(`Step ${at}: ${first.do} instead of ${before.do}`);
      revised[revised.length - 1] = first;
    }
    takeIn(revised, rest, at, changes);
    return;
  }
  for (const step of found) changes.push(`Before step ${at + 1}: ${step.do}`);
  revised.push(...found);
}

function stepFor({ done, isPaging }: { readonly done: Done; readonly isPaging: boolean }, values: readonly NamedValue[]): SkillStep {
  const call = templated(done.step, isPaging ? [] : values);
  const check = done.after === null ? { page: { url: "*" } } : checkOfPage(done.after, values);
  if (isPaging) return { do: squash(`Press ${callTarget(call)?.name ?? ""} until the next target is there`), call, check, repeatUntilNext: true, onFail };
  return { do: squash(describeCall(call)), call, check, onFail };
}

function templated({ tool, args }: Step, values: readonly NamedValue[]): Call {
  return { tool, args: mapTexts(args, (text) => toTemplate(text, values)) };
}

function originOf(url: string): string[] {
  const parsed = URL.parse(url);
  return parsed === null || parsed.origin === "null" ? [] : [parsed.origin];
}
