import { isAuthored } from "../skills/index.ts";
import { type Offer, toolRegistry } from "../tools/index.ts";
import type { Scene } from "./scene.ts";

/** Words with which people speak of skills. */
const aboutSkills = /\b(?:skills?|routines?|playbooks?)\b/iu;

/** Whether a message is about skills. */
export function speaksOfSkills(text: string): boolean {
  return aboutSkills.test(text);
}

/**
 * The skills a free turn may look at and change, where the user speaks of skills; else null, and the tools for them are not offered. They are no part of
 * the kernel: a small model chooses worse among more tools, and the kernel's bytes stay the same in every turn.
 */
export function skillsSpokenOf({ world, input, charge }: Pick<Scene, "world" | "input" | "charge">): Offer["skills"] {
  if (charge || input.noSkills === true || !world.settings().learning || !speaksOfSkills(input.text)) return null;
  const { skills } = world.stores;
  const known = skills.list();
  const own = known.filter((skill) => !skills.revisions(skill.id).some(({ author }) => isAuthored(author)));
  return { known: known.map(({ name }) => name), own: own.map(({ name }) => name) };
}

/** What those tools are, for the newest message. */
export function skillToolsText(): string {
  const lines = [...toolRegistry.values()].filter(({ id }) => id.startsWith("skill_")).map(({ description }) => `- ${description}`);
  return ["Tools for skills:", ...lines].join("\n");
}
