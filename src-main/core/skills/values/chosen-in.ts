import { stopWords } from "#base/stop-words.ts";
import { words } from "#base/text.ts";
import { canonicalDate, readCanonicalDate } from "./calendar.ts";
import { findValues } from "./find-values.ts";
import type { FoundValue } from "./found-value.ts";
import { stem } from "./stem.ts";

/** Only values that do not depend on the day are compared here. */
const anyDay = new Date(2000, 0, 3, 12);
const comparable = new Set<FoundValue["kind"]>(["date", "month", "time", "number", "amount"]);
const isAbsolute = (value: FoundValue): boolean =>
  comparable.has(value.kind) &&
  (value.kind === "month" || value.kind === "time" || /\d/u.test(value.text)) &&
  !/\b(?:ago|last|next|this|in)\b/iu.test(value.text);

const denial =
  /\b(?:not(?!\s+(?:more|less|later|earlier|fewer|longer)\s+than)|neither|nor|(?:any|all|anything|everything)\s+but|no(?!\.?\s*\d|\s+(?:more|less|later|earlier|fewer|longer)\s+than)|never|without|except|instead\s+of|rather\s+than|\p{L}+n['’]t)\b/iu;
const goesOn = "but|i|we|please|just|instead|rather|give|make|take";
const places = "in|on|at|for|from|by|to|near";
/**
 * What is denied: to the end of its clause, or where what is wanted begins. A verb that is denied ("does not work in the Bathroom") denies nothing
 * of where and when.
 */
const denied = new RegExp(
  String.raw`\b(?:(?:do|does|did|is|are|was|were|can|could|will|would|has|have|had)\s+not|\p{L}+n['’]t)\b(?:\s+(?!(?:${goesOn}|${places})\b)[\p{L}\p{N}'’-]+){0,4}|${denial.source}(?:\s+(?!(?:${goesOn})\b)[\p{L}\p{N}'’-]+){0,4}`,
  "giu",
);

interface Telling {
  /** As it is compared: the stem of a word, or a value in canonical form. */
  readonly token: string;
  /** A word of meaning stands directly before it. */
  readonly qualifier: string | undefined;
  /** A bare number: it may be the day's, the house's or how many. */
  readonly isCount: boolean;
}

/** The telling words of a text in order; days, times and numbers in whatever writing are one each. */
function tellingIn(text: string): Telling[] {
  const values = findValues(text, anyDay).filter(isAbsolute);
  const all: Telling[] = [];
  let from = 0;
  for (const value of [...values, undefined]) {
    let before: string | undefined;
    for (const word of words(text.slice(from, value?.start))) {
      if (!stopWords.has(word)) all.push({ token: stem(word), qualifier: before, isCount: false });
      before = stopWords.has(word) ? undefined : stem(word);
    }
    if (!value) break;
    all.push({ token: `=${value.canonical}`, qualifier: undefined, isCount: value.kind === "number" && value.canonical.length < 4 });
    from = value.end;
  }
  return all;
}

/** What a text says: its telling words, and the parts of days and times, which pages offer in lists of their own. */
function saidIn(text: string): ReadonlySet<string> {
  const said = new Set(tellingIn(text).map(({ token }) => token));
  for (const token of [...said]) {
    const time = /^=(\d\d):(\d\d)$/u.exec(token);
    if (time) for (const part of time.slice(1)) said.add(`=${Number(part)}`);
    const date = token.startsWith("=") ? readCanonicalDate(token.slice(1)) : undefined;
    if (!date) continue;
    for (const part of [date.year, date.day]) if (part !== null) said.add(`=${part}`);
    for (const part of [
      { ...date, year: null },
      { ...date, day: null },
      { ...date, year: null, day: null },
    ])
      said.add(`=${canonicalDate(part)}`);
  }
  return said;
}

/** A day of a choice whose year the text leaves open is said all the same. */
function isSaid(token: string, said: ReadonlySet<string>, years: boolean): boolean {
  const date = !years && token.startsWith("=") ? readCanonicalDate(token.slice(1)) : undefined;
  return said.has(token) || (date !== undefined && said.has(`=${canonicalDate({ ...date, year: null })}`));
}

/** A text's words with its denials written out: "there aren't enough" is "there are not enough". */
function writtenOut(text: string): string {
  return words(text.replace(/n['’]t\b/giu, " not")).join(" ");
}

/**
 * The choice a text names: the one whose telling words all stand in it, longest first; else the same without figures and what all choices have in
 * common ("Compact" of "Compact £34 a day"); else the one that shares the most telling words with it, words aside that are narrowed by one that is not said ("small" is not "Extra small"). What the text denies ("not the blue") is not named.
 * Undefined when none or several are.
 */
export function chosenIn(text: string, named: readonly string[]): string | undefined {
  const affirmed = saidIn(text.replace(denied, " "));
  const everything = saidIn(text);
  const years = findValues(text, anyDay).some((value) => (value.kind === "date" || value.kind === "month") && !value.canonical.startsWith("--"));
  // The same choice told twice is one choice, not two that cannot be told apart.
  const choices = [...new Set(named)].map((choice) => {
    // A choice that denies something itself ("No milk") is said as it stands.
    const isDenial = denial.test(choice);
    const isNamed = !isDenial || writtenOut(text).includes(writtenOut(choice));
    return { choice, telling: tellingIn(choice), said: (token: string) => isNamed && isSaid(token, isDenial ? everything : affirmed, years) };
  });
  const longest = (isMeant: (token: string) => boolean): readonly string[] => {
    const whole = choices
      .map(({ choice, telling, said }) => ({ choice, of: telling.filter(({ token }) => isMeant(token)), said }))
      .filter(({ of, said }) => of.length > 0 && of.every(({ token }) => said(token)));
    const most = Math.max(0, ...whole.map(({ of }) => of.length));
    return whole.filter(({ of }) => of.length === most).map(({ choice }) => choice);
  };
  const isShared = (token: string): boolean => choices.length > 1 && choices.every(({ telling }) => telling.some((told) => told.token === token));
  for (const isMeant of [() => true, (token: string) => !/^[=\d]/u.test(token) && !isShared(token)]) {
    const [first, ...more] = longest(isMeant);
    if (first !== undefined) return more.length === 0 ? first : undefined;
  }
  const counted = choices
    .map(({ choice, telling, said }) => ({
      choice,
      count: telling.filter(
        ({ token, qualifier, isCount }) =>
          said(token) &&
          !isCount &&
          (qualifier === undefined || said(qualifier)) &&
          choices.filter((other) => other.telling.some((told) => told.token === token)).length === 1,
      ).length,
      all: telling.filter(({ token, isCount }) => said(token) && !isCount).length,
    }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.all - a.all);
  const [best, second] = counted;
  return best && best.all > (second?.all ?? 0) ? best.choice : undefined;
}
