import { toolName } from "../envelope/index.ts";
import type { Gate } from "./context.ts";
import { allow, refuse } from "./verdict.ts";

/** Its arguments are what the tool takes. */
export const inputSchema: Gate = (call, context) => {
  const parsed = context.tools.get(toolName(call.tool))?.schema.safeParse(call.args);
  if (parsed === undefined || parsed.success) return allow;
  const problems = parsed.error.issues.slice(0, 3).map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
  return refuse("input.invalid", `${call.tool} was not run; ${problems.join("; ")}.`);
};
