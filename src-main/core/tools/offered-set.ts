import { skillInvocation, toolInvocation } from "../skills/index.ts";
import type { Tool } from "./define-tool.ts";

/** Tools and skills that one step may choose from (SPEC 5, "few tools at a time"). */
export const mostOffered = 8;

/** One thing that is offered. `name` is what is read, `id` what is dispatched. */
export interface OfferedEntry {
  readonly id: `tool:${string}` | `skill:${string}`;
  readonly kind: "tool" | "skill";
  readonly name: string;
  /** Who made it: "knack" for tools that are built in, an author of SPEC 3 for skills. */
  readonly author: string;
}

/** Tools that must have been called before other tools; both by name, the first in the order of their rules. */
export interface RuleGroup {
  readonly before: readonly string[];
  readonly actions: readonly string[];
}

/** Where the entries come from, in their order of precedence; the escape hatch always has room. */
export interface OfferedSources {
  readonly core: readonly OfferedEntry[];
  readonly skill: readonly OfferedEntry[];
  readonly semantic: readonly OfferedEntry[];
  readonly escape: readonly OfferedEntry[];
  readonly rules: readonly RuleGroup[];
  /** The entry of a tool that only a rule names; null where there is no such tool, or it cannot be offered. */
  readonly named: (tool: string) => OfferedEntry | null;
}

export function toolEntry(tool: Pick<Tool, "id" | "author">): OfferedEntry {
  return { id: toolInvocation(tool.id), kind: "tool", name: tool.id, author: tool.author ?? "knack" };
}

/** Throws bad-input for a name that cannot be a skill's. */
export function skillEntry(skill: { readonly name: string }, author: string): OfferedEntry {
  const id = skillInvocation(skill.name);
  return { id, kind: "skill", name: id.slice("skill:".length), author };
}

/**
 * core ∪ skill ∪ semantic ∪ escape hatch, each thing once by its id, at most `most`. What a rule names comes along, directly ahead of the tool it
 * guards and in the order of the rules; where there is no room for it, the guarded tool is left out too (SPEC 3.3 a).
 */
export function offeredSet(sources: OfferedSources, most: number = mostOffered): OfferedEntry[] {
  const escape = sources.escape.filter((entry, index, all) => all.findIndex(({ id }) => id === entry.id) === index).slice(0, most);
  const kept = new Set(escape.map(({ id }) => id));
  const chosen = new Map<string, OfferedEntry>();
  for (const entry of [...sources.core, ...sources.skill, ...sources.semantic]) {
    const unit = [...aheadOf(entry, sources, new Set([entry.id])), entry].filter(({ id }) => !chosen.has(id) && !kept.has(id));
    if (chosen.size + unit.length + escape.length > most) continue;
    for (const one of unit) chosen.set(one.id, one);
  }
  return [...chosen.values(), ...escape];
}

/** What must come before an entry, first things first; rules that go round in a circle end where they close. */
function aheadOf(entry: OfferedEntry, sources: OfferedSources, above: ReadonlySet<string>): OfferedEntry[] {
  if (entry.kind !== "tool") return [];
  const found = new Map<string, OfferedEntry>();
  for (const { before, actions } of sources.rules) {
    if (!actions.includes(entry.name)) continue;
    for (const tool of before) {
      const needed = sources.named(tool);
      if (needed === null || above.has(needed.id)) continue;
      for (const one of [...aheadOf(needed, sources, new Set([...above, needed.id])), needed]) found.set(one.id, one);
    }
  }
  return [...found.values()];
}
