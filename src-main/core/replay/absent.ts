import { squash } from "#base/text.ts";
import type { SkillStep } from "#contract/skills/schema.ts";
import type { PageElement } from "../ports/browser.ts";
import { callTarget, placeholderNames } from "../skills/index.ts";
import { renderValue } from "../skills/values/index.ts";
import type { Bindings } from "./bindings.ts";

/** What was asked for and is not there, while others of its kind are. */
export interface Absent {
  /** The values that were asked for, as a person reads them. */
  readonly asked: string;
  /** What is there in its place, in the order it was seen, each once. */
  readonly there: readonly string[];
}

/** What may be told of at once. */
const mostTold = 40;

/** The names by which others of the kind are to be chosen: controls that fit the step with another value, or what a list offers. */
export function namesOf(step: SkillStep, siblings: readonly PageElement[]): string[] {
  const names = step.call?.tool === "browser_select" ? siblings.flatMap(({ options }) => options) : siblings.map(({ name }) => name);
  return names.map(squash).filter((name) => name !== "");
}

/**
 * Whether a step failed by what was asked for and not by its page: it looks for a value that this run was given, and others of the kind were seen. Null
 * where the step's own control is missing, or where it looks for what was there when it was shown: then the page has changed.
 * @param seen names of others that were met in the search
 */
export function absentIn(step: SkillStep, seen: ReadonlySet<string>, bindings: Bindings): Absent | null {
  const target = callTarget(step.call);
  const isList = step.call?.tool === "browser_select";
  const inputs = placeholderNames(isList ? [step.call?.args.option] : [target?.name, target?.within]).filter((input) => isAsked(input, bindings));
  if (inputs.length === 0 || seen.size === 0) return null;
  const asked = [...new Set(inputs)].map((input) => renderValue(bindings.values[input] ?? "", bindings.inputs.properties[input]?.kind ?? "text") ?? "");
  return { asked: asked.join(", "), there: [...seen].slice(0, mostTold) };
}

/** A value that rests on what was shown was asked for by nobody. */
function isAsked(input: string, { values, named, inputs }: Bindings): boolean {
  return values[input] !== undefined && (named.has(input) || inputs.properties[input]?.default === undefined);
}
