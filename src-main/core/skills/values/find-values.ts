import * as chrono from "chrono-node";
import type { ValueKind } from "#contract/skills/schema.ts";
import { canonicalDate, monthNumber } from "./calendar.ts";

/** A value that stands in a goal, with where it stands (UTF-16 offsets). */
export interface FoundValue {
  readonly kind: ValueKind;
  /** As written in the goal. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Form in which values of this kind are compared and kept: ISO for calendar kinds, plain decimal for numbers, else the text. */
  readonly canonical: string;
}

const monthNames = "January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec";

/** Calendar values that chrono reads: days (also relative ones), with the year where the text gives it. */
function chronoDays(text: string, now: Date): FoundValue[] {
  const found: FoundValue[] = [];
  for (const result of chrono.en.GB.parse(text, now, { forwardDate: true })) {
    // "for 2 hours", "3 days": how long, not when.
    if (/\b(?:hours?|hrs?|minutes?|mins?|seconds?)\b/iu.test(result.text)) continue;
    if (/\b(?:days?|weeks?|months?|years?)\b/iu.test(result.text) && !/^\s*(?:in|next|last|this)\b|\b(?:ago|from now|later)\b/iu.test(result.text)) continue;
    const ends = result.end ? [result.start, result.end] : [result.start];
    const parts = result.end ? splitRange(result.text) : [{ text: result.text, offset: 0 }];
    for (const [index, part] of ends.entries()) {
      const day = part.get("day");
      const month = part.get("month");
      const weekdayOnly = part.isCertain("weekday") && !part.isCertain("day");
      if (day === null || month === null) continue;
      if (!(part.isCertain("day") && part.isCertain("month")) && !weekdayOnly) continue;
      // A weekday on its own ("sat") is too often another word; take it only written in full.
      if (weekdayOnly && !/day\b/iu.test(result.text)) continue;
      const piece = parts[index] ?? parts[0];
      if (!piece) continue;
      const lead = leadOf(piece.text);
      const start = result.index + piece.offset + lead;
      const written = piece.text
        .slice(lead)
        .replace(trailingTime, "")
        .replace(/[\s,;]+$/u, "");
      if (written === "") continue;
      const yearKnown = part.isCertain("year") || ends.some((end) => end.isCertain("year")) || weekdayOnly;
      const year = part.get("year") ?? ends.at(-1)?.get("year") ?? null;
      found.push({ kind: "date", text: written, start, end: start + written.length, canonical: canonicalDate({ year: yearKnown ? year : null, month, day }) });
    }
  }
  return found;
}

const clock = String.raw`(?:\d{1,2}[:.]\d{2}\s*(?:am|pm)?|\d{1,2}\s*(?:am|pm))`;
/** A time of day is a value of its own: "12 May 2027 at 10:30" is a day and a time. */
const trailingTime = new RegExp(String.raw`[\s,;]*(?:\b(?:at|by|from|around|about)\s+)?(?<![\d.:/])${clock}\s*$`, "iu");
const leadingTime = new RegExp(String.raw`^(?:at\s+|by\s+|from\s+)?${clock}[\s,;]*(?:on\s+)?(?=\D|\d{1,2}(?:st|nd|rd|th|\s|\.))`, "iu");

/** Length of what stands before the day itself. */
function leadOf(text: string): number {
  const time = /^\d{1,2}[./]\d{1,2}[./]/u.test(text) ? 0 : (leadingTime.exec(text)?.[0].length ?? 0);
  return time + (/^(?:on|at|by|from|for|until|till)\s+/iu.exec(text.slice(time))?.[0].length ?? 0);
}

function splitRange(text: string): { text: string; offset: number }[] {
  const match = /\s+(?:to|until|till|through|and)\s+|\s*[-–]\s*/iu.exec(text);
  if (!match) return [{ text, offset: 0 }];
  const second = match.index + match[0].length;
  return [
    { text: text.slice(0, match.index), offset: 0 },
    { text: text.slice(second), offset: second },
  ];
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return month >= 1 && month <= 12 && day >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function* patternValues(text: string): Generator<FoundValue> {
  const value = (kind: ValueKind, match: RegExpMatchArray, written: string, canonical: string): FoundValue => {
    const start = (match.index ?? 0) + match[0].indexOf(written);
    return { kind, text: written, start, end: start + written.length, canonical };
  };
  for (const match of text.matchAll(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu)) yield value("email", match, match[0], match[0].toLowerCase());
  for (const match of text.matchAll(/"([^"]{1,80})"|“([^”]{1,80})”|(?<![\p{L}\p{N}])['‘]([^'’]{2,80})['’](?![\p{L}\p{N}])/gu)) {
    const inner = match[1] ?? match[2] ?? match[3] ?? "";
    yield value("text", match, inner, inner);
  }
  for (const match of text.matchAll(/(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/gu)) {
    if (isDay(Number(match[1]), Number(match[2]), Number(match[3])))
      yield value("date", match, match[0], canonicalDate({ year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) }));
  }
  for (const match of text.matchAll(/(?<!\d)(\d{1,2})[./](\d{1,2})[./](\d{4})(?!\d)/gu)) {
    const [day, month] = [Number(match[1]), Number(match[2])];
    if (isDay(Number(match[3]), month, day)) yield value("date", match, match[0], canonicalDate({ year: Number(match[3]), month, day }));
    else if (isDay(Number(match[3]), day, month)) yield value("date", match, match[0], canonicalDate({ year: Number(match[3]), month: day, day: month }));
  }
  for (const match of text.matchAll(new RegExp(`(?<![\\p{L}\\d])(${monthNames})\\b(?:(?:,?\\s+|\\s+of\\s+|[-_/])(\\d{4})\\b|\\s+['’](\\d{2})\\b)?`, "giu"))) {
    const name = match[1] ?? "";
    const month = monthNumber(name);
    const year = match[2] ?? (match[3] === undefined ? undefined : `20${match[3]}`);
    if (month === undefined || (year === undefined && isVerb(name, text, match.index))) continue;
    yield value("month", match, match[0], canonicalDate({ year: year === undefined ? null : Number(year), month, day: null }));
  }
  // "the 2026 May statement"; not "room 2026, May 5" or "2026 May 2027".
  for (const match of text.matchAll(new RegExp(`(?<![\\p{L}\\d])((?:19|20)\\d{2})\\s+(${monthNames})\\b(?!,?\\s+\\d)`, "giu")))
    yield value("month", match, match[0], canonicalDate({ year: Number(match[1]), month: monthNumber(match[2] ?? "") ?? 1, day: null }));
  for (const match of text.matchAll(/(?<![\d-])(\d{4})-(0[1-9]|1[0-2])(?![\d-])/gu))
    yield value("month", match, match[0], canonicalDate({ year: Number(match[1]), month: Number(match[2]), day: null }));
  for (const match of text.matchAll(/(?<![\d/])(0?[1-9]|1[0-2])\/(\d{4})(?!\d)/gu))
    yield value("month", match, match[0], canonicalDate({ year: Number(match[2]), month: Number(match[1]), day: null }));
  for (const match of text.matchAll(/(?<![\d:.])(\d{1,2})[:.](\d{2})\s*(am|pm)?(?![\d:])(?!\.\d)|(?<![\d:.])(\d{1,2})\s*(am|pm)\b/giu)) {
    const suffix = (match[3] ?? match[5] ?? "").toLowerCase();
    if (match[0].includes(".") && !suffix) continue;
    let hour = Number(match[1] ?? match[4]);
    const minute = Number(match[2] ?? 0);
    if (hour > 23 || minute > 59) continue;
    if (suffix === "pm" && hour < 12) hour += 12;
    if (suffix === "am" && hour === 12) hour = 0;
    yield value("time", match, match[0].trim(), `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`);
  }
  for (const match of text.matchAll(/[£$€]\s?\d[\d,]*(?:\.\d+)?/gu)) yield value("amount", match, match[0], plainNumber(match[0]));
  // A reference: letters and digits in one token ("KX-2041", "AB12", "INV/204").
  for (const match of text.matchAll(/(?<![\p{L}\p{N}])#?(?=[\p{L}\p{N}/-]*\d)(?=[\p{L}\p{N}/-]*\p{L})[\p{L}\p{N}]+(?:[-/][\p{L}\p{N}]+)*(?![\p{L}\p{N}])/gu)) {
    if (/^\d+(?:st|nd|rd|th|am|pm)$/iu.test(match[0])) continue;
    yield value("id", match, match[0], match[0].toUpperCase());
  }
  for (const match of text.matchAll(/(?<![\p{L}\p{N}.,/-])#?\d[\d,]*(?:\.\d+)?(?![\p{L}\p{N}])/gu))
    yield value("number", match, match[0].replace(/^#/u, ""), plainNumber(match[0]));
}

/** "may" is a verb unless it is written as a name, or a word stands before it that months follow. */
function isVerb(name: string, text: string, at: number): boolean {
  if (!/^may$/iu.test(name)) return false;
  const before = text.slice(0, at);
  if (/\b(?:in|of|for|last|next|this|since|until|till|during|from|by|early|late|mid)\s+$/iu.test(before)) return false;
  const startsSentence = /(?:^|[.!?:]\s*)$/u.test(before);
  const verb = /^\s+(?:i|you|he|she|it|we|they|be|have|not|also|still|enter|come|go)\b/iu.test(text.slice(at + name.length));
  return name.startsWith("m") || verb || (startsSentence && verb);
}

/** "£1,234.50" → "1234.5" */
export function plainNumber(text: string): string {
  const digits = text.replace(/[^\d.]/gu, "");
  return digits === "" ? "" : String(Number(digits));
}

const rank: Record<ValueKind, number> = { email: 0, date: 1, month: 2, time: 3, amount: 4, id: 5, number: 6, text: 7 };

/** The same text with URLs blanked out, offsets kept: what stands in an address is no value of the goal. */
export function withoutUrls(text: string): string {
  return text.replace(/\bhttps?:\/\/[^\s"'<>)]+|(?<![\w@.-])(?:[a-z][a-z0-9-]*\.)+[a-z]{2,}(?:\/[^\s"'<>)]*)?(?=[\s,.;:)]|$)/giu, (url) =>
    " ".repeat(url.length),
  );
}

/**
 * Typed values of a goal in the order they stand, none overlapping another of a more telling kind. Free-text values other than quoted ones
 * are not found here; those only show by comparison with what was done.
 * @param now the day of the turn: relative dates ("tomorrow", "Friday") are resolved against it
 */
export function findValues(goal: string, now: Date): FoundValue[] {
  const text = withoutUrls(goal);
  const all = [...patternValues(text), ...chronoDays(text, now)].sort(
    (a, b) => rank[a.kind] - rank[b.kind] || b.end - b.start - (a.end - a.start) || a.start - b.start,
  );
  const kept: FoundValue[] = [];
  for (const candidate of all) {
    const clash = kept.some((other) => candidate.start < other.end && other.start < candidate.end);
    if (!clash && candidate.end > candidate.start) kept.push(candidate);
  }
  return kept.sort((a, b) => a.start - b.start);
}
