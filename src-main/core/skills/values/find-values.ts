import type { ValueKind } from "#contract/skills/schema.ts";
import { calendarValues } from "./calendar-values.ts";
import { clockValues } from "./clock-values.ts";
import type { FoundValue } from "./found-value.ts";
import { amountPattern, numberPattern, plainNumber } from "./read-number.ts";
import { overlap } from "./spans.ts";

const plainNumbers = new RegExp(String.raw`(?<![\p{L}\p{N}.,:/-])#?${numberPattern}(?![\p{L}\p{N}])`, "gu");
const quotes =
  /"([^"]{1,400})"|“([^”]{1,400})”|„([^“”]{1,400})[“”]|«\s*([^»]{1,400}?)\s*»|»([^«]{1,400})«|(?<![\p{L}\p{N}])['‘]([^'’]{2,80})['’](?![\p{L}\p{N}])/gu;
/** Letters and digits in one token ("KX-2041", "AB12", "INV/204"). */
const mixedReference = /(?<![\p{L}\p{N}])#?(?=[\p{L}\p{N}/-]*\d)(?=[\p{L}\p{N}/-]*\p{L})[\p{L}\p{N}]+(?:[-/][\p{L}\p{N}]+)*(?![\p{L}\p{N}])/gu;
/** How much of something ("5mg", "250ml", "10GB"): a part of what the thing is called, and no reference. */
const measure = /^\d+(?:mcg|mg|g|kg|ml|cl|l|mm|cm|m|km|kb|mb|gb|tb|mbps|oz|lb|kwh|kw|w|v|mah|mph|x)$/iu;
/** Digits joined by strokes ("2027/0042"); fewer than five are a range or a fraction. */
const digitReference = /(?<![\p{L}\p{N}.,/-])#?(?=(?:[-/]?\d){5})\d+(?:[-/]\d+)+(?![\p{L}\p{N}]|[-/]\d)/gu;
/** Capitals and figures with strokes, as archives and files are numbered ("D/P 114/2/3", "S 208/1"): no day and no fraction is in it. */
const filedReference = /(?<![\p{L}\p{N}/-])(?:\p{Lu}{1,5}(?:\/\p{Lu}{1,5})+ ?\d+(?:\/\d+)*|\p{Lu}{1,5} \d+(?:\/\d+)+)(?![\p{L}\p{N}]|[/-]\d)/gu;
/** Groups of capitals and digits, as parcels and accounts are numbered ("RM 1234 5678 9GB"): seven digits or more, in at least two groups. */
const groupedReference =
  /(?<![\p{L}\p{N}\p{Sc}.,:/-])(?:\p{Lu}{2,4}(?= \d)|\p{Lu}{0,4}\d[\p{Lu}\d]{0,7})(?: (?:\p{Lu}{1,4}|[\p{Lu}\d]*\d[\p{Lu}\d]*)){2,}(?![\p{L}\p{N}]|[.,:/-]\d)/gu;

/** Begins where a word does: a long text without a space is not read again from each of its letters. */
const email = /(?<![\p{L}\p{N}_.+-])[\p{L}\p{N}_.+-]+(?:['’][\p{L}\p{N}_.+-]+){0,4}@[\w-]+(?:\.[\w-]+)+/gu;
const numberWords = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
/** In small letters: "Shelf Nine" is a name. "ten to five" may be a time. */
const numberWord = new RegExp(
  String.raw`(?<![\p{L}\p{N}'’-])(?<!\b(?:to|past|from|between)\s)(?:${numberWords.slice(2).join("|")})(?![\p{L}\p{N}'’-])(?!\s+(?:to|past|till|until|o['’]clock)\b)`,
  "gu",
);
/** "one" counts where it stands before what is counted: "one adult", not "the one", "one of them". */
const oneOf =
  /(?<![\p{L}\p{N}'’-])(?<!\b(?:there['’]s|there\s+is|the|this|that|which|any|another|every|each|last|next|first|only|right|wrong|no)\s)one(?=\s+\p{Ll}{4,})(?!\s+(?:that|which|with|from|more|time|day|about|after|before|again|also|please|called|named|titled|when|where|would|should|could|will)\b)/gu;

/** A telephone number in groups ("01632 960455", "+44 20 7946 0018"): seven digits or more, the first a 0 or behind a plus. */
const telephone = /(?<![\p{L}\p{N}.,:/+-])(?:\+\d{1,3}|\(0\d{1,5}\)|0\d{1,5})(?:[ -]?(?:\(0\))?\d{2,8})+(?![\p{L}\p{N}]|[.,:/-]\d)/gu;

function* patternValues(text: string): Generator<FoundValue> {
  const value = (kind: ValueKind, match: RegExpMatchArray, written: string, canonical: string): FoundValue => {
    const start = (match.index ?? 0) + match[0].indexOf(written);
    return { kind, text: written, start, end: start + written.length, canonical };
  };
  for (const match of text.matchAll(email)) yield value("email", match, match[0], match[0].toLowerCase());
  yield* quotedIn(text);
  for (const match of text.matchAll(amountPattern)) yield value("amount", match, match[0], plainNumber(match[0]));
  for (const match of text.matchAll(groupedReference)) {
    const groups = match[0].split(" ").filter((group) => /\d/u.test(group));
    if (groups.length > 1 && match[0].replace(/\D/gu, "").length >= 7) yield value("id", match, match[0], match[0]);
  }
  for (const match of text.matchAll(telephone)) if (match[0].replace(/\D/gu, "").length >= 7) yield value("id", match, match[0], match[0]);
  for (const match of text.matchAll(mixedReference)) {
    if (/^\d+(?:st|nd|rd|th|am|pm)$/iu.test(match[0]) || measure.test(match[0])) continue;
    yield value("id", match, match[0], match[0].toUpperCase());
  }
  for (const match of text.matchAll(digitReference)) yield value("id", match, match[0], match[0]);
  for (const match of text.matchAll(plainNumbers)) {
    const written = match[0].replace(/^#/u, "");
    // What begins with a nought counts nothing: a meter's "07912", a branch "0042".
    if (/^0\d+$/u.test(written)) yield value("id", match, written, written);
    else yield value("number", match, written, plainNumber(match[0]));
  }
  for (const match of text.matchAll(numberWord)) yield value("number", match, match[0], String(numberWords.indexOf(match[0])));
  for (const match of text.matchAll(oneOf)) yield value("number", match, match[0], "1");
}

const rank: Record<ValueKind, number> = { email: 0, date: 1, month: 2, time: 3, amount: 4, id: 5, number: 6, text: 7, site: 8 };

/** The same text with URLs blanked out, offsets kept: what stands in an address is no value of the goal. `blank` is one character. */
export function withoutUrls(text: string, blank = " "): string {
  return text.replace(
    /\bhttps?:\/\/[^\s"'<>)]+|(?<![\w@.-])(?:[a-z][a-z0-9-]*\.)+[a-z]{2,}(?![\p{L}\p{N}_@-])(?::\d{2,5}\b)?(?:[/?#][^\s"'<>)]+|\/)?/giu,
    (url) => blank.repeat(url.length),
  );
}

/** What stands in quotation marks, whatever values are in it. */
export function quotedIn(text: string): FoundValue[] {
  return [...text.matchAll(quotes)].map((match) => {
    const inner = match.slice(1).find((part) => part !== undefined) ?? "";
    const start = match.index + match[0].indexOf(inner);
    return { kind: "text", text: inner, start, end: start + inner.length, canonical: inner };
  });
}

/** The day to read by where relative days are none of the matter: days without a year are compared as they stand. */
export const anyDay = new Date(0);

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
  // What stands on the two sides of an address is not read as one: "on 8 May at (address): 2 adults".
  const text = withoutUrls(goal, "\u00b6");
  const filed = [...text.matchAll(filedReference)].map((match): FoundValue => {
    return { kind: "id", text: match[0], start: match.index, end: match.index + match[0].length, canonical: match[0] };
  });
  const all = [...patternValues(text), ...clockValues(text), ...calendarValues(text, now)].sort(
    (a, b) => rank[a.kind] - rank[b.kind] || b.end - b.start - (a.end - a.start) || a.start - b.start,
  );
  const kept: FoundValue[] = filed;
  for (const candidate of all) {
    const clash = kept.some((other) => overlap(candidate, other));
    if (!clash && candidate.end > candidate.start) kept.push(candidate);
  }
  kept.sort((a, b) => a.start - b.start);
  if (known.size >= 2000) known.delete(known.keys().next().value ?? "");
  known.set(id, kept);
  return [...kept];
}
