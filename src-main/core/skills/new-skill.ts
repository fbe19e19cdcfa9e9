import type { Skill, SkillStatus } from "#contract/skills/schema.ts";

/** A skill at its first revision, as nobody has changed it yet. */
export function newSkill(id: string, name: string, status: SkillStatus, at: number): Skill {
  return { id, name, status, activeRevision: 1, pinned: false, mode: "advisory", supersededBy: null, createdAt: at, updatedAt: at };
}
