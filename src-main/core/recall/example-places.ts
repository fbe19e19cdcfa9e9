import { words } from "#base/text.ts";
import type { BindingExample, Revision, SkillInput, ValueKind } from "#contract/skills/schema.ts";
import { type FoundValue, findValues, formsOf, literalIn, renderValue, withoutUrls } from "../skills/values/index.ts";
import { type Place, type Role, rolesOf } from "./value-roles.ts";

/** What of a routine its inputs are found by. */
export type Bindable = Pick<Revision, "inputs" | "bindings" | "steps">;

/** A found value as one of another kind, canonical; undefined when it cannot be one. */
export function fits(kind: ValueKind, value: FoundValue): string | undefined {
  if (value.kind === kind) return value.canonical;
  // "Thursday" names no month.
  if (kind === "month" && value.kind === "date" && /\d/u.test(value.text)) return value.canonical.replace(/-\d\d$/u, "");
  if (kind === "number" && value.kind === "amount") return value.canonical;
  if (kind === "amount" && value.kind === "number") return value.canonical;
  if (kind === "id" && value.kind === "number") return value.text;
  if (kind === "number" && value.kind === "id" && /^\d/u.test(value.text)) return undefined;
  return undefined;
}

/** Where an example's value stands in its goal. */
export function placeInExample(goal: string, input: SkillInput, canonical: string, now: Date): { start: number; end: number } | undefined {
  const text = withoutUrls(goal);
  const typed = findValues(goal, now).find((value) => fits(input.kind, value) === canonical);
  if (typed) return typed;
  for (const form of formsOf(input.kind)) {
    const written = renderValue(canonical, input.kind, form);
    const place = written === undefined || written.includes("*") ? undefined : literalIn(text, written);
    if (place) return place;
  }
  return undefined;
}

/** Where the inputs of an example stand in its goal. */
export function placesIn(revision: Bindable, example: BindingExample, now: Date): Map<string, Place> {
  const places = Object.entries(revision.inputs.properties).map(([name, input]) => {
    const canonical = example.inputs[name];
    return [name, canonical === undefined ? undefined : placeInExample(example.goal, input, canonical, now)] as const;
  });
  return new Map(places.flatMap(([name, place]) => (place ? [[name, place] as const] : [])));
}

/** The roles an input plays in the examples, by its name. */
export function shownRoles(revision: Bindable, now: Date): Map<string, Role>[] {
  return revision.bindings.map((example) => {
    const places = placesIn(revision, example, now);
    const roles = rolesOf(withoutUrls(example.goal), [...places.values()], [...places.values(), ...findValues(example.goal, now)]);
    return new Map([...places.keys()].flatMap((name, index) => (roles[index] ? [[name, roles[index]] as const] : [])));
  });
}

/** Words of an input's name that no other input's name has. */
export function ownWords(revision: Bindable, name: string): string[] {
  const others = new Set(Object.keys(revision.inputs.properties).flatMap((other) => (other === name ? [] : words(other))));
  return words(name).filter((word) => !others.has(word) && /\p{L}/u.test(word));
}
