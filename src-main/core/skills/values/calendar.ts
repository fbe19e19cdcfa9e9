const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** A day, a month or a time of day whose year may be unknown. Months are 1–12. */
export interface CalendarValue {
  readonly year: number | null;
  readonly month: number;
  readonly day: number | null;
}

/**
 * Canonical text of a calendar value: `2027-02-14`, `2026-04`, and with an unknown year `--02-14`, `--04` (ISO 8601:2000 truncated forms).
 */
export function canonicalDate(value: CalendarValue): string {
  const head = value.year === null ? "--" : `${String(value.year).padStart(4, "0")}-`;
  const month = String(value.month).padStart(2, "0");
  return value.day === null ? head + month : `${head}${month}-${String(value.day).padStart(2, "0")}`;
}

/** Reads the canonical text; undefined when it is not one. */
export function readCanonicalDate(text: string): CalendarValue | undefined {
  const match = /^(?:(\d{4})-|--)(\d{2})(?:-(\d{2}))?$/u.exec(text);
  if (!match) return undefined;
  const month = Number(match[2]);
  const day = match[3] === undefined ? null : Number(match[3]);
  if (month < 1 || month > 12 || (day !== null && (day < 1 || day > 31))) return undefined;
  return { year: match[1] === undefined ? null : Number(match[1]), month, day };
}

const days = [
  "D MMMM YYYY",
  "DD MMMM YYYY",
  "Do MMMM YYYY",
  "D MMM YYYY",
  "DD MMM YYYY",
  "Do MMM YYYY",
  "MMMM D, YYYY",
  "MMMM Do, YYYY",
  "MMMM D YYYY",
  "MMM D, YYYY",
  "D MMMM",
  "DD MMMM",
  "Do MMMM",
  "D MMM",
  "DD MMM",
  "Do MMM",
  "MMMM D",
  "MMMM Do",
  "MMM D",
];
const numeric = [
  "YYYY-MM-DD",
  "YYYY/MM/DD",
  "DD/MM/YYYY",
  "D/M/YYYY",
  "DD.MM.YYYY",
  "D.M.YYYY",
  "DD-MM-YYYY",
  "MM/DD/YYYY",
  "D-MMMM-YYYY",
  "D-MMM-YYYY",
  "YYYYMMDD",
  "DD/MM/YY",
  "DD/MM",
  "MMMM YYYY",
  "YYYY-MM",
];

/** Ways a day is written, with and without its weekday. */
export const dateForms: readonly string[] = [
  ...["dddd, ", "dddd ", "ddd, ", "ddd "].flatMap((weekday) => days.map((day) => weekday + day)),
  ...days,
  ...numeric,
];

/** Ways a month is written. */
export const monthForms = [
  "MMMM, YYYY",
  "MMMM YYYY",
  "MMM YYYY",
  "MMMM-YYYY",
  "MMM-YYYY",
  "MMMM_YYYY",
  "YYYY-MM",
  "YYYY/MM",
  "MM/YYYY",
  "MM-YYYY",
  "YYYY-MMMM",
  "YYYY MMMM",
  "YYYYMM",
  "MMMM",
  "MMM",
] as const;

function ordinal(day: number): string {
  const tail = day % 100 > 10 && day % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th");
  return `${day}${tail}`;
}

/**
 * Writes a calendar value in a form such as `D MMM YYYY`; a form that begins with `lower:` gives lower case.
 * An unknown year gives `*`, which names and checks read as "any". Undefined when the form asks for a day that is unknown.
 */
export function formatDate(value: CalendarValue, form: string): string | undefined {
  const lower = form.startsWith("lower:");
  const pattern = lower ? form.slice(6) : form;
  if (value.day === null && /D|d/u.test(pattern)) return undefined;
  const day = value.day ?? 1;
  const weekday = value.year === null ? "*" : (weekdays[new Date(Date.UTC(value.year, value.month - 1, day)).getUTCDay()] ?? "*");
  const month = months[value.month - 1] ?? "";
  const parts: Record<string, string> = {
    YYYY: value.year === null ? "*" : String(value.year),
    YY: value.year === null ? "*" : String(value.year).slice(2),
    MMMM: month,
    MMM: month.slice(0, 3),
    MM: String(value.month).padStart(2, "0"),
    M: String(value.month),
    DD: String(day).padStart(2, "0"),
    Do: ordinal(day),
    D: String(day),
    dddd: weekday,
    ddd: weekday === "*" ? "*" : weekday.slice(0, 3),
  };
  const text = pattern.replace(/YYYY|YY|MMMM|MMM|MM|M|DD|Do|D|dddd|ddd/gu, (token) => parts[token] ?? token);
  return lower ? text.toLowerCase() : text;
}

/** 1–12 for a month's English name or its first three letters; undefined otherwise. */
export function monthNumber(name: string): number | undefined {
  const folded = name.toLowerCase();
  const index = months.findIndex(
    (month) => month.toLowerCase() === folded || (folded.length >= 3 && month.toLowerCase().startsWith(folded) && folded.length <= 4),
  );
  return index < 0 ? undefined : index + 1;
}
