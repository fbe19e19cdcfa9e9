import type { SkillInputs, ValueKind } from "#contract/skills/schema.ts";
import type { RenderInput } from "./placeholders.ts";
import { renderValue as writeValue } from "./values/index.ts";

/** Writes a bound value in the form a placeholder asks for; undefined when it cannot be written so. */
export type RenderValue = (value: string, kind: ValueKind, form: string | undefined) => string | undefined;

/** A value that is no canonical one stands as it was given where no form is asked for. */
const asRead: RenderValue = (value, kind, form) => writeValue(value, kind, form) ?? (form === undefined ? value : undefined);

/** Looks inputs up as own properties only; an input that was not bound falls back to its default. */
export function inputRenderer(schema: SkillInputs, inputs: Readonly<Record<string, string>>, renderValue: RenderValue = asRead): RenderInput {
  return (name, form) => {
    const declared = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    const value = Object.hasOwn(inputs, name) ? inputs[name] : declared?.default;
    return value === undefined ? undefined : renderValue(value, declared?.kind ?? "text", form);
  };
}

/** Required inputs that are neither bound nor have a default. */
export function missingInputs(schema: SkillInputs, inputs: Readonly<Record<string, string>>): string[] {
  const render = inputRenderer(schema, inputs);
  return schema.required.filter((name) => render(name, undefined) === undefined);
}
