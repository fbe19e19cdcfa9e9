import { cut } from "#base/text.ts";

/** How long one thing in a prompt may be, and how that is measured. */
export interface Room {
  readonly tokens: number;
  readonly count: (text: string) => number;
}

/** A text as it fits, and how many of its characters that leaves out. */
export interface CutText {
  readonly text: string;
  readonly leftOut: number;
}

/** One result takes at most this share of the context (SPEC 5). */
const share = 1 / 4;
/** No token is taken to stand for more characters than this: what is longer by it is not even counted. */
const longestToken = 16;
/** Where no model is known that will read it: as much as a quarter of a context of 8,192 holds of a text whose tokens are short. */
const unknown: Room = { tokens: 2048, count: (text) => Math.ceil(text.length / 2) };

/** The room of one result in the context of a model; a careful guess where none is loaded. */
export function roomOf(model: { readonly contextSize: number; countTokens(text: string): number } | null): Room {
  return model === null ? unknown : { tokens: Math.floor(model.contextSize * share), count: (text) => model.countTokens(text) };
}

/**
 * The text as far as it fits, up to the end of a line, or within one where the first alone is too long; then a line that says how much is left out. What
 * fits comes back as it is.
 */
export function cutToRoom(text: string, room: Room): CutText {
  const most = room.tokens * longestToken;
  if (text.length <= most && room.count(text) <= room.tokens) return { text, leftOut: 0 };
  const fits = (end: number): boolean => room.count(noted(text, end)) <= room.tokens;
  const ends = [...cut(text, most).matchAll(/\n/gu)].map(({ index }) => index);
  const line = ends[lastThat(ends.length, (at) => fits(ends[at] ?? 0))];
  const end = line ?? lastThat(Math.min(text.length, most) + 1, (at) => fits(cut(text, at).length));
  const kept = Math.max(0, cut(text, Math.max(0, end)).length);
  return { text: noted(text, kept), leftOut: text.length - kept };
}

function noted(text: string, end: number): string {
  const kept = text.slice(0, end);
  return `${kept}${kept === "" ? "" : "\n"}… (truncated, ${(text.length - end).toLocaleString("en")} characters left out; open full result)`;
}

/** The last of `count` numbers from 0 on that hold, of which the first ones do; −1 where none does. */
function lastThat(count: number, holds: (at: number) => boolean): number {
  let [low, high] = [-1, count - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
