import { KnackError } from "#contract/errors.ts";

const FORMATS: Readonly<Record<string, { readonly shape: RegExp; readonly expected: string }>> = {
  date: { shape: /^\d{4}-\d{2}-\d{2}$/u, expected: "a date like 2027-02-14" },
  month: { shape: /^\d{4}-(?:0[1-9]|1[0-2])$/u, expected: "a month like 2027-02" },
  week: { shape: /^\d{4}-W(?:0[1-9]|[1-4]\d|5[0-3])$/u, expected: "a week like 2027-W07" },
  time: { shape: /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/u, expected: "a time like 14:30" },
  "datetime-local": { shape: /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/u, expected: "a date and time like 2027-02-14T14:30" },
  number: { shape: /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu, expected: "a number like 12 or 12.5" },
  range: { shape: /^-?\d+(?:\.\d+)?$/u, expected: "a number like 12" },
  color: { shape: /^#[\da-f]{6}$/iu, expected: "a colour like #20c0ff" },
};

function isRealDay(text: string): boolean {
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text.slice(0, 10));
}

/** Throws "browser.bad-value" with the expected form when a field of this type cannot take the text. "" empties any field. */
export function checkValue(type: string, text: string, field: string): void {
  const format = Object.hasOwn(FORMATS, type) ? FORMATS[type] : undefined;
  if (format === undefined || text === "") return;
  const isGood = format.shape.test(text) && (!type.startsWith("date") || isRealDay(text));
  if (!isGood) throw new KnackError("browser.bad-value", `The field "${field}" takes ${format.expected}.`, { fields: { expected: format.expected } });
}
