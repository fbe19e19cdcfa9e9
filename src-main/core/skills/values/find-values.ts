import type { ValueKind } from "#contract/skills/schema.ts";
import { calendarValues } from "./calendar-values.ts";
import { clockValues } from "./clock-values.ts";
import type { FoundValue } from "./found-value.ts";
import { amountPattern, numberPattern, plainNumber } from "./read-number.ts";
import { overlap } from "./spans.ts";

const plainNumbers = new RegExp(String.raw`(?<![\p{L}\p{N}.,:/-])#?${numberPattern}(?![\p{L}\p{N}])`, "gu");
const quotes = /"([^"]{1,80})"|“([^”]{1,80})”|„([^“”]{1,80})[“”]|«\s*([^»]{1,80}?)\s*»|»([^«]{1,80})«|(?<![\p{L}\p{N}])['‘]([^'’]{2,80})['’](?![\p{L}\p{N}])/gu;
/** Letters and digits in one token ("KX-2041", "AB12", "INV/204"). */
const mixedReference = /(?<![\p{L}\p{N}])#?(?=[\p{L}\p{N}/-]*\d)(?=[\p{L}\p{N}/-]*\p{L})[\p{L}\p{N}]+(?:[-/][\p{L}\p{N}]+)*(?![\p{L}\p{N}])/gu;
/** Digits joined by strokes ("2027/0042"); fewer than five are a range or a fraction. */
const digitReference = /(?<![\p{L}\p{N}.,/-])#?(?=(?:[-/]?\d){5})\d+(?:[-/]\d+)+(?![\p{L}\p{N}]|[-/]\d)/gu;
/** Groups of capitals and digits, as parcels and accounts are numbered ("RM 1234 5678 9GB"): seven digits or more, in at least two groups. */
const groupedReference =
  /(?<![\p{L}\p{N}\p{Sc}.,:/-])(?:\p{Lu}{2,4}(?= \d)|\p{Lu}{0,4}\d[\p{Lu}\d]{0,7})(?: (?:\p{Lu}{1,4}|[\p{Lu}\d]*\d[\p{Lu}\d]*)){2,}(?![\p{L}\p{N}]|[.,:/-]\d)/gu;

function* patternValues(text: string): Generator<FoundValue> {
  const value = (kind: ValueKind, match: RegExpMatchArray, written: string, canonical: string): FoundValue => {
    const start = (match.index ?? 0) + match[0].indexOf(written);
    return { kind, text: written, start, end: start + written.length, canonical };
  };
  for (const match of text.matchAll(/[\p{L}\p{N}_.+-]+(?:['’][\p{L}\p{N}_.+-]+)*@[\w-]+(?:\.[\w-]+)+/gu))
    yield value("email", match, match[0], match[0].toLowerCase());
  for (const match of text.matchAll(quotes)) {
    const inner = match.slice(1).find((part) => part !== undefined) ?? "";
    yield value("text", match, inner, inner);
  }
  for (const match of text.matchAll(amountPattern)) yield value("amount", match, match[0], plainNumber(match[0]));
  for (const match of text.matchAll(groupedReference)) {
    const groups = match[0].split(" ").filter((group) => /\d/u.test(group));
    if (groups.length > 1 && match[0].replace(/\D/gu, "").length >= 7) yield value("id", match, match[0], match[0]);
  }
  for (const match of text.matchAll(mixedReference)) {
    if (/^\d+(?:st|nd|rd|th|am|pm)$/iu.test(match[0])) continue;
    yield value("id", match, match[0], match[0].toUpperCase());
  }
  for (const match of text.matchAll(digitReference)) yield value("id", match, match[0], match[0]);
  for (const match of text.matchAll(plainNumbers)) yield value("number", match, match[0].replace(/^#/u, ""), plainNumber(match[0]));
}

const rank: Record<ValueKind, number> = { email: 0, date: 1, month: 2, time: 3, amount: 4, id: 5, number: 6, text: 7 };

/** The same text with URLs blanked out, offsets kept: what stands in an address is no value of the goal. */
export function withoutUrls(text: string): string {
  return text.replace(
    /\bhttps?:\/\/[^\s"'<>)]+|(?<![\w@.-])(?:[a-z][a-z0-9-]*\.)+[a-z]{2,}(?![\p{L}\p{N}_@-])(?::\d{2,5}\b)?(?:[/?#][^\s"'<>)]+|\/)?/giu,
    (url) => " ".repeat(url.length),
  );
}

const known = new Map<string, readonly FoundValue[]>();

/**
 * Typed values of a goal in the order they stand, none overlapping another of a more telling kind. Free-text values other than quoted ones
 * are not found here; those only show by comparison with what was done.
 * @param now the day of the turn: relative dates ("tomorrow", "Friday") are resolved against it
 */
export function findValues(goal: string, now: Date): FoundValue[] {
  // A page's names and the goal are read again at every step.
  const id = `${now.getFullYear()}-${now.getMonth()}-${now.getDate()} ${goal}`;
  const there = known.get(id);
  if (there) return [...there];
  const text = withoutUrls(goal);
  const all = [...patternValues(text), ...clockValues(text), ...calendarValues(text, now)].sort(
    (a, b) => rank[a.kind] - rank[b.kind] || b.end - b.start - (a.end - a.start) || a.start - b.start,
  );
  const kept: FoundValue[] = [];
  for (const candidate of all) {
    const clash = kept.some((other) => overlap(candidate, other));
    if (!clash && candidate.end > candidate.start) kept.push(candidate);
  }
  kept.sort((a, b) => a.start - b.start);
  if (known.size >= 2000) known.delete(known.keys().next().value ?? "");
  known.set(id, kept);
  return [...kept];
}
