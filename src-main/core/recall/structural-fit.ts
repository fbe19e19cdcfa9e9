import type { Revision, ValueKind } from "#contract/skills/schema.ts";
import { asksForAnswer } from "../skills/index.ts";
import { chosenIn, type FoundValue, findValues } from "../skills/values/index.ts";

const typed = new Set<ValueKind>(["date", "month", "time", "number", "amount", "id", "email"]);

/** Kinds that may stand for one another in a goal. */
function fits(kind: ValueKind, found: FoundValue["kind"], text: string): boolean {
  if (kind === found) return true;
  const number = new Set<ValueKind>(["number", "amount", "id"]);
  return (number.has(kind) && number.has(found)) || (kind === "month" && found === "date" && /\d/u.test(text));
}

/** What a value, a choice of the page, a missing one and one without use say; measured on the project's own sites (DECISIONS.md). */
const weights = { present: 0.05, chosen: 0.15, missing: 0.2, unused: 0.05 };
const most = 0.3;
const answers = { asAsked: 0.04, otherwise: -0.12 };

/** More than this no form of a goal adds. */
export const highestFit = most + answers.asAsked;

/**
 * How far the form of a goal speaks for a skill, beyond its wording: the values and choices the skill needs stand in it, and it asks for an
 * answer exactly if the skill gives one. Between −0.42 and 0.34; added to a cosine.
 */
export function structuralFit(revision: Revision, goal: string, now: Date): number {
  const found = findValues(goal, now).filter((value) => typed.has(value.kind));
  const needed = Object.entries(revision.inputs.properties).filter(
    ([name, input]) => revision.inputs.required.includes(name) && (typed.has(input.kind) || input.choices !== undefined),
  );
  let sum = 0;
  for (const [, input] of needed) {
    if (input.choices) sum += chosenIn(goal, input.choices) === undefined ? -weights.missing : weights.chosen;
    else sum += found.some((value) => fits(input.kind, value.kind, value.text)) ? weights.present : -weights.missing;
  }
  const kinds = Object.values(revision.inputs.properties).map((input) => input.kind);
  sum -= weights.unused * found.filter((value) => !kinds.some((kind) => kind === "text" || fits(kind, value.kind, value.text))).length;
  const values = Math.max(-most, Math.min(most, sum));
  // A procedure without steps says nothing of what comes of it.
  if (revision.steps.length === 0) return values;
  const isAnswering = revision.steps.at(-1)?.call === undefined;
  return values + (isAnswering === asksForAnswer(goal) ? answers.asAsked : answers.otherwise);
}
