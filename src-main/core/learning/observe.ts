import { clip, squash } from "#base/text.ts";
import type { Observation, ShownAction } from "#contract/learning/schema.ts";
import { type NamedValue, toTemplate } from "../skills/values/index.ts";
import { checkOfPage, isLiteral } from "./check-after.ts";

const mostLines = 40;
const longestLine = 200;

/** What a check of this step may be made of: the values of the run are placeholders in it, and nothing in it would be read as a pattern by chance. */
export function observe(action: ShownAction, before: ShownAction | undefined, values: readonly NamedValue[]): Observation {
  const known = new Set((before?.after.text ?? "").split("\n").map(squash));
  const check = checkOfPage(action.after, values);
  const { heading = "", url = "" } = "page" in check ? check.page : {};
  const lines = action.after.text
    .split("\n")
    .map(squash)
    .filter((line) => line !== "" && line.length <= longestLine && !known.has(line) && line !== squash(action.after.heading) && isLiteral(line));
  return {
    heading,
    url,
    lines: [...new Set(lines)].slice(0, mostLines).map((line) => toTemplate(line, values)),
    secretField: action.secret ? clip(action.target?.name || "the field", 200) : null,
  };
}
