import type { ValueKind } from "#contract/skills/schema.ts";
import { dateForms, formatDate, monthForms, readCanonicalDate } from "./calendar.ts";
import { plainNumber } from "./read-number.ts";

const timeForms: Record<string, (hour: number, minute: string) => string> = {
  "HH:mm": (hour, minute) => `${String(hour).padStart(2, "0")}:${minute}`,
  "H:mm": (hour, minute) => `${hour}:${minute}`,
  "h:mm a": (hour, minute) => `${hour % 12 || 12}:${minute} ${hour < 12 ? "am" : "pm"}`,
  "h:mma": (hour, minute) => `${hour % 12 || 12}:${minute}${hour < 12 ? "am" : "pm"}`,
  "h.mm a": (hour, minute) => `${hour % 12 || 12}.${minute} ${hour < 12 ? "am" : "pm"}`,
  "h.mma": (hour, minute) => `${hour % 12 || 12}.${minute}${hour < 12 ? "am" : "pm"}`,
  ha: (hour, minute) => (minute === "00" ? `${hour % 12 || 12}${hour < 12 ? "am" : "pm"}` : `${hour % 12 || 12}:${minute}${hour < 12 ? "am" : "pm"}`),
};

const textForms: Record<string, (text: string) => string> = {
  "as-is": (text) => text,
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  capital: (text) => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()),
  slug: (text) =>
    text
      .toLowerCase()
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .replace(/[^a-z0-9]+/gu, "-")
      .replace(/^-|-$/gu, ""),
  underscore: (text) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/gu, "_")
      .replace(/^_|_$/gu, ""),
  compact: (text) => text.replace(/[\s-]+/gu, ""),
  "compact-lower": (text) => text.replace(/[\s-]+/gu, "").toLowerCase(),
  "compact-upper": (text) => text.replace(/[\s-]+/gu, "").toUpperCase(),
  title: (text) => text.replace(/(?<![\p{L}\p{N}'])\p{Ll}/gu, (letter) => letter.toUpperCase()),
};

const numberForms: Record<string, (canonical: string) => string> = {
  plain: (number) => number,
  "0.0": (number) => Number(number).toFixed(1),
  "0.00": (number) => Number(number).toFixed(2),
  "0,0": (number) => Number(number).toLocaleString("en-GB"),
  "0,0.00": (number) => Number(number).toLocaleString("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
};

/** Forms in which a value of a kind may stand on a page, most telling first. */
export function formsOf(kind: ValueKind): readonly string[] {
  if (kind === "date") return dateForms.flatMap((form) => [form, `lower:${form}`]);
  if (kind === "month") return monthForms.flatMap((form) => [form, `lower:${form}`]);
  if (kind === "time") return Object.keys(timeForms);
  if (kind === "number" || kind === "amount") return Object.keys(numberForms);
  return Object.keys(textForms);
}

/**
 * Writes a canonical value in a form; undefined when it cannot be written so (a month asked for its day). `*` stands for an unknown year.
 * Without a form: as people read it.
 */
export function renderValue(canonical: string, kind: ValueKind, form?: string): string | undefined {
  if (kind === "date" || kind === "month") {
    const value = readCanonicalDate(canonical);
    if (!value) return undefined;
    return formatDate(value, form ?? (kind === "date" && value.day !== null ? "D MMMM YYYY" : "MMMM YYYY"));
  }
  if (kind === "time") {
    const [hour, minute] = canonical.split(":");
    if (hour === undefined || minute === undefined) return undefined;
    return (timeForms[form ?? "HH:mm"] ?? timeForms["HH:mm"])?.(Number(hour), minute);
  }
  if (kind === "number" || kind === "amount") {
    const number = plainNumber(canonical);
    // A room or a bay is called by a number until it is called "G.02".
    if (!/^-?[\d.,\s]*$/u.test(canonical) || number === "") return canonical;
    // Nobody writes a sum with one decimal.
    const isSum = kind === "amount" && (form ?? "plain") === "plain" && number.includes(".");
    return (numberForms[isSum ? "0.00" : (form ?? "plain")] ?? numberForms.plain)?.(number);
  }
  return (textForms[form ?? "as-is"] ?? textForms["as-is"])?.(canonical);
}
