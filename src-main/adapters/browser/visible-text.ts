import { stripInvisible } from "#base/invisible.ts";
import { squash } from "#base/text.ts";

/** Controls and variation selectors: no one sees them either, and a name has no use for them. */
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFE00-\uFE0F]/gu;

/** The marks around what a frame shows are ours alone. */
const FRAME_MARK = /<(?=\s*\/?\s*frame\b)/giu;

/** One line of what a person would see of a text. */
export function visibleText(text: string): string {
  return squash(stripInvisible(text).replace(CONTROLS, "")).replace(FRAME_MARK, "‹");
}
