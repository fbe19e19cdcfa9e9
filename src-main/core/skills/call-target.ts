import type { Call, Target } from "#contract/skills/schema.ts";

/**
 * What a call acts on; undefined for one that acts on nothing on a page, and for none. A tool from elsewhere may have an argument of that name that is
 * no element.
 */
export function callTarget(call: Pick<Call, "args"> | undefined): Target | undefined {
  const target = call?.args.target as Partial<Target> | null | undefined;
  return typeof target === "object" && target !== null && typeof target.role === "string" && typeof target.name === "string" ? (target as Target) : undefined;
}
