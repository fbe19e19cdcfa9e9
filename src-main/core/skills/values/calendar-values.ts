import * as chrono from "chrono-node";
import { canonicalDate, monthNumber, readCanonicalDate } from "./calendar.ts";
import { clockPattern } from "./clock-values.ts";
import type { FoundValue } from "./found-value.ts";

const monthNames = "January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec";
const ordinal = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
const calendarWord = new RegExp(
  String.raw`\d|\b(?:to(?:day|night|morrow)|yesterday|tmrw?|ago|(?:sun|mon|tues|wednes|thurs|fri|satur)day|days?|weeks?|months?|years?|${monthNames})\b`,
  "iu",
);

/** A time of day is a value of its own: "12 May 2027 at 10:30" is a day and a time. */
const trailingTime = new RegExp(String.raw`[\s,;]*(?:\b(?:at|by|from|around|about)\s+)?(?<![\d.:/\p{L}])${clockPattern}\s*$`, "iu");
const leadingTime = new RegExp(String.raw`^(?:at\s+|by\s+|from\s+)?${clockPattern}[\s,;]*(?:on\s+)?(?=\D|\d{1,2}(?:st|nd|rd|th|\s|\.))`, "iu");

/** Length of what stands before the day itself. */
function leadOf(text: string): number {
  const time = /^\d{1,2}[./]\d{1,2}[./]/u.test(text) ? 0 : (leadingTime.exec(text)?.[0].length ?? 0);
  return time + (/^(?:on|at|by|from|for|until|till)\s+/iu.exec(text.slice(time))?.[0].length ?? 0);
}

function splitRange(text: string): { text: string; offset: number }[] {
  // A dash with nothing around it may be inside of a day: "2027-02-14 to 2027-02-17".
  const match = /\s+(?:to|until|till|through|and)\s+/iu.exec(text) ?? /\s+[-–]\s+/u.exec(text) ?? /[-–]/u.exec(text);
  if (!match) return [{ text, offset: 0 }];
  const second = match.index + match[0].length;
  return [
    { text: text.slice(0, match.index), offset: 0 },
    { text: text.slice(second), offset: second },
  ];
}

/** The same text, offsets kept, in words chrono knows: "between 3 and 5 March" is "3 to 5 March", "from 2 May" and "at (an address) 2 May" no hour. */
function inChronoWords(text: string): string {
  return text
    .replace(new RegExp(String.raw`\b(${ordinal})(\s+)and(?=\s+${ordinal}\s+(?:of\s+)?(?:${monthNames})\b)`, "giu"), "$1$2to ")
    .replace(
      new RegExp(
        String.raw`\bat(?=\s+(?:(?:from|between|on)\s+)?${ordinal}(?:\s+(?:to|until|till|-)\s+${ordinal})?\s+(?:of\s+)?(?:${monthNames})\b)|\b(?:from|between)(?=\s+${ordinal}\s+(?:(?:of\s+)?(?:${monthNames})\b|(?:to|until|till|and)\b))|\b(?:morning|afternoon|evening|night)\s+(?:of|on)\b`,
        "giu",
      ),
      (word) => " ".repeat(word.length),
    );
}

/** How long, or a stretch of time, is no day: "2 hours", "next week", "the last 3 days". */
function isStretch(text: string): boolean {
  if (/\b(?:hours?|hrs?|minutes?|mins?|seconds?|weekend)\b/iu.test(text)) return true;
  if (/^now$|^(?:for|within|over|during)\b.*\b(?:days?|weeks?|months?|years?)$/iu.test(text)) return true;
  return /^(?:(?:in|for|the)\s+)*(?:this|last|next|past|previous|coming|after|before)\b.*\b(?:days|weeks?|months|years?)\b|^the\s+week\b/iu.test(text);
}

const shiftBefore =
  /(?<![\p{L}\p{N}-])(?:(for)\s+(?:the\s+)?)?((?:[\p{L}\d-]+\s+)?(?:days?|weeks?|fortnights?|months?|years?))\s+(from|after|before|on)\s+(?:the\s+)?$/iu;

/** Words around a relative day that make it another one, which is then not read: "every Friday", "Friday before last", "the first Friday of May". */
function isQualified(before: string, after: string, weekday: boolean): boolean {
  if (/\b(?:every|each|any|ago|of\s+days|other|(?:after|before)\s+(?:the\s+)?)\s*$/iu.test(before)) return true;
  if (/^\s+(?:before|after)\s+(?:last|next)\b|^\s+(?:last|next|but\s+one)\b/iu.test(after)) return true;
  return (
    weekday &&
    (/\b(?:first|second|third|fourth|\dst|\dnd|\drd|\dth)\s+$/iu.test(before) ||
      /^\s+(?:of|before|after|following|in\s+(?:the\s+)?(?:month|\p{Lu}))\b|^,?\s+the\s+\d/u.test(after))
  );
}

function shifted(year: number, month: number, day: number, span: string, back: boolean): Date | null {
  const length = span.replace(/^(?:(?:a|one)\s+)?fortnight$/iu, "2 weeks");
  const count = /\s/u.test(length) ? length : `a ${length}`;
  return chrono.en.GB.parseDate(back ? `${count} ago` : `in ${count}`, new Date(year, month - 1, day, 12));
}

/** Chrono puts the earlier end of a range first; "from 9 May to 3 May" is read as it stands. */
function inOrder(ends: readonly [chrono.ParsedComponents, chrono.ParsedComponents], first: string): readonly chrono.ParsedComponents[] {
  const holds = (end: chrono.ParsedComponents): boolean => new RegExp(`(?<!\\d)0?${end.get("day")}(?!\\d)`, "u").test(first);
  return !holds(ends[0]) && holds(ends[1]) ? [ends[1], ends[0]] : ends;
}

/** "Thursday 16 April": the year, of this one and those beside it, in which that day is that weekday; null when it is in none. */
function yearWithWeekday(weekday: number, month: number, day: number, now: Date): number | null {
  const year = now.getFullYear();
  return [year, year + 1, year - 1].find((one) => new Date(one, month - 1, day, 12).getDay() === weekday) ?? null;
}

/** Days and months that chrono reads, also relative ones; the year where the text gives it. */
function* chronoValues(text: string, now: Date): Generator<FoundValue> {
  for (const result of chrono.en.GB.parse(inChronoWords(text), now)) {
    if (isStretch(result.text)) continue;
    const end = result.index + result.text.length;
    const before = text.slice(0, result.index);
    const named = result.start.isCertain("month") && result.start.isCertain("year");
    if (named && !result.start.isCertain("day") && /\bmonths?\b/iu.test(result.text)) {
      const value = { year: result.start.get("year"), month: result.start.get("month") ?? 1, day: null };
      // "the 5th of next month"
      const day = /\b(\d{1,2})(?:st|nd|rd|th)?\s+of\s+$/iu.exec(before);
      const start = day ? day.index : result.index;
      if (!isQualified(before, text.slice(end), false))
        yield {
          kind: day ? "date" : "month",
          text: text.slice(start, end),
          start,
          end,
          canonical: canonicalDate(day ? { ...value, day: Number(day[1]) } : value),
        };
      continue;
    }
    const parts = result.end ? splitRange(text.slice(result.index, end)) : [{ text: text.slice(result.index, end), offset: 0 }];
    const ends = result.end ? inOrder([result.start, result.end], parts[0]?.text ?? "") : [result.start];
    for (const [index, part] of ends.entries()) {
      const [year, month, day] = [part.get("year"), part.get("month"), part.get("day")];
      const weekdayOnly = part.isCertain("weekday") && !part.isCertain("day");
      const piece = parts[index] ?? parts[0];
      if (year === null || month === null || day === null || !piece) continue;
      if (!(part.isCertain("day") && part.isCertain("month")) && !weekdayOnly) continue;
      // A weekday on its own ("sat") is too often another word; take it only written in full.
      if (weekdayOnly && !/day\b/iu.test(result.text)) continue;
      const lead = leadOf(piece.text);
      let start = result.index + piece.offset + lead;
      const written = piece.text
        .slice(lead)
        .replace(trailingTime, "")
        .replace(/^(.*(?:\d|day|morrow).*?)[\s,;]+(?:(?:in\s+the|at)\s+)?(?:morning|afternoon|evening|night)$/iu, "$1")
        .replace(/[\s,;]+$/u, "");
      if (!calendarWord.test(written) || /^\d{1,2}(?:[:.]\d{2}(?:\s*[ap]m)?|\s*[ap]m)$/iu.test(written)) continue;
      let finish = start + written.length;
      const relative = weekdayOnly || !/\d/u.test(written);
      const known = part.isCertain("year") || weekdayOnly;
      const around = text.slice(0, start);
      const measured = shiftBefore.exec(around);
      // "for 2 days from Monday" begins on Monday.
      const span = measured?.[1] ? null : measured;
      if (!relative) {
        // Chrono counts from the nearest weekday, which may be a past one: "3 days before Friday" is not read.
        if (/\b(?:before|after|from)\b.*\b(?:sun|mon|tues|wednes|thurs|fri|satur)day\b/iu.test(written)) continue;
        // "the day after 3 March" is another day; "3 days from 3 March" may be how long.
        if (span && /after|before/iu.test(span[3] ?? "")) continue;
        const said = known ? year : part.isCertain("weekday") ? yearWithWeekday(part.get("weekday") ?? 0, month, day, now) : null;
        yield { kind: "date", text: written, start, end: finish, canonical: canonicalDate({ year: said, month, day }) };
        continue;
      }
      const later = /^\s+week(?![\p{L}\p{N}-])/iu.exec(text.slice(finish));
      const past = /\b(?:last|past|previous)\b/iu.test(written) || /\b(?:last|past|previous)\s+$/iu.test(around);
      if (!measured && isQualified(around, text.slice(finish), weekdayOnly)) continue;
      let date: Date | null = new Date(year, month - 1, day, 12);
      const today = new Date(now.getFullYear(), now.getMonth(), now.getDate(), 12);
      // Chrono gives the nearest weekday: without a word that says otherwise the next one is meant.
      if (weekdayOnly && !past && date < today) date.setDate(date.getDate() + 7);
      if (weekdayOnly && past && date >= today) date.setDate(date.getDate() - 7);
      if (later) {
        date.setDate(date.getDate() + 7);
        finish += later[0].length;
      }
      if (span) {
        date = shifted(date.getFullYear(), date.getMonth() + 1, date.getDate(), span[2] ?? "", /before/iu.test(span[3] ?? ""));
        start = span.index;
      }
      if (!date) continue;
      const canonical = canonicalDate({ year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() });
      yield { kind: "date", text: text.slice(start, finish), start, end: finish, canonical };
    }
  }
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return month >= 1 && month <= 12 && day >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function* numericValues(text: string): Generator<FoundValue> {
  const value = (kind: "date" | "month", match: RegExpMatchArray, year: number | null, month: number, day: number | null): FoundValue => {
    const start = match.index ?? 0;
    return { kind, text: match[0], start, end: start + match[0].length, canonical: canonicalDate({ year, month, day }) };
  };
  for (const match of text.matchAll(/(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/gu)) {
    const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
    if (isDay(year, month, day)) yield value("date", match, year, month, day);
  }
  for (const match of text.matchAll(/(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?![\d/-]|\.\d)/gu)) {
    const [first, second, year] = [Number(match[1]), Number(match[3]), Number(match[4]?.padStart(4, "20"))];
    if (isDay(year, second, first)) yield value("date", match, year, second, first);
    else if (isDay(year, first, second) && match[4]?.length === 4) yield value("date", match, year, first, second);
  }
  for (const match of text.matchAll(/(?<![\p{L}\d/.-])((?:19|20)\d{2})[-/](0?[1-9]|1[0-2])(?![\p{L}\d/-]|\.\d)/gu))
    yield value("month", match, Number(match[1]), Number(match[2]), null);
  for (const match of text.matchAll(/(?<![\p{L}\d/.-])(0?[1-9]|1[0-2])[-/.]((?:19|20)\d{2})(?![\p{L}\d/-]|\.\d)/gu))
    yield value("month", match, Number(match[2]), Number(match[1]), null);
}

function* namedMonths(text: string): Generator<FoundValue> {
  for (const match of text.matchAll(new RegExp(`(?<![\\p{L}\\d])(${monthNames})\\b(?:(?:,?\\s+|\\s+of\\s+|[-_/])(\\d{4})\\b|\\s+['’](\\d{2})\\b)?`, "giu"))) {
    const name = match[1] ?? "";
    const month = monthNumber(name);
    const year = match[2] ?? (match[3] === undefined ? undefined : `20${match[3]}`);
    if (month === undefined || (year === undefined && isVerb(name, text, match.index))) continue;
    yield {
      kind: "month",
      text: match[0],
      start: match.index,
      end: match.index + match[0].length,
      canonical: canonicalDate({ year: year === undefined ? null : Number(year), month, day: null }),
    };
  }
  // "the 2026 May statement"; not "room 2026, May 5" or "2026 May 2027".
  for (const match of text.matchAll(new RegExp(`(?<![\\p{L}\\d])((?:19|20)\\d{2})\\s+(${monthNames})\\b(?!,?\\s+\\d)`, "giu"))) {
    const canonical = canonicalDate({ year: Number(match[1]), month: monthNumber(match[2] ?? "") ?? 1, day: null });
    yield { kind: "month", text: match[0], start: match.index, end: match.index + match[0].length, canonical };
  }
}

const clauseStart = String.raw`(?:^|[.!?:;,]|\b(?:and|then|please|to|you|just|me))\s*`;
const monthLed = new RegExp(
  String.raw`(?:\b(?:in|of|for|last|next|this|since|until|till|during|from|by|early|late|mid)|['’]s|(?:${monthNames})(?:,|\s+(?:and|or|to))|\b(?:the|a|my|our|your|his|her|their|its|${ordinal}))\s+$`,
  "iu",
);
const goesOn = /^\s+(?:i|you|he|she|it|we|they|one|be|have|not|never|also|still|only|well|then|need|want)\b/iu;
const goesSomewhere = /^\s+(?:to|into|on|onto|over|through|up|down|past|around|along|against|with|for|out|off|back|away)\b/iu;
const nextMonth = new RegExp(String.raw`^\s+(?:to|through)\s+(?:${monthNames})\b`, "iu");

/**
 * "may" and "march" are verbs too. They are months where a word stands before them that months follow ("of", "next", "the", another month),
 * and where they follow a request's verb and nothing follows that goes with the verb ("download may bill").
 */
function isVerb(name: string, text: string, at: number): boolean {
  if (!/^(?:may|march)$/iu.test(name)) return false;
  const before = text.slice(0, at);
  const after = text.slice(at + name.length);
  if (nextMonth.test(after)) return false;
  if (goesOn.test(after) && !/\b(?:in|of|for)\s+$/iu.test(before)) return true;
  const opens = new RegExp(`${clauseStart}$`, "iu").test(before);
  if (/^march$/iu.test(name)) return (opens || /\b(?:the|a)\s+$/iu.test(before)) && goesSomewhere.test(after);
  if (monthLed.test(before) || name.startsWith("M")) return false;
  return !(opens || new RegExp(`${clauseStart}(?!(?:i|you|he|she|it|we|they|that|this|which|who|there|what)\\b)\\p{L}+\\s+$`, "iu").test(before));
}

/** What stands between two calendar values of one range or list. */
const join = /^\s*(?:,?\s*(?:to|until|till|through|and|or|&)\b|[-–,])\s*(?:from\s+|on\s+)?$/iu;
const yearWord = /^,?\s+(?:of\s+)?(last|next|this)\s+year\b/iu;
const yearBefore = /\b(last|next|this)\s+year(?:['’]s)?\s+$/iu;
const yearStep: Readonly<Record<string, number>> = { last: -1, this: 0, next: 1 };

/** Gives a value the year that is said beside it ("May next year") or with the other end of its range ("May to July 2027"). */
function withSaidYear(value: FoundValue, next: FoundValue | undefined, text: string, now: Date): FoundValue {
  const date = readCanonicalDate(value.canonical);
  if (!date || date.year !== null) return value;
  const said = yearWord.exec(text.slice(value.end)) ?? yearBefore.exec(text.slice(0, value.start));
  if (said) {
    const start = said[0].trimStart() !== said[0] || said.index === 0 ? value.start : said.index;
    const end = start === value.start ? value.end + said[0].length : value.end;
    return {
      ...value,
      text: text.slice(start, end),
      start,
      end,
      canonical: canonicalDate({ ...date, year: now.getFullYear() + (yearStep[said[1]?.toLowerCase() ?? ""] ?? 0) }),
    };
  }
  const other = next && join.test(text.slice(value.end, next.start)) ? readCanonicalDate(next.canonical) : undefined;
  if (!other || other.year === null || !/\d{4}|['’]\d{2}/u.test(next?.text ?? "")) return value;
  const later = date.month > other.month || (date.month === other.month && (date.day ?? 0) > (other.day ?? 0));
  return { ...value, canonical: canonicalDate({ ...date, year: other.year - (later ? 1 : 0) }) };
}

/** "from Friday to Sunday": the end of a range of weekdays comes after its beginning. */
function afterBeginning(value: FoundValue, found: readonly FoundValue[], text: string): FoundValue {
  const first = found.find(
    (other) => other.kind === "date" && other.end <= value.start && /^\s*(?:(?:to|until|till|through)\b|[-–])\s*$/iu.test(text.slice(other.end, value.start)),
  );
  if (!first || /\d/u.test(first.text + value.text) || value.canonical > first.canonical || !/^\w+day$/iu.test(value.text)) return value;
  const date = readCanonicalDate(value.canonical);
  if (!date || date.year === null || date.day === null) return value;
  const week = new Date(date.year, date.month - 1, date.day + 7, 12);
  return { ...value, canonical: canonicalDate({ year: week.getFullYear(), month: week.getMonth() + 1, day: week.getDate() }) };
}

/** Days and months of a text in any writing, relative ones against `now`; they may overlap, the longer ones being the right ones. */
export function calendarValues(text: string, now: Date): FoundValue[] {
  if (!calendarWord.test(text)) return [];
  const found = [...numericValues(text), ...namedMonths(text), ...chronoValues(text, now)].sort((a, b) => a.start - b.start || b.end - a.end);
  return found
    .map((value) =>
      withSaidYear(
        value,
        found.find((other) => other.kind === value.kind && other.start >= value.end),
        text,
        now,
      ),
    )
    .map((value) => afterBeginning(value, found, text));
}
