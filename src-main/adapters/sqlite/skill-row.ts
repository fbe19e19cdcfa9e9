import type { Skill } from "#contract/skills/schema.ts";

export type SkillRow = Omit<Skill, "pinned"> & { pinned: number };

export const skillColumns = `skills.id, skills.name, skills.status, skills.active_revision AS activeRevision, skills.pinned,
  skills.mode, skills.superseded_by AS supersededBy, skills.created_at AS createdAt, skills.updated_at AS updatedAt`;

export function toSkill({ id, name, status, activeRevision, pinned, mode, supersededBy, createdAt, updatedAt }: SkillRow): Skill {
  return { id, name, status, activeRevision, pinned: pinned === 1, mode, supersededBy, createdAt, updatedAt };
}
