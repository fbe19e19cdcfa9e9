import { z } from "zod";
import type { Tool } from "./define-tool.ts";
import type { ArgumentForm, StepForm } from "./step-choices.ts";

/**
 * How a step may call a tool, read from its schema: enumerated arguments first, one free text last; `given` fixes arguments. Optional ones that are not
 * given are left out. Null where the grammar of a step cannot write the call: two free texts, or an argument that is no text.
 */
export function toolForm(tool: Tool, given: Readonly<Record<string, string>> = {}): StepForm | null {
  const schema = z.toJSONSchema(tool.args, { io: "input", unrepresentable: "any" }) as ObjectSchema;
  const required = new Set(schema.required ?? []);
  const choices: [string, ArgumentForm][] = [];
  const texts: [string, ArgumentForm][] = [];
  for (const [name, argument] of Object.entries(schema.properties ?? {})) {
    const fixed = Object.hasOwn(given, name) ? given[name] : undefined;
    if (fixed === undefined && !required.has(name)) continue;
    const listed = fixed === undefined ? optionsOf(argument) : [fixed];
    if (listed !== null) choices.push([name, { kind: "choice", choices: listed }]);
    else if (argument.type === "string") texts.push([name, { kind: "text" }]);
    else return null;
  }
  return texts.length > 1 ? null : { tool: tool.id, args: [...choices, ...texts] };
}

interface ArgumentSchema {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, ArgumentSchema>>;
  readonly required?: readonly string[];
}

function optionsOf({ enum: options, const: only }: ArgumentSchema): string[] | null {
  if (typeof only === "string") return [only];
  return options?.every((option) => typeof option === "string") === true ? (options as string[]) : null;
}
