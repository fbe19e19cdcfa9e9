import { badInput } from "#contract/errors.ts";
import { editsBlocks } from "../prompt/index.ts";
import { browserTools } from "./browser/actions.ts";
import { browserLogin } from "./browser/login.ts";
import type { Tool } from "./define-tool.ts";
import { memoryTools } from "./memory/index.ts";
import { skillTools } from "./skills/keep.ts";
import { askUser, reply } from "./talk.ts";
import { webTools } from "./web/fetch.ts";
import { workspaceTools } from "./workspace/files.ts";

/** Every tool that is built in, by id. A new thing the agent can do is added here. */
export const toolRegistry: ReadonlyMap<string, Tool> = new Map(
  [reply, askUser, ...browserTools, browserLogin, ...webTools, ...workspaceTools, ...memoryTools, ...skillTools].map((tool) => [tool.id, tool]),
);

/** Steps of the host itself, which no tool may be named after. */
const taken = new Set(["skill_leave"]);

/** The tools that are built in and further ones. Throws bad-input for an id that is taken or cannot be one. */
export function withTools(more: readonly Tool[]): ReadonlyMap<string, Tool> {
  const all = new Map(toolRegistry);
  for (const tool of more) {
    if (!/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/u.test(tool.id))
      throw badInput(`"${tool.id}" cannot be a tool's id: it begins with a letter and holds at most 64 letters, digits and _ . -`, { field: "tools" });
    if (all.has(tool.id) || taken.has(tool.id)) throw badInput(`There is a tool "${tool.id}" already; give the other one another id.`, { field: "tools" });
    if (editsBlocks(tool.id))
      throw badInput(
        `"${tool.id}" would edit standing context, which is the user's alone to edit. Leave it out, or give a tool that does something else another id.`,
        {
          field: "tools",
        },
      );
    all.set(tool.id, tool);
  }
  return all;
}
