import type { ShownAction } from "#contract/learning/schema.ts";
import { formatDate, readCanonicalDate } from "../skills/values/index.ts";
import type { Values } from "./goal-values.ts";

/** Ways a day, a month and a year stand in a list or a field of their own. */
const formsOfPart = [
  ["D", "DD", "Do"],
  ["MMMM", "MMM", "MM", "M"],
  ["YYYY", "YY"],
] as const;

const isField = (action: ShownAction | undefined): boolean => (action?.kind === "select" || action?.kind === "fill") && action.secret === false;

/**
 * A date that is given in two or three fields in a row (day, month, year) is one value: the template of each of them, where the goal names that date.
 * A field alone may say "3" for another reason.
 */
export function dateParts(values: Values, actions: readonly ShownAction[]): Map<ShownAction, string> {
  const made = new Map<ShownAction, string>();
  for (const found of values.days) {
    const day = readCanonicalDate(found.canonical);
    if (!day) continue;
    const wanted = formsOfPart.filter((_, part) => (part !== 0 || day.day !== null) && (part !== 2 || day.year !== null));
    if (wanted.length < 2) continue;
    for (let at = 0; at + wanted.length <= actions.length; at++) {
      const row = actions.slice(at, at + wanted.length);
      if (!row.every((action) => isField(action) && !made.has(action))) continue;
      const forms = row.map((action) => wanted.map((of) => of.find((form) => formatDate(day, form) === action.value?.trim())));
      const order = orders(wanted.length).find((parts) => parts.every((part, index) => forms[index]?.[part] !== undefined));
      if (!order) continue;
      const { name } = values.add(found.kind, found.kind, found.canonical, found.text, false);
      for (const [index, action] of row.entries()) made.set(action, `{{${name}|${forms[index]?.[order[index] ?? 0] ?? ""}}}`);
      break;
    }
  }
  return made;
}

/** Every order of the numbers below `count`, the natural one first. */
function orders(count: number): number[][] {
  if (count === 0) return [[]];
  return orders(count - 1).flatMap((rest) => Array.from({ length: count }, (_, at) => [...rest.slice(0, at), count - 1, ...rest.slice(at)]).reverse());
}
