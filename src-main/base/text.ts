/** Collapses white space and trims. */
export function squash(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

/** Form in which two texts are compared: NFKC, lower case, single spaces, straight quotes. */
export function fold(text: string): string {
  return squash(text.normalize("NFKC").replace(/[‘’ʼ]/gu, "'").replace(/[“”]/gu, '"').replace(/[‐-―]/gu, "-")).toLowerCase();
}

/** The words of a text, folded: runs of letters and digits (with inner apostrophes). */
export function words(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+(?:'[\p{L}]+)*/gu) ?? [];
}

/** Cuts at `limit` characters and says so. */
export function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, Math.max(0, limit - 1))}…`;
}
