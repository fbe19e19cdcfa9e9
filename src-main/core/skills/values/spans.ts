import { stopWords } from "#base/stop-words.ts";
import { words } from "#base/text.ts";

/** A run of words of one text that also stands in another. */
export interface SharedSpan {
  /** As written in the first text. */
  readonly inFirst: string;
  /** As written in the second text. */
  readonly inSecond: string;
  readonly start: number;
  readonly end: number;
}

interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const owned = /['’]s$/u;

/** Words with their place. Letters and digits with inner apostrophes, hyphens between them part words. */
export function tokens(text: string): Token[] {
  return [...text.matchAll(/[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu)].map((match) => ({
    word: words(match[0])[0] ?? match[0].toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Stands for each letter of what was taken out of a text; it parts the words around it. */
export const blank = "\u00b6";

/** Longest run of words that stands in both texts and holds a word of meaning; offsets are those of the first text. */
export function longestSharedSpan(first: string, second: string): SharedSpan | undefined {
  const a = tokens(first);
  const b = tokens(second);
  let best: { start: number; from: number; length: number; weight: number } | undefined;
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < b.length; j++) {
      let length = 0;
      while (i + length < a.length && j + length < b.length && a[i + length]?.word === b[j + length]?.word) {
        // What was blanked between two words parts them.
        if (length > 0 && second.slice(b[j + length - 1]?.end, b[j + length]?.start).includes(blank)) break;
        length++;
      }
      if (length === 0) continue;
      let [from, to] = [0, length];
      while (from < to && stopWords.has(a[i + from]?.word ?? "")) from++;
      while (to > from && stopWords.has(a[i + to - 1]?.word ?? "")) to--;
      if (to === from) continue;
      const weight = a.slice(i + from, i + to).reduce((sum, token) => sum + token.word.length + 1, 0);
      if (!best || weight > best.weight) best = { start: i + from, from: j + from, length: to - from, weight };
    }
  }
  if (!best) return undefined;
  const [firstToken, lastToken] = [a[best.start], a[best.start + best.length - 1]];
  const [firstOther, lastOther] = [b[best.from], b[best.from + best.length - 1]];
  if (!firstToken || !lastToken || !firstOther || !lastOther) return undefined;
  // "Olive's visit" is about Olive; "The Clockmaker's" on both sides is a name.
  const [end, endOfOther] = [lastToken.end, lastOther.end].map((at, index) => {
    const [own, other] = index === 0 ? [first, second.slice(0, lastOther.end)] : [second, first.slice(0, lastToken.end)];
    return owned.test(own.slice(0, at)) && !owned.test(other) ? at - 2 : at;
  }) as [number, number];
  return { inFirst: first.slice(firstToken.start, end), inSecond: second.slice(firstOther.start, endOfOther), start: firstToken.start, end };
}

/** Where the letters and digits of `literal` stand in `text` as whole words, spaces, hyphens and case aside ("AB12CDE" in "plate AB12 CDE"). */
export function literalIn(text: string, literal: string): { start: number; end: number } | undefined {
  const wanted = words(literal).join("");
  if (wanted === "") return undefined;
  const all = tokens(text);
  for (let i = 0; i < all.length; i++) {
    let joined = "";
    for (let j = i; j < all.length && joined.length < wanted.length; j++) {
      joined += all[j]?.word ?? "";
      const end = all[j]?.end ?? 0;
      if (joined === wanted) return { start: all[i]?.start ?? 0, end: owned.test(text.slice(0, end)) && !owned.test(literal) ? end - 2 : end };
    }
  }
  return undefined;
}

/** Whether two places in one text have a part in common. */
export function overlap(a: { readonly start: number; readonly end: number }, b: { readonly start: number; readonly end: number }): boolean {
  return a.start < b.end && b.start < a.end;
}
