import { stopWords } from "#base/stop-words.ts";
import { words } from "#base/text.ts";

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** Which end of a change or a span a value is. */
type End = "beginning" | "ending";

/** What the words around a value say about the part it plays. */
export interface Role {
  /** Words before it in its clause, nearest first, articles aside. */
  readonly before: readonly string[];
  /** What it is counted in or called: the words of meaning that follow it. */
  readonly after: readonly string[];
  readonly end: End | undefined;
  /** What it is said to be for or on: the words of meaning behind one small word that follows it. */
  readonly called: readonly string[];
}

const articles = new Set("a an the my our your his her its their".split(" "));
const ends = (beginning: string, ending: string): ReadonlyMap<string, End> =>
  new Map<string, End>([...beginning.split(" ").map((word) => [word, "beginning"] as const), ...ending.split(" ").map((word) => [word, "ending"] as const)]);
/** Small words tell an end only directly before a value ("to 9 May", not "I want to move it on 9 May"). */
const nearest = ends("from since between", "to until till into");
const anywhere = ends(
  "start starts starting begin begins beginning old previous current currently was were instead rather replacing",
  "end ends ending finish finishing new becomes",
);
/** What the two ends of a stay, a span or a journey are called; as words of a sentence they say too little ("the last bill"). */
const nameEnds = ends("first earliest arrival pickup collection outward outbound", "last latest departure return dropoff inward inbound");
/** Small words between what happens and its day or time. */
const leads = new Set("on at by".split(" "));
const clauseBreak = /[,;!?()\n]|\.\s|\b(?:and|or|but|then)\b/giu;

export function stemOf(word: string): string {
  return word.replace(/children$/u, "child").replace(/(?<=\p{L}{3})(?:ies|es|s|ing|ed|e)$/u, "");
}

function endOf(before: readonly string[]): End | undefined {
  return nearest.get(before[0] ?? "") ?? before.map((word) => anywhere.get(word)).find((end) => end !== undefined);
}

/** Which end an input of this name is. */
export function endOfName(name: readonly string[]): End | undefined {
  return endOf([...name].reverse()) ?? name.map((word) => nameEnds.get(word)).find((end) => end !== undefined);
}

/** The roles of values by what stands around them; each value's words end at its clause and at the next value. */
export function rolesOf(text: string, places: readonly Place[], all: readonly Place[] = places): Role[] {
  return places.map((place) => {
    const previous = Math.max(0, ...all.filter((other) => other.end <= place.start).map((other) => other.end));
    const next = Math.min(text.length, ...all.filter((other) => other.start >= place.end).map((other) => other.start));
    const lead = text.slice(previous, place.start).replace(/\b((?:un)?til|till|to)\s+and\s+including\s*$/iu, "$1 ");
    const cut = [...lead.matchAll(clauseBreak)].at(-1);
    const before = words(cut ? lead.slice(cut.index + cut[0].length) : lead)
      .filter((word) => !articles.has(word))
      .slice(-4)
      .reverse();
    const mark = /([#№])\s*$/u.exec(lead)?.[1];
    if (mark !== undefined) before.unshift(mark);
    const follows = text.slice(place.end, next);
    // "31866 on the day rate"
    const behind = /^["”»'’]?\s+(?:on|in|at|for|as)\s+(?:(?:the|my|a)\s+)?/u.exec(follows)?.[0].length ?? 0;
    const tail = words(follows.slice(0, follows.search(clauseBreak) >= 0 ? follows.search(clauseBreak) : undefined));
    // "between 3 and 5", "3–5", "3 to 5": what joins two values says the part of both.
    const spans = /^\s*[-–—]\s*$/u.test(lead) || (/^\s*and\s*$/iu.test(lead) && /\bbetween\s+$/iu.test(text.slice(0, startOf(all, previous))));
    const begins = next < text.length && /^\s*(?:[-–—]|to|until|till|into)\s*$/iu.test(follows);
    const end = spans ? "ending" : (endOf(before) ?? (begins ? "beginning" : undefined));
    const called = words(follows.slice(behind).split(clauseBreak)[0] ?? "");
    return { before, after: untilSmall(tail).slice(0, 2), end, called: behind === 0 ? [] : untilSmall(called).slice(0, 2) };
  });
}

function untilSmall(all: readonly string[]): readonly string[] {
  const small = all.findIndex((word) => stopWords.has(word));
  return small < 0 ? all : all.slice(0, small);
}

function startOf(all: readonly Place[], end: number): number {
  return all.find((place) => place.end === end)?.start ?? 0;
}

/** Whether roles tell values apart at all; where neither example nor goal has such words, their order is all there is. */
export function tellApart(roles: readonly Role[]): boolean {
  const different = (said: (string | undefined)[]): boolean => new Set(said.filter((word) => word !== undefined)).size > 1;
  return roles.some((role) => role.end) || different(roles.map((role) => role.before[0])) || different(roles.map((role) => role.after[0]));
}

/** The words of meaning before a value ("old date", "delivered on"); what stands before another small word belongs to the sentence. */
function labelOf(role: Role): readonly string[] {
  const lead = role.before.findIndex((word) => !leads.has(word));
  return lead < 0 ? [] : untilSmall(role.before.slice(lead));
}

/** How near a word of an input's name stands to a value: directly before it, directly behind, or with small words between. */
function nearness(word: string, isSmall: boolean, before: readonly string[], after: readonly string[]): number {
  if (before[0] === word) return 5;
  if (isSmall) return 0;
  if (after[0] === word) return 4;
  const at = before.indexOf(word);
  // "a reading for Flat 3": another word of meaning and a small one stand between.
  const isApart = at > 1 && before.slice(1, at).some((between) => stopWords.has(between)) && !stopWords.has(before[0] ?? "");
  return at >= 0 ? (isApart ? 1 : 3) : after.includes(word) ? 2 : 0;
}

/**
 * How far the words around a value speak for an input: above zero for it, below against it; zero says nothing.
 * @param shown the input's roles in the examples
 * @param name words of the input's name that no other input has
 */
export function agreement(shown: readonly Role[], name: readonly string[], here: Role): number {
  const before = here.before.map(stemOf);
  const after = here.after.map(stemOf);
  const called = here.called.map(stemOf);
  const named = Math.max(
    0,
    ...name.map((word) =>
      Math.max(nearness(stemOf(word), stopWords.has(word), before, after), !stopWords.has(word) && called.includes(stemOf(word)) ? 1.5 : 0),
    ),
  );
  const nameEnd = endOfName(name);
  const scores = (shown.length > 0 ? shown : [{ before: [], after: [], end: nameEnd, called: [] }]).map((role: Role) => {
    const unit = role.after[0] !== undefined && stemOf(role.after[0]) === after[0] ? 2 : 0;
    // "for 2 adults": where the unit told it, the small word before it alone does not.
    const near =
      role.before[0] !== undefined && !leads.has(role.before[0]) && stemOf(role.before[0]) === before[0] && (unit > 0 || role.after[0] === undefined) ? 2 : 0;
    const label = labelOf(here).map(stemOf);
    const shared = labelOf(role).filter((word) => word !== role.before[0] && label.includes(stemOf(word))).length;
    // "the box of Monday" and "the Monday box": what it belongs to may stand on either side.
    const telling = (side: readonly string[]): string[] => side.filter((word) => !stopWords.has(word)).map(stemOf);
    const isCrossed = telling(role.before).some((word) => after.includes(word)) || telling(role.after).some((word) => before.includes(word));
    const wanted = role.end ?? nameEnd;
    const end = wanted && here.end ? (wanted === here.end ? 3 : -6) : 0;
    return near + shared + unit + end + (isCrossed ? 0.5 : 0);
  });
  return named + Math.max(...scores);
}

/**
 * Pairs rows with columns where each is the other's only best, over and over, so that what is decided takes part no more.
 * @param scores by row, then column; `undefined` where a pair is out of the question
 */
export function decidedPairs(scores: readonly (readonly (number | undefined)[])[]): Map<number, number> {
  const pairs = new Map<number, number>();
  for (let found = true; found; ) {
    found = false;
    const used = new Set(pairs.values());
    const score = (row: number, column: number): number => (pairs.has(row) || used.has(column) ? 0 : (scores[row]?.[column] ?? 0));
    for (const [row, line] of scores.entries()) {
      for (const column of line.keys()) {
        const own = score(row, column);
        if (own <= 0 || used.has(column)) continue;
        const rivals =
          [...line.keys()].some((other) => other !== column && score(row, other) >= own) ||
          scores.some((_, other) => other !== row && score(other, column) >= own);
        if (rivals) continue;
        pairs.set(row, column);
        used.add(column);
        found = true;
        break;
      }
    }
  }
  return pairs;
}
