import type { Call, Target } from "#contract/skills/schema.ts";

/** What a call acts on; undefined for one that acts on nothing on a page, and for none. */
export function callTarget(call: Pick<Call, "args"> | undefined): Target | undefined {
  return call?.args.target as Target | undefined;
}
