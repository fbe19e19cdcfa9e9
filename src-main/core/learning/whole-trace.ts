import { escapePattern, fold } from "#base/text.ts";
import { type FoundValue, findValues, type NamedValue, toTemplate } from "../skills/values/index.ts";

/** Where the traces of a value stand in a literal. */
function traces(literal: string, value: NamedValue): { start: number; end: number }[] {
  const fixed = toTemplate(literal, [value]).split(/\{\{[^}]*\}\}/u);
  const match = new RegExp(`^${fixed.map(escapePattern).join("(.+?)")}$`, "dsu").exec(literal);
  return (match?.indices ?? []).slice(1).flatMap((place) => (place ? [{ start: place[0], end: place[1] }] : []));
}

const divisible = new Set(["email", "id", "text"]);

/**
 * Whether a value stands in a literal as a whole: of "2027-03-05" the year and month are no trace of 3 March 2027, nor is "150" one in "150.50". The
 * month of a goal may be part of a day where the day is the first, as in a field "From".
 */
export function isWholeTrace(literal: string, value: NamedValue, now: Date): boolean {
  const found = traces(literal, value);
  if (found.length === 0) return false;
  const own = findValues(literal, now).filter(({ kind }) => !divisible.has(kind));
  return !own.some(
    (longer) =>
      !(value.kind === "month" && longer.kind === "date" && !isOtherDay(literal, longer)) &&
      found.some(({ start, end }) => start < longer.end && end > longer.start && (start > longer.start || end < longer.end)),
  );
}

/** A day that fills a literal, other than the first of its month: the day of a field, which a month says nothing about. */
function isOtherDay(literal: string, day: FoundValue): boolean {
  return literal.trim() === day.text && !day.canonical.endsWith("-01");
}

/** The values of a goal, where what it quotes and a run typed or pressed as a whole is one value: "Rent May" is no month. */
export function withQuoted(goal: string, typed: readonly FoundValue[], seen: readonly string[]): FoundValue[] {
  const whole = new Set(seen.map(fold));
  const quoted = [...goal.matchAll(/["“]([^"“”]{2,400})["”]|(?<![\p{L}\p{N}])['‘]([^'‘’]{2,400})['’](?![\p{L}\p{N}])/gu)].flatMap((match): FoundValue[] => {
    const text = match[1] ?? match[2] ?? "";
    const start = match.index + 1;
    const isTyped = typed.some((value) => value.start === start && value.end === start + text.length);
    return whole.has(fold(text)) && !isTyped ? [{ kind: "text", text, start, end: start + text.length, canonical: text }] : [];
  });
  const apart = typed.filter((value) => !quoted.some(({ start, end }) => value.start >= start && value.end <= end));
  return [...apart, ...quoted].sort((a, b) => a.start - b.start);
}
