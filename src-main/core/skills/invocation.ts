import { badInput } from "#contract/errors.ts";
import { parseSkillName } from "./names.ts";

/** What a call names: dispatch goes by this, never by a display name, so a tool and a skill of one name are two things. */
export interface Invocation {
  readonly kind: "tool" | "skill";
  readonly name: string;
}

/** Reads `tool:<name>`, a bare tool name, or `skill:<name>` in any spelling a person may give (`skill:Order_Groceries`). Throws bad-input for a skill's name that cannot be one. */
export function invocationOf(id: string): Invocation {
  if (id.startsWith("skill:")) return { kind: "skill", name: skillNameOf(id.slice("skill:".length)) };
  return { kind: "tool", name: id.startsWith("tool:") ? id.slice("tool:".length) : id };
}

export function toolInvocation(name: string): `tool:${string}` {
  return `tool:${name}`;
}

/** `Order_Groceries` → `skill:order-groceries`. Throws bad-input for a name that cannot be a skill's. */
export function skillInvocation(name: string): `skill:${string}` {
  return `skill:${skillNameOf(name)}`;
}

function skillNameOf(given: string): string {
  const name = parseSkillName(given);
  if (!name.ok) throw badInput(name.error, { field: "tool" });
  return name.value;
}
