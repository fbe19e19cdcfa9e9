import type { Call } from "#contract/skills/schema.ts";
import { callTarget } from "../skills/index.ts";

/** What a call does, as a person reads it. */
export function describeCall(call: Call): string {
  const target = callTarget(call);
  const name = target ? `${target.role} "${target.name}"${target.within ? ` in the row of ${target.within}` : ""}` : "";
  switch (call.tool) {
    case "browser_open":
      return `Open ${String(call.args.url)}`;
    case "browser_click":
      return `Click the ${name}`;
    case "browser_fill":
      return `Fill the ${name} with ${String(call.args.text)}`;
    case "browser_select":
      return `Choose ${String(call.args.option)} in the ${name}`;
    default:
      return `Press ${String(call.args.key)}`;
  }
}
