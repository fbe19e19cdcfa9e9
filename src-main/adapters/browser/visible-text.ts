import { squash } from "#base/text.ts";

/** Characters no one sees: zero-width, bidi controls, soft hyphen, tags, variation selectors, controls. Written as escapes on purpose. */
const UNSEEN =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB]|\uDB40[\uDC00-\uDFFF]/gu;
const UNSEEN_ASTRAL = /[\u{E0000}-\u{E0FFF}\u{1D173}-\u{1D17A}]/gu;

/** One line of what a person would see of a text. */
export function visibleText(text: string): string {
  return squash(text.replace(UNSEEN_ASTRAL, "").replace(UNSEEN, ""));
}
