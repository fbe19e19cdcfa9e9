import { fail, ok, type Result } from "#base/result.ts";
import type { Precondition, StatePredicate } from "#contract/skills/schema.ts";
import { statePredicateSchema } from "#contract/skills/schema.ts";

export const maxPreconditions = 5;
export const maxPreconditionLength = 500;

/** As stored: none, one rule string, or an ordered list (SPEC 3.2). */
export type StoredPrecondition = null | string | readonly Precondition[];

/** Which field broke which limit; the contract answers with it as a validation error. */
export interface PreconditionProblem {
  readonly field: string;
  readonly message: string;
}

/** Drops empty rules, stores a list of one rule as the rule, refuses what is too long or too many. */
export function normalisePrecondition(given: unknown): Result<StoredPrecondition, PreconditionProblem> {
  if (given === null || given === undefined) return ok(null);
  const entries: readonly unknown[] = Array.isArray(given) ? given : [given];
  const kept: Precondition[] = [];
  for (const [index, entry] of entries.entries()) {
    const field = Array.isArray(given) ? `preconditions[${index}]` : "preconditions";
    const checked = checkEntry(entry, field);
    if (!checked.ok) return checked;
    if (checked.value !== null) kept.push(checked.value);
  }
  if (kept.length > maxPreconditions) {
    return fail({ field: "preconditions", message: `preconditions has ${kept.length} entries; at most ${maxPreconditions} are allowed` });
  }
  const only = kept[0];
  if (only === undefined) return ok(null);
  return ok(kept.length === 1 && typeof only === "string" ? only : kept);
}

function checkEntry(entry: unknown, field: string): Result<Precondition | null, PreconditionProblem> {
  if (typeof entry === "string") {
    const rule = entry.trim();
    if (characters(rule) > maxPreconditionLength) return tooLong(field, characters(rule));
    return ok(rule === "" ? null : rule);
  }
  const predicate = statePredicateSchema.safeParse(entry);
  if (!predicate.success) return fail({ field, message: `${field} is neither a rule nor {state: {path, op, value}}` });
  const size = characters(JSON.stringify(predicate.data));
  return size > maxPreconditionLength ? tooLong(field, size) : ok(predicate.data as StatePredicate);
}

function tooLong(field: string, size: number): Result<never, PreconditionProblem> {
  return fail({ field, message: `${field} has ${size} characters; at most ${maxPreconditionLength} are allowed` });
}

function characters(text: string): number {
  return [...text].length;
}

/** The entries of a stored precondition, in order. */
export function preconditionEntries(stored: unknown): readonly unknown[] {
  if (stored === null || stored === undefined) return [];
  return Array.isArray(stored) ? stored : [stored];
}
