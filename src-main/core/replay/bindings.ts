import type { SkillInputs } from "#contract/skills/schema.ts";
import { fill, findPlaceholders } from "../skills/index.ts";
import { type NamedValue, renderValue } from "../skills/values/index.ts";

/** What a routine's values are in this run. */
export interface Bindings {
  readonly inputs: SkillInputs;
  /** Canonical values by input name; an input that is missing has its default, or nothing. */
  readonly values: Readonly<Record<string, string>>;
  /** The goal of this run, for choices left to the page (SHO-10). */
  readonly goal: string;
  /** Inputs the goal itself named; the others rest on a default. */
  readonly named: ReadonlySet<string>;
}

/** The value of an input in the form asked for; undefined when it is missing or cannot be written so. */
function written(input: string, form: string | undefined, bindings: Bindings): string | undefined {
  const value = bindings.values[input];
  return value === undefined ? undefined : renderValue(value, bindings.inputs.properties[input]?.kind ?? "text", form);
}

/** Text with what can be filled filled; for people and prompts, where a missing value may show its name. */
export function fillKnown(text: string, bindings: Bindings): string {
  return fill(text, (input, form) => written(input, form, bindings));
}

/** Text with its placeholders filled; `undefined` when a value is missing or cannot be written in the form asked for. */
export function fillText(text: string, bindings: Bindings): string | undefined {
  return findPlaceholders(text).every(({ name, form }) => written(name, form, bindings) !== undefined) ? fillKnown(text, bindings) : undefined;
}

/** The values that are known of these inputs. */
export function valuesOf(names: readonly string[], bindings: Bindings): NamedValue[] {
  return names.flatMap((name) => {
    const canonical = bindings.values[name];
    return canonical === undefined ? [] : [{ name, kind: bindings.inputs.properties[name]?.kind ?? "text", canonical }];
  });
}
