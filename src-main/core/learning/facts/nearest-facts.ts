import type { Fact } from "#contract/memory/schema.ts";
import { tellingStems } from "../../skills/values/index.ts";

/**
 * The facts that share most with a text, best first; those that share no telling word are left out. A word counts for more the fewer facts have it, so that
 * one about coffee comes before one that also says "take". Pure.
 */
export function nearestFacts<One extends Pick<Fact, "text" | "updatedAt">>(facts: readonly One[], text: string, limit: number): One[] {
  const wanted = new Set(tellingStems(text));
  if (wanted.size === 0) return [];
  const told = facts.map((fact) => ({ fact, shared: [...new Set(tellingStems(fact.text))].filter((word) => wanted.has(word)) }));
  const counts = new Map<string, number>();
  for (const { shared } of told) for (const word of shared) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weigh = (shared: readonly string[]): number => shared.reduce((sum, word) => sum + Math.log(1 + facts.length / (counts.get(word) ?? 1)), 0);
  return told
    .filter(({ shared }) => shared.length > 0)
    .toSorted((one, other) => weigh(other.shared) - weigh(one.shared) || other.fact.updatedAt - one.fact.updatedAt)
    .slice(0, limit)
    .map(({ fact }) => fact);
}
