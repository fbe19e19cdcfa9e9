import { escapePattern } from "#base/text.ts";
import type { Recall, Revision } from "#contract/skills/schema.ts";
import type { Embedder } from "../ports/embedder.ts";
import type { CalibrationStore, SkillStore, VectorStore } from "../ports/stores.ts";
import { hostsIn, recallText } from "../skills/index.ts";
import { findValues } from "../skills/values/index.ts";
import { indexCounters, indexSkill, withoutValues } from "./index-skill.ts";

/** A goal as a person put it, and the episode it was said in: what is kept of it goes when that is erased. */
export interface Asked {
  readonly goal: string;
  readonly episodeId: string;
}

/** Where goals are kept, and what they are compared by. */
interface Kept {
  readonly skills: SkillStore;
  readonly vectors: VectorStore;
}

/** Keeps a goal as one the skill is meant for. Its words are taken out of the index, to be read anew with this one when they are next asked for. */
export function keepPhrasing({ skills, vectors }: Kept, skillId: string, asked: Asked, now: number): void {
  if (answerTo(skills, skillId, asked) === true) return;
  vectors.remove(skillId);
  skills.addPhrasing(skillId, asked.goal, false, now, asked.episodeId);
}

/**
 * Keeps a goal as one the skill was not meant for (REC-13, REC-14). A goal in the skill's own words is none: recall takes values out, so that every
 * month of the routine would be out with it. What failed there is the run. What the user said of the same task before gives way.
 * @param inputs the values the run had, where there was one
 * @returns whether it was kept
 */
export function keepCounter({ skills, vectors }: Kept, skillId: string, asked: Asked, now: number, inputs: Readonly<Record<string, string>> = {}): boolean {
  const revision = activeRevision(skills, skillId);
  const before = answerTo(skills, skillId, asked);
  if (!revision || isOwn(skills, revision, asked.goal, new Date(now), inputs, before === true)) return false;
  if (before === true) vectors.remove(skillId);
  skills.addPhrasing(skillId, asked.goal, true, now, asked.episodeId);
  return true;
}

/**
 * Counts what the user made of a suggestion or a use: it moves the threshold (see `learnedShift`). A goal that names a site was compared with other
 * thresholds, which no answer moves.
 */
export function countAnswer(calibrations: CalibrationStore, recall: Recall | null, right: boolean, now: number): void {
  if (recall === null || recall.certainty === null || hostsIn(recall.goal).length > 0) return;
  if (recall.verdict === "matched" || recall.verdict === "suggested") calibrations.addAnswer(recall.embedderKey, { certainty: recall.certainty, right }, now);
}

/** Whether a correction only names another value of a kind that the skill has an input for: "No, I meant November", "wrong month". */
export function namesOnlyValue(skills: SkillStore, skillId: string, correction: string, now: Date): boolean {
  const inputs = Object.entries(activeRevision(skills, skillId)?.inputs.properties ?? {});
  const kinds = new Set<string>(inputs.map(([, input]) => input.kind));
  if (kinds.has("date")) kinds.add("month").add("day");
  if (kinds.has("month")) kinds.add("date").add("year");
  const named = [...kinds, ...inputs.flatMap(([name, input]) => [name.replaceAll("-", " "), input.description])].filter(
    (word) => word !== "" && word !== "text",
  );
  const isSaid = (word: string): boolean => new RegExp(`\\bwrong ${escapePattern(word)}\\b`, "iu").test(correction);
  return findValues(correction, now).some((value) => value.kind !== "text" && kinds.has(value.kind)) || named.some(isSaid);
}

/** The answer to a suggestion: taken, the goal is a phrasing from now on; declined, a counter-phrasing (REC-13). One way for the page and for `takeSuggestion`. */
export async function keepAnswer(
  world: {
    readonly skills: SkillStore;
    readonly vectors: VectorStore;
    readonly calibrations: CalibrationStore;
    readonly embedder: () => Promise<Embedder | null>;
    readonly now: number;
  },
  { recall, episodeId }: { readonly recall: Recall; readonly episodeId: string },
  isTaken: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { skills, now } = world;
  const { skillId, goal } = recall;
  const asked = { goal, episodeId };
  if (skillId === null) return;
  const before = answerTo(skills, skillId, asked);
  // Said twice it is one answer.
  if (before === isTaken) return;
  if (isTaken) keepPhrasing(world, skillId, asked, now);
  else keepCounter(world, skillId, asked, now);
  countAnswer(world.calibrations, recall, isTaken, now);
  const embedder = await world.embedder();
  // A goal that was none of its phrasings before, and is none now, changes only what it is not for.
  if (embedder) await (isTaken || before === true ? indexSkill : indexCounters)(skillId, { ...world, embedder }, signal);
}

/** What the user said of this goal in this task: that the skill is meant, that it is not, or nothing. */
function answerTo(skills: SkillStore, skillId: string, { goal, episodeId }: Asked): boolean | undefined {
  const said = skills.phrasingsOf(episodeId).find((one) => one.skillId === skillId && one.text === goal);
  return said === undefined ? undefined : !said.counter;
}

function activeRevision(skills: SkillStore, skillId: string): Revision | undefined {
  const skill = skills.get(skillId);
  return skill && skills.revision(skillId, skill.activeRevision);
}

/** @param isAnswer whether the goal itself is kept only because the user said so before */
function isOwn(skills: SkillStore, revision: Revision, goal: string, now: Date, inputs: Readonly<Record<string, string>>, isAnswer: boolean): boolean {
  const compared = (text: string): string => recallText(text, now).toLowerCase();
  const own = new Set(
    [
      revision.goal,
      revision.whenToUse,
      ...revision.phrasings,
      ...revision.bindings.flatMap((binding) => [binding.goal, withoutValues(binding, revision.inputs)]),
      ...skills.phrasings(revision.skillId).flatMap(({ text, counter }) => (counter || (isAnswer && text === goal) ? [] : [text])),
    ].map(compared),
  );
  return own.has(compared(goal)) || own.has(compared(withoutValues({ goal, inputs }, revision.inputs)));
}
