import type { FoundValue } from "./found-value.ts";

const hours = ["twelve", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const minutes: Readonly<Record<string, number>> = { half: 30, quarter: 15, five: 5, ten: 10, twenty: 20, "twenty-five": 25 };
const hourWord = `(?:${hours.slice(1).join("|")}|\\d{1,2})`;

/** A time of day, for what may stand before or behind a day. */
export const clockPattern = String.raw`(?:\d{1,2}[:.]\d{2}\s*(?:am|pm)?|\d{1,2}\s*(?:am|pm)|\d{1,2}\s+o['’]clock|noon|midday|midnight)`;

const half = String.raw`(?:\s*(am|pm)\b|\s+(?:in\s+the\s+(morning|afternoon|evening)|at\s+(night)))`;
const digital = /(?<![\d:.])(\d{1,2})[:.](\d{2})\s*(am|pm)?(?![\d]|:\d)(?!\.\d)|(?<![\d:.,])(\d{1,2})\s*(am|pm)\b/giu;
const spoken = new RegExp(
  String.raw`(?<!\b(?:from|between)\s+)\b(half|quarter|twenty-five|twenty|ten|five)\s+(past|to)\s+(${hourWord})\b(?!:)${half}?|(?<![\d:.])\b(${hourWord})\s+o['’]clock\b${half}?|\b(noon|midday|midnight)\b`,
  "giu",
);
const rangeStart = /(?<![\d:.,/\p{Sc}-])(\d{1,2})(?:[:.](\d{2}))?(?:\s*[-–]\s*|\s+(?:to|until|till|and)\s+)$/u;

function written(hour: number, minute: number, suffix: string): string | undefined {
  if (hour > 23 || minute > 59) return undefined;
  const late = /^(?:pm|afternoon|evening|night)$/u.test(suffix) && hour < 12;
  const early = /^(?:am|morning)$/u.test(suffix) && hour === 12;
  return `${String(hour + (late ? 12 : 0) - (early ? 12 : 0)).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

const hourOf = (word: string): number => (/^\d/u.test(word) ? Number(word) : hours.lastIndexOf(word.toLowerCase()));

/** Times of day: "17:30", "5 pm", "half past nine", "noon", and the first of "2 to 4 pm". */
export function* clockValues(text: string): Generator<FoundValue> {
  const value = (start: number, length: number, canonical: string): FoundValue => {
    const at = text.slice(start, start + length).trimEnd();
    return { kind: "time", text: at, start, end: start + at.length, canonical };
  };
  for (const match of text.matchAll(digital)) {
    const suffix = (match[3] ?? match[5] ?? "").toLowerCase();
    if (match[0].includes(".") && !suffix) continue;
    const canonical = written(Number(match[1] ?? match[4]), Number(match[2] ?? 0), suffix);
    if (canonical === undefined) continue;
    yield value(match.index, match[0].length, canonical);
    // "2 to 4 pm", "11-1pm": what stands once is that of both, unless the first would be the later one.
    const first = suffix ? rangeStart.exec(text.slice(0, match.index)) : null;
    if (!first) continue;
    const same = written(Number(first[1]), Number(first[2] ?? 0), suffix);
    const begin = same !== undefined && same < canonical ? same : written(Number(first[1]), Number(first[2] ?? 0), suffix === "pm" ? "am" : "pm");
    if (begin !== undefined) yield value(first.index, `${first[1]}${first[2] === undefined ? "" : `:${first[2]}`}`.length, begin);
  }
  for (const match of text.matchAll(spoken)) {
    const [, part, side, of, ofHalf, ofDaytime, ofNight, full, half, daytime, night, named] = match;
    const suffix = (ofHalf ?? ofDaytime ?? ofNight ?? half ?? daytime ?? night ?? "").toLowerCase();
    let canonical: string | undefined;
    if (named) canonical = /midnight/iu.test(named) ? "00:00" : "12:00";
    else if (full) canonical = written(hourOf(full), 0, suffix);
    else if (part && of) {
      const minute = minutes[part.toLowerCase()] ?? 0;
      const past = side?.toLowerCase() === "past";
      canonical = written(past ? hourOf(of) : hourOf(of) - 1 || 12, past ? minute : 60 - minute, suffix);
    }
    if (canonical !== undefined) yield value(match.index, match[0].length, canonical);
  }
}
