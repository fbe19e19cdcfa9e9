import { fold } from "./text.ts";

/** Does `pattern`, in which `*` stands for any run (also an empty one), match the whole text? Linear in practice, no regular expression of foreign text. */
export function matchesWildcard(pattern: string, text: string): boolean {
  let [p, t, star, resume] = [0, 0, -1, 0];
  while (t < text.length) {
    if (p < pattern.length && pattern[p] === "*") {
      star = p++;
      resume = t;
    } else if (p < pattern.length && pattern[p] === text[t]) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else return false;
  }
  while (pattern[p] === "*") p += 1;
  return p === pattern.length;
}

/** The same where `*` stands for any run without "/". */
export function matchesPath(pattern: string, text: string): boolean {
  const [patterns, texts] = [pattern.split("/"), text.split("/")];
  return patterns.length === texts.length && patterns.every((piece, index) => matchesWildcard(piece, texts[index] as string));
}

/** Whether a text, folded, is what a pattern, folded, stands for. */
export function isLike(pattern: string, text: string): boolean {
  return matchesWildcard(fold(pattern), fold(text));
}
