import type { Precondition } from "#contract/skills/schema.ts";

/** One rule of a skill as a sentence: what has to be so first, or where the rules count at all. */
export function formatPrecondition(rule: Precondition): string {
  if (typeof rule === "string") return `First: ${rule}`;
  const { path, op, value } = rule.state;
  return `Its rules count where ${path} ${op}${value === undefined ? "" : ` ${JSON.stringify(value)}`}`;
}
