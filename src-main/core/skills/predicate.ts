import { canonicalJson } from "#base/json.ts";
import { preconditionEntries } from "./precondition.ts";
import { isMapping, State } from "./state.ts";

/** Whether a predicate matched, and why; shown where somebody asks why a rule did or did not apply. */
export interface PredicateOutcome {
  readonly matched: boolean;
  readonly reason: string;
}

/**
 * The only interpreter of `{state: {path, op, value}}` (SPEC 3.2). Takes it wrapped or unwrapped. Fails closed: what
 * cannot be evaluated does not match. Looks up own properties only, each segment in UPPER case, then in lower case.
 */
export function evaluateStatePredicate(state: State | Readonly<Record<string, unknown>>, predicate: unknown): PredicateOutcome {
  const parts = partsOf(predicate);
  if (parts === null) return no("not a predicate {state: {path, op, value}}");
  const { path, op } = parts;
  if (op !== "eq" && op !== "neq" && op !== "in" && op !== "exists") return no(`unknown op "${op}"; known are eq, neq, in, exists`);
  const found = lookUp(state instanceof State ? state.facts() : state, path);
  if (!found.present) return no(`path "${path}" is missing`);
  if (op === "exists") return yes(`"${path}" is there`);
  if (!parts.hasValue) return no(`op "${op}" has no value to compare with`);
  if (op === "in") {
    if (typeof parts.value === "string") return no('op "in" needs a list, not a bare string');
    if (!Array.isArray(parts.value)) return no('op "in" needs a list');
    return parts.value.some((item) => same(item, found.value)) ? yes(`"${path}" is in the list`) : no(`"${path}" is not in the list`);
  }
  const equal = same(found.value, parts.value);
  if (op === "eq") return equal ? yes(`"${path}" is equal`) : no(`"${path}" is another value`);
  return equal ? no(`"${path}" is the excluded value`) : yes(`"${path}" is another value`);
}

/** Do all of a skill's predicates hold? Asked before "are its rules met?". */
export function skillApplies(state: State | Readonly<Record<string, unknown>>, precondition: unknown): boolean {
  return statePredicatesIn(precondition).every((predicate) => evaluateStatePredicate(state, predicate).matched);
}

/** The predicates of a stored precondition, unwrapped, in order. A malformed one stays in the list and never matches. */
export function statePredicatesIn(precondition: unknown): unknown[] {
  return preconditionEntries(precondition)
    .filter((entry) => typeof entry !== "string")
    .map((entry) => (isMapping(entry) && Object.hasOwn(entry, "state") ? entry["state"] : entry));
}

interface Parts {
  readonly path: string;
  readonly op: string;
  readonly hasValue: boolean;
  readonly value: unknown;
}

function partsOf(predicate: unknown): Parts | null {
  const inner = isMapping(predicate) && Object.hasOwn(predicate, "state") ? predicate["state"] : predicate;
  if (!isMapping(inner)) return null;
  const path = own(inner, "path");
  const op = own(inner, "op");
  const value = own(inner, "value");
  if (typeof path !== "string" || typeof op !== "string") return null;
  return { path, op, hasValue: value !== undefined, value };
}

function lookUp(facts: unknown, path: string): { present: boolean; value: unknown } {
  let value = facts;
  for (const segment of path.split(".")) {
    const key = isMapping(value) ? [segment.toUpperCase(), segment.toLowerCase()].find((spelling) => Object.hasOwn(value as object, spelling)) : undefined;
    if (segment === "" || key === undefined) return { present: false, value: undefined };
    value = (value as Record<string, unknown>)[key];
    if (value === undefined) return { present: false, value };
  }
  return { present: true, value };
}

function own(mapping: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}

function same(one: unknown, other: unknown): boolean {
  return Object.is(one, other) || (typeof one === typeof other && canonicalJson(one) === canonicalJson(other));
}

function yes(reason: string): PredicateOutcome {
  return { matched: true, reason };
}

function no(reason: string): PredicateOutcome {
  return { matched: false, reason };
}
