import type { Call, Target } from "#contract/skills/schema.ts";
import { targetSchema } from "#contract/skills/schema.ts";

/** The element a call of a procedure aims at; null when it aims at none. */
export function targetOf(call: Call | undefined): Target | null {
  if (call === undefined) return null;
  const parsed = targetSchema.safeParse(Object.hasOwn(call.args, "target") ? call.args["target"] : call.args);
  return parsed.success ? parsed.data : null;
}
