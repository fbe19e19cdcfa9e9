import type { SkillStatus, SkillSummary } from "#contract/skills/schema.ts";

export type StatusFilter = SkillStatus | "all";

/** What a list shows: pinned ones first, retired ones last, otherwise in the host's order; every word of the query somewhere in what a skill says of itself. */
export function listSkills(skills: readonly SkillSummary[], status: StatusFilter, query: string): readonly SkillSummary[] {
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  const rank = (skill: SkillSummary) => (skill.status === "retired" ? 2 : skill.pinned ? 0 : 1);
  return skills
    .filter((skill) => status === "all" || skill.status === status)
    .filter(({ name, summary, whenToUse }) => words.every((word) => `${name} ${summary} ${whenToUse}`.toLowerCase().includes(word)))
    .toSorted((one, other) => rank(one) - rank(other));
}

/** Learned skills that are on; what a pack brings along is not counted against what was learned. */
export function countLearned(skills: readonly SkillSummary[]): number {
  return skills.filter(({ status, author }) => (status === "active" || status === "provisional") && !author.startsWith("authored:")).length;
}
