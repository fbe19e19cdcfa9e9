/** Characters that change what is read without being seen: zero-width, bidirectional, soft hyphen, tags, variation supplements. Written as escapes on purpose. */
const invisible =
  /[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/gu;

/** For every text that comes from elsewhere: pages, showings, files of skills. Halves of characters become U+FFFD, as the store would write them anyway. */
export function stripInvisible(text: string): string {
  return text.replace(invisible, "").toWellFormed();
}

/** Code points found, each once, as "U+200B"; for a report a person reads. */
export function invisibleIn(text: string): string[] {
  const found = new Set(text.match(invisible) ?? []);
  return [...found].map((character) => `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}`).sort();
}

/** The pattern of one of them, for where text is read by other code than this: flags "gu". */
export const invisiblePattern = invisible.source;
