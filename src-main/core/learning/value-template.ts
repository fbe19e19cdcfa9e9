import { chosenIn, literalIn, longestSharedSpan, toTemplate } from "../skills/values/index.ts";
import { hasPlaceholder, type Values } from "./goal-values.ts";

/** A typed or chosen value: an input when the goal names it, else constant. */
export function valueTemplate(values: Values, literal: string, field: string, options: readonly string[] | undefined, notes: string[]): string {
  const whole = toTemplate(literal, values.wholly(literal, field));
  if (/^\{\{[^}]+\}\}$/u.test(whole)) return whole;
  // "15 to 19 June 2026" is one choice, not the day at its end.
  const isRange = options !== undefined && values.holdsSeveral(literal) && literalIn(values.goal, literal) !== undefined;
  if (isRange) return `{{${values.add(field, "text", literal, literal, false, options).name}}}`;
  // "Week of 10 May 2027": the day is the value, the rest is how the page says it.
  const calendar = values.calendarTemplate(literal, field);
  if (hasPlaceholder(calendar)) return calendar;
  const goal = values.goalFor(literal);
  const place = literalIn(goal, literal);
  if (place) {
    const { kind, canonical } = values.kindOf(goal.slice(place.start, place.end));
    const typed = kind === "text" ? literal : toTemplate(literal, [{ name: "probe", kind, canonical }]);
    // What is written as no form of its kind ("007" for 7) is the text that it is.
    if (!hasPlaceholder(typed)) return `{{${values.add(field, "text", literal, literal, false, options).name}}}`;
    return toTemplate(literal, [values.add(field, kind, canonical, literal, false)]);
  }
  // "household waste" for the option "Household waste (black bin)", "Beta" for "Beta (client)".
  if (options && chosenIn(goal, options) === literal) return `{{${values.add(field, "text", literal, literal, false, options).name}}}`;
  const typed = values.typedTemplate(literal, () => field);
  if (hasPlaceholder(typed)) return typed;
  const span = options ? undefined : longestSharedSpan(literal, goal);
  if (span && span.inFirst.length >= 4 && span.inFirst.length * 2 >= literal.length)
    return `{{${values.add(field, "text", span.inFirst, span.inSecond, false).name}}}`;
  notes.push(`"${literal}" in ${field} is kept as it is: the goal does not name it.`);
  return literal;
}
