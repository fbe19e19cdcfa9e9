import { tellingStems } from "../skills/values/index.ts";
import type { Tool } from "./define-tool.ts";

/**
 * Tools whose name or description share words with the goal, most of them first. Words and no vectors: a threshold belongs to an embedder, and none
 * is calibrated for descriptions of tools.
 */
export function toolsForGoal(tools: readonly Tool[], goal: string): Tool[] {
  const wanted = new Set(tellingStems(goal));
  const shared = ({ id, description }: Tool): number => {
    const own = new Set(tellingStems(`${id} ${description}`.replace(/[_.-]/gu, " ")));
    return [...own].filter((word) => wanted.has(word)).length;
  };
  return tools
    .map((tool) => ({ tool, shared: shared(tool) }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .map(({ tool }) => tool);
}
