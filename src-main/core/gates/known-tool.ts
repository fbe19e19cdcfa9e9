import { toolName } from "../envelope/index.ts";
import type { Gate } from "./context.ts";
import { allow, refuse } from "./verdict.ts";

/** The tool exists. */
export const knownTool: Gate = (call, context) =>
  context.tools.has(toolName(call.tool))
    ? allow
    : refuse("tool.unknown", `There is no tool "${call.tool}". Tools here: ${[...context.tools.keys()].sort().join(", ")}.`);
