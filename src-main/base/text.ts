/** Collapses white space and trims. */
export function squash(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

/** Form in which two texts are compared: NFKC, lower case, single spaces, straight quotes. */
export function fold(text: string): string {
  return squash(text.normalize("NFKC").replace(/[‘’ʼ]/gu, "'").replace(/[“”]/gu, '"').replace(/[‐-―]/gu, "-")).toLowerCase();
}

/** The words of a text, folded: runs of letters and digits (with inner apostrophes), without the "'s" of what belongs to somebody. */
export function words(text: string): string[] {
  const found: string[] = fold(text).match(/[\p{L}\p{N}]+(?:'[\p{L}]+)*/gu) ?? [];
  return found.map((word) => (word.length > 4 ? word.replace(/'s$/u, "") : word));
}

/** Whether all of `inner`'s words stand in a row in `outer`; never none. */
export function standInRow(outer: readonly string[], inner: readonly string[]): boolean {
  if (inner.length === 0) return false;
  for (let start = 0; start + inner.length <= outer.length; start++) if (inner.every((word, index) => outer[start + index] === word)) return true;
  return false;
}

/** The first `limit` characters, one less where a character of two halves would be cut in two. */
export function cut(text: string, limit: number): string {
  const end = Math.max(0, limit);
  const isSplit = end < text.length && /[\uD800-\uDBFF]/u.test(text.charAt(end - 1)) && /[\uDC00-\uDFFF]/u.test(text.charAt(end));
  return text.slice(0, isSplit ? end - 1 : end);
}

/** Cuts at `limit` characters and says so. */
export function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${cut(text, limit - 1)}…`;
}

/** A text as a part of a regular expression that stands for itself. */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&");
}
