import { escapePattern } from "#base/text.ts";
import type { Revision } from "#contract/skills/schema.ts";
import type { Embedder } from "../ports/embedder.ts";
import type { SkillStore, VectorStore } from "../ports/stores.ts";
import { recallText } from "../skills/index.ts";
import { findValues } from "../skills/values/index.ts";
import { indexSkill, withoutValues } from "./index-skill.ts";

/** A goal as a person put it, and the episode it was said in: what is kept of it goes when that is erased. */
export interface Asked {
  readonly goal: string;
  readonly episodeId: string;
}

/**
 * Keeps a goal as one the skill was not meant for (REC-13, REC-14). A goal in the skill's own words is none: recall takes values out, so that every
 * month of the routine would be out with it. What failed there is the run.
 * @param inputs the values the run had, where there was one
 */
export function keepCounter(skills: SkillStore, skillId: string, { goal, episodeId }: Asked, now: number, inputs: Readonly<Record<string, string>> = {}): void {
  const revision = activeRevision(skills, skillId);
  if (revision && !isOwn(skills, revision, goal, new Date(now), inputs)) skills.addPhrasing(skillId, goal, true, now, episodeId);
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
  world: { readonly skills: SkillStore; readonly vectors: VectorStore; readonly embedder: () => Promise<Embedder | null>; readonly now: number },
  suggested: Asked & { readonly skillId: string },
  isTaken: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { skills, now } = world;
  if (!isTaken) return keepCounter(skills, suggested.skillId, suggested, now);
  skills.addPhrasing(suggested.skillId, suggested.goal, false, now, suggested.episodeId);
  const embedder = await world.embedder();
  if (embedder) await indexSkill(suggested.skillId, { ...world, embedder }, signal);
}

function activeRevision(skills: SkillStore, skillId: string): Revision | undefined {
  const skill = skills.get(skillId);
  return skill && skills.revision(skillId, skill.activeRevision);
}

function isOwn(skills: SkillStore, revision: Revision, goal: string, now: Date, inputs: Readonly<Record<string, string>>): boolean {
  const compared = (text: string): string => recallText(text, now).toLowerCase();
  const own = new Set(
    [
      revision.goal,
      revision.whenToUse,
      ...revision.phrasings,
      ...revision.bindings.flatMap((binding) => [binding.goal, withoutValues(binding, revision.inputs)]),
      ...skills.phrasings(revision.skillId).flatMap(({ text, counter }) => (counter ? [] : [text])),
    ].map(compared),
  );
  return own.has(compared(goal)) || own.has(compared(withoutValues({ goal, inputs }, revision.inputs)));
}
