import type { KnownTool } from "../gates/index.ts";
import { type Tool, toolRegistry } from "../tools/index.ts";

const known = new WeakMap<ReadonlyMap<string, Tool>, ReadonlyMap<string, KnownTool>>();

/** The tools as the gates know them; made once for each set of tools. */
export function knownTools(tools: ReadonlyMap<string, Tool>): ReadonlyMap<string, KnownTool> {
  const there = known.get(tools);
  if (there) return there;
  const made = new Map([...tools.values()].map((tool) => [tool.id, { schema: tool.args, primitive: tool.primitive, readOnly: looksOnly(tool) }]));
  known.set(tools, made);
  return made;
}

/** Of a tool that came from elsewhere only what it says itself counts, never its name. */
function looksOnly(tool: Tool): boolean {
  if (toolRegistry.get(tool.id) !== tool) return tool.readOnly === true;
  return tool.id === "reply" || tool.id === "ask_user" || /_(?:snapshot|extract|expect|wait|list|read|search|fetch)$|^recall$/u.test(tool.id);
}
