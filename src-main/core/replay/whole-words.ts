import { fold, standInRow } from "#base/text.ts";

/** Words and numbers as they are read: "£15.00", "9:00" and "O'Hara" are one each, so that a part of one is none; 15.00 is 15. */
function wholeWords(text: string): string[] {
  const found = fold(text).match(/[\p{L}\p{N}]+(?:[.,:'][\p{L}\p{N}]+)*/gu) ?? [];
  return found.map((word) => (/^\d{1,3}(?:,\d{3})*(?:\.\d+)?$|^\d+(?:\.\d+)?$/u.test(word) ? String(Number(word.replaceAll(",", ""))) : word));
}

/** Whether whole words of `outer` in a row, written together, are a reference: "KX27 ABC" is "KX27ABC". Words are not: "no table" is no "Notable". */
function standTogether(outer: readonly string[], inner: readonly string[]): boolean {
  const wanted = inner.join("");
  if (!/\d/u.test(wanted)) return false;
  return outer.some((_, start) => {
    let run = "";
    for (let at = start; at < outer.length && run.length < wanted.length; at++) run += outer[at];
    return run === wanted;
  });
}

/** Whether `inner`'s words stand in `outer`, whole and in a row. What is no word at all is looked for as it is written. */
export function holdsWhole(outer: string, inner: string): boolean {
  const [all, wanted] = [wholeWords(outer), wholeWords(inner)];
  if (wanted.length === 0) return fold(inner) !== "" && fold(outer).includes(fold(inner));
  return standInRow(all, wanted) || standTogether(all, wanted);
}

/** The same, and nothing but marks and figures beside it: "Oak desk £95" is closer to "Oak desk" than "Oak desk lamp" is. */
export function isClosely(outer: string, inner: string): boolean {
  const [all, wanted] = [wholeWords(outer), wholeWords(inner)];
  const start = all.findIndex((_, at) => wanted.every((word, index) => all[at + index] === word));
  if (start < 0 || wanted.length === 0) return false;
  return [...all.slice(0, start), ...all.slice(start + wanted.length)].every((word) => /^\d/u.test(word));
}
