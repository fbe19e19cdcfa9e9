import type { ShownAction } from "#contract/learning/schema.ts";
import { type CalendarValue, formatDate, readCanonicalDate } from "../skills/values/index.ts";
import type { Values } from "./goal-values.ts";

/** Ways a day, a month and a year stand in a list or a field of their own. */
const formsOfPart = [
  ["D", "DD", "Do"],
  ["MMMM", "MMM", "MM", "M"],
  ["YYYY", "YY"],
] as const;

const year = /^(?:19|20)\d{2}$/u;
const monthNames = new Set(
  Array.from({ length: 12 }, (_, index) => ["MMMM", "MMM"].map((form) => formatDate({ year: null, month: index + 1, day: null }, form))).flat(),
);

const isField = (action: ShownAction): boolean => (action.kind === "select" || action.kind === "fill") && !action.secret;

/** Whether a list is one of years or of months, which says what it is for; one of small numbers may be of anything. */
function isDateList({ kind, options = [] }: ShownAction): boolean {
  // A first entry such as "Choose" is no value of the list.
  const told = options.slice(options.length > 1 ? 1 : 0).map((option) => option.trim());
  return kind === "select" && told.length > 0 && (told.every((option) => year.test(option)) || told.every((option) => monthNames.has(option)));
}

/** Beside another list of a date it is a part of that date, whatever date that is. */
function standsAlone(actions: readonly ShownAction[], at: number): boolean {
  return [actions[at - 1], actions[at + 1]].every((beside) => !beside || !(isDateList(beside) || beside.options?.includes("28")));
}

/** The form of each action's value, where together they give each part of a date once. */
function formsOf(day: CalendarValue, row: readonly ShownAction[], parts: readonly (readonly string[])[]): string[] | undefined {
  const [action, ...rest] = row;
  if (!action) return [];
  for (const forms of parts) {
    const form = forms.find((one) => formatDate(day, one) === action.value?.trim());
    const others =
      form === undefined
        ? undefined
        : formsOf(
            day,
            rest,
            parts.filter((one) => one !== forms),
          );
    if (form !== undefined && others) return [form, ...others];
  }
  return undefined;
}

/**
 * A date that is given in two or three fields in a row (day, month, year) is one value: the template of each of them, where the goal names that date.
 * A field alone may say "3" for another reason; a list of years or of months may not.
 */
export function dateParts(values: Values, actions: readonly ShownAction[]): Map<ShownAction, string> {
  const made = new Map<ShownAction, string>();
  for (const found of values.days) {
    const day = readCanonicalDate(found.canonical);
    if (!day) continue;
    const parts = formsOfPart.filter((_, part) => (part !== 0 || day.day !== null) && (part !== 2 || day.year !== null));
    for (let at = 0; at < actions.length; at++) {
      const whole = actions.slice(at, at + parts.length);
      const isWhole = parts.length > 1 && whole.length === parts.length && whole.every(isField);
      const rows = [...(isWhole ? [whole] : []), ...(whole[0] && isDateList(whole[0]) && standsAlone(actions, at) ? [whole.slice(0, 1)] : [])];
      for (const row of rows) {
        const forms = row.some((action) => made.has(action)) ? undefined : formsOf(day, row, parts);
        if (!forms) continue;
        const { name } = values.add(found.kind, found.kind, found.canonical, found.text, false);
        for (const [index, action] of row.entries()) made.set(action, `{{${name}|${forms[index]}}}`);
      }
    }
  }
  return made;
}
