import type { PassEntry } from "./schema.ts";

/** The reason of an entry whose episodes were erased. */
export const erasedReason = "what this rested on was erased";

/** What an entry is about: the skill that came of it, else the goal. */
export function entryTitle({ goal, skillName }: Pick<PassEntry, "goal" | "skillName">): string {
  return skillName ?? (goal === "" ? "a task that was erased" : goal);
}

/** The reason of an entry that a pass had no room for. */
export const leftForNextPass = "left for the next pass";

/** Reasons as the stages of a pass give them, and what they mean to somebody who does not know the stages. */
const plain: readonly (readonly [RegExp, string])[] = [
  [/^NO_COMMON_PROCEDURE$/u, "the runs took different routes, so there are no steps that all of them share"],
  [/^only (\d+) episodes?$/u, "done $1 times so far; three are needed"],
  [/^only (\d+) verified success(?:es)?$/u, "$1 of them were confirmed or checked; two are needed. Say “That worked” when one went well"],
  [/^all from one conversation$/u, "all in one conversation; two are needed, so that it is a habit and no repetition"],
  [/^only (\d+) of (\d+) went well$/u, "only $1 of $2 went well; four of five have to"],
  [/^left for the next pass$/u, "this pass had enough to do; the next one looks at it"],
  [/^the model saw no common task \(SKIP\)$/u, "the model saw no task that they have in common"],
  [/^leave-one-out: the other runs do not predict (.+)$/u, "the other runs do not foretell $1, so it would not hold for the next one"],
  [/^without (.+) nothing common is left$/u, "it hangs on a single run: without $1 nothing is left that they share"],
  [/^(\d+) steps; (\d+) to (\d+) can be learned from$/u, "it took $1 steps; a routine is learned from $2 to $3"],
];

/** Why a pass did what it did with an entry, in words for a person; what has no plainer words stays as it is. */
export function reasonWords(reason: string): string {
  for (const [pattern, words] of plain) if (pattern.test(reason)) return reason.replace(pattern, words).replace(/^done 1 times/u, "done once");
  return reason;
}
