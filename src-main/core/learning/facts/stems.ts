import { words } from "#base/text.ts";
import { stem } from "../../skills/values/index.ts";

/** Words that change nothing of what a statement says; "not", "no" and "never" are none of them. */
const fillers = new Set("a an the my our your his her their its some really very quite just please also".split(" "));

/** The words of a statement without fillers, by their stems, in order: how two wordings of one thing are told to be the same. */
export function stemsOf(text: string): string[] {
  return words(text)
    .filter((word) => !fillers.has(word))
    .map(stem);
}
