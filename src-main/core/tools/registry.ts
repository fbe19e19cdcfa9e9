import { browserTools } from "./browser/actions.ts";
import type { Tool } from "./define-tool.ts";
import { memoryTools } from "./memory/facts.ts";
import { skillTools } from "./skills/keep.ts";
import { askUser, reply } from "./talk.ts";
import { workspaceTools } from "./workspace/files.ts";

/** Every tool there is, by id. A new thing the agent can do is added here. */
export const toolRegistry: ReadonlyMap<string, Tool> = new Map(
  [reply, askUser, ...browserTools, ...workspaceTools, ...memoryTools, ...skillTools].map((tool) => [tool.id, tool]),
);
