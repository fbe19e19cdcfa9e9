import type { Skill } from "#contract/skills/schema.ts";
import { toolName } from "../envelope/index.ts";
import { isTalk } from "../gates/index.ts";
import type { SkillStore } from "../ports/stores.ts";
import type { ActiveRules } from "../prompt/index.ts";
import { preflightRules, type State, skillApplies } from "../skills/index.ts";
import type { TurnWorld } from "./world.ts";

/** The bare-id rules of one skill that may be used now. */
export interface SkillRules extends ActiveRules {
  readonly revision: number;
  readonly skillId: string;
  readonly skillName: string;
}

/** What is known of one store: its revisions never change, so the rules of a revision are read once. */
const known = new WeakMap<SkillStore, Map<string, SkillRules | null>>();

/** Rules of the skills that may be used, by name; those of a disabled or retired skill are none. Throws what the store throws. */
export function activeRules(skills: SkillStore): SkillRules[] {
  const before = known.get(skills) ?? new Map<string, SkillRules | null>();
  const now = new Map<string, SkillRules | null>();
  for (const skill of skills.list()) {
    const key = `${skill.id}:${skill.activeRevision}:${skill.name}`;
    const found = before.get(key);
    now.set(key, found === undefined ? rulesOf(skills, skill) : found);
  }
  known.set(skills, now);
  return [...now.values()].filter((rules) => rules !== null);
}

/**
 * The rules that apply to what is known in this turn, for what is only said or offered. None, and a line in the log, where they cannot be read: the gate
 * refuses then by itself what a rule may guard.
 */
export function applicable({ world, state }: { readonly world: TurnWorld; readonly state: State }): SkillRules[] {
  try {
    return activeRules(world.stores.skills).filter(({ preconditions }) => skillApplies(state, preconditions));
  } catch (thrown) {
    world.log.warn("rules-unreadable", { error: thrown });
    return [];
  }
}

/** One text for a set of skills: equal texts mean equal rules. */
export function keyOfRules(rules: readonly SkillRules[]): string {
  return rules.map(({ skillId, revision }) => `${skillId}:${revision}`).join(",");
}

function rulesOf(skills: SkillStore, skill: Skill): SkillRules | null {
  const revision = skills.revision(skill.id, skill.activeRevision);
  if (revision === undefined || preflightRules(revision.preconditions).length === 0) return null;
  const named = [...revision.toolsRequired, ...revision.steps.flatMap((step) => (step.call === undefined ? [] : [step.call.tool]))].map(toolName);
  return {
    skillId: skill.id,
    skillName: skill.name,
    revision: revision.number,
    author: revision.author,
    preconditions: revision.preconditions,
    guards: [...new Set(named)].filter((tool) => !isTalk(tool) && !tool.startsWith("skill:")),
    destinations: revision.capabilities.destinations,
  };
}
