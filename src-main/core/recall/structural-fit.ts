import type { Revision, ValueKind } from "#contract/skills/schema.ts";
import { asksForAnswer } from "../skills/index.ts";
import { findValues } from "../skills/values/index.ts";

const typed = new Set<ValueKind>(["date", "month", "time", "number", "amount", "id", "email"]);

/** Kinds that may stand for one another in a goal. */
function fits(kind: ValueKind, found: ValueKind): boolean {
  if (kind === found) return true;
  const number = new Set<ValueKind>(["number", "amount", "id"]);
  return (number.has(kind) && number.has(found)) || (kind === "month" && found === "date");
}

/**
 * How far the form of a goal speaks for a skill, beyond its wording: the values the skill needs stand in it, it names none the skill has no
 * use for, and it asks for an answer exactly if the skill gives one. Between −0.25 and 0.12; added to a cosine.
 */
export function structuralFit(revision: Revision, goal: string, now: Date): number {
  const found = findValues(goal, now).filter((value) => typed.has(value.kind));
  const needed = Object.entries(revision.inputs.properties).filter(([name, input]) => typed.has(input.kind) && revision.inputs.required.includes(name));
  const present = needed.filter(([, input]) => found.some((value) => fits(input.kind, value.kind))).length;
  const values = needed.length > 0 ? 0.08 * ((2 * present) / needed.length - 1) : found.length > 0 ? -0.05 : 0;
  const answers = revision.steps.at(-1)?.call === undefined;
  return values + (answers === asksForAnswer(goal) ? 0.04 : -0.12);
}
