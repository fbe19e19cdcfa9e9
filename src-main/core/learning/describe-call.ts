import { clip } from "#base/text.ts";
import type { Call } from "#contract/skills/schema.ts";
import { callTarget } from "../skills/index.ts";
import { leafText, leavesOf } from "./call-leaves.ts";

const mostArguments = 4;

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
    case "browser_press":
      return `Press ${String(call.args.key)}`;
    case "browser_extract":
      return call.args.from === undefined ? `Read what the page says of ${String(call.args.about)}` : `Read the rows of ${String(call.args.from)}`;
    case "browser_expect":
      return describeExpectation(call.args);
    case "browser_login":
      return `Sign in with the login "${String(call.args.entry)}"`;
    case "workspace_list":
      return `List the files of ${String(call.args.path)}`;
    case "workspace_read":
      return `Read the file ${String(call.args.path)}`;
    case "workspace_write":
      return `Write the file ${String(call.args.path)}`;
    case "workspace_move":
      return `Move the file ${String(call.args.from)} to ${String(call.args.to)}`;
    case "workspace_search":
      return `Search the files for ${String(call.args.text)}`;
    case "workspace_exec":
      return `Run the program ${clip(String(call.args.command), 120)}`;
    case "workspace_expect":
      return `Check the file ${String(call.args.path)}`;
    default:
      return describeOther(call);
  }
}

function describeExpectation({ what = "text", of = "", is = "there", text = "" }: Call["args"]): string {
  const said = what === "value" ? `the field ${String(of)} holds ${String(text)}` : what === "count" ? `there are ${String(text)} of ${String(of)}` : "";
  const seen = what === "heading" ? `the heading is ${String(text)}` : what === "address" ? `the address is ${String(text)}` : `the page shows ${String(text)}`;
  return `Check that ${is === "gone" ? "it is no longer so that " : ""}${said || seen}`;
}

/** A tool from elsewhere: its id and its first arguments. */
function describeOther({ tool, args }: Call): string {
  const given = leavesOf(args).filter(({ path }) => path.length > 0);
  const told = given.slice(0, mostArguments).map(({ path, value }) => `${path.filter((key) => !/^\d+$/u.test(key)).join(" ")} ${clip(leafText(value), 60)}`);
  return `Use ${tool}${told.length === 0 ? "" : ` with ${told.join(", ")}`}${given.length > mostArguments ? " …" : ""}`;
}
