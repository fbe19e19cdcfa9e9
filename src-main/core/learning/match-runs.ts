import type { SkillStep } from "#contract/skills/schema.ts";
import { callTarget } from "../skills/index.ts";
import type { Generalised } from "./generalise.ts";
import { isPlainCall } from "./plain-call.ts";
import { commonPairs } from "./sequence.ts";
import { isFieldStep, isPagerStep, placeKey, stepKey } from "./step-key.ts";

/** The same step of every run, in the order of the runs. */
export interface Row {
  readonly steps: readonly SkillStep[];
  /** A pager some run pressed on its way to this step. */
  readonly pager?: SkillStep;
}

const isCall = (step: SkillStep | undefined): boolean => step?.call !== undefined;

/** Fields of one form may be filled in any order: runs of field steps are put in the order the first run had. */
function ordered(steps: readonly SkillStep[], like: readonly SkillStep[]): SkillStep[] {
  const rank = new Map(like.map((step, index) => [stepKey(step), index]));
  const out: SkillStep[] = [];
  for (let index = 0; index < steps.length; ) {
    let end = index;
    while (end < steps.length && isFieldStep(steps[end] as SkillStep)) end++;
    if (end === index) {
      out.push(steps[index] as SkillStep);
      index++;
      continue;
    }
    out.push(...steps.slice(index, end).sort((a, b) => (rank.get(stepKey(a)) ?? 1e9) - (rank.get(stepKey(b)) ?? 1e9)));
    index = end;
  }
  return out;
}

/** Longest run of keys that all lists have in order: for each, its index in every list. A step without a key has no like. */
function inAll(lists: readonly (readonly SkillStep[])[], keyOf: (step: SkillStep) => string | undefined): number[][] {
  const keyed = lists.map((steps, list) => steps.map((step, index) => keyOf(step) ?? `${list} ${index}`));
  let common = (keyed[0] ?? []).map((_, index) => [index]);
  for (const keys of keyed.slice(1)) {
    const pairs = commonPairs(
      common.map(([index]) => keyed[0]?.[index ?? 0]),
      keys,
    );
    common = pairs.map(([row, index]) => [...(common[row] ?? []), index]);
  }
  return common;
}

/** The same, matched from the end: what stands right before a common step is likelier to have led there. */
function inAllFromEnd(lists: readonly (readonly SkillStep[])[]): number[][] {
  return inAll(
    lists.map((steps) => steps.toReversed()),
    placeKey,
  )
    .map((row) => row.map((index, list) => (lists[list]?.length ?? 0) - 1 - index))
    .reverse();
}

/** Of steps that end a run a button says what was done; which row or link it was does not. */
function mayDiffer(row: readonly SkillStep[], isEnd: boolean): boolean {
  return !isEnd || row.every((step) => callTarget(step.call)?.role !== "button");
}

/**
 * The steps every run has, in order: those with the same target, and between two of them those of which each run has one with a target of its own.
 * Steps that only some runs have are detours and drop out (IND-04). Undefined where the runs took different routes.
 * @param enough whether so many of the runs are most of them
 */
export function matchRuns(each: readonly Generalised[], enough: (count: number) => boolean): Row[] | undefined {
  const pagers = new Map<SkillStep, SkillStep>();
  const plain = each.map(({ steps }) =>
    steps.filter((step, index) => {
      const before = steps[index - 1];
      if (before && !isPagerStep(step) && isPagerStep(before)) pagers.set(step, before);
      return !isPagerStep(step);
    }),
  );
  const sequences = plain.map((steps) => ordered(steps, plain[0] ?? []));
  const same = inAll(sequences, stepKey);
  const lengths = sequences.map((steps) => steps.filter(isCall).length).sort((a, b) => a - b);
  const alike = same.filter(([index]) => isCall(sequences[0]?.[index ?? 0]));
  // A tool that works on no page is the same deed with whatever arguments; on a page only the name of the control says what is done.
  const further = inAll(
    sequences.map((steps, run) => steps.filter((step, index) => isPlainCall(step.call) && !alike.some((row) => row[run] === index))),
    placeKey,
  ).length;
  const count = alike.length + further;
  if (count < 2 || count / Math.max(1, lengths[(lengths.length - 1) >> 1] ?? 0) < 0.5) return undefined;
  const found: number[][] = [];
  let from = sequences.map(() => 0);
  for (const row of [...same, sequences.map((steps) => steps.length)]) {
    const between = sequences.map((steps, run) => steps.slice(from[run], row[run]));
    const isEnd = row.every((index, run) => !sequences[run]?.slice(index).some(isCall));
    // Each run filled a field here, and not the same one: a form that is filled in otherwise is for something else.
    if (between.every((steps) => steps.some(isFieldStep))) return undefined;
    for (const inPlace of inAllFromEnd(between))
      if (
        mayDiffer(
          inPlace.map((index, run) => between[run]?.[index] as SkillStep),
          isEnd,
        )
      )
        found.push(inPlace.map((index, run) => index + (from[run] ?? 0)));
    if (row.every((index, run) => index < (sequences[run]?.length ?? 0))) found.push(row);
    from = row.map((index) => index + 1);
  }
  const last = found.findLast(([index]) => isCall(sequences[0]?.[index ?? 0]));
  const endThere = sequences.filter((steps, run) => last?.[run] === steps.findLastIndex(isCall)).length;
  if (!enough(endThere)) return undefined;
  return found.map((row) => {
    const steps = row.map((index, run) => sequences[run]?.[index] as SkillStep);
    const paged = steps.find((step) => pagers.has(step));
    return { steps, ...(paged ? { pager: pagers.get(paged) as SkillStep } : {}) };
  });
}
