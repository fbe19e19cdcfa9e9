import type { z } from "zod";

/**
 * Arguments in the types a tool takes. A routine's inputs and a model's steps are text; where the tool asks for a number, a yes or no, a list or an
 * object, and the text reads as one, it is one. What fits no better stays as it is, for the gate that refuses it.
 */
export function fitArguments(schema: z.ZodType, args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const parsed = schema.safeParse(args);
  if (parsed.success) return { ...args };
  const wanted = parsed.error.issues.flatMap((issue) => (issue.code === "invalid_type" ? [{ path: issue.path, expected: issue.expected }] : []));
  const fitted = structuredClone(args);
  for (const { path, expected } of wanted) {
    const key = path.at(-1);
    const holder = path.slice(0, -1).reduce<unknown>((inner, part) => (isHolder(inner) ? inner[part as string] : undefined), fitted);
    if (key === undefined || !isHolder(holder) || !Object.hasOwn(holder, key)) continue;
    const value = readAs(expected, holder[key as string]);
    if (value !== undefined) holder[key as string] = value;
  }
  return schema.safeParse(fitted).success ? fitted : { ...args };
}

function isHolder(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object";
}

function readAs(expected: string, value: unknown): unknown {
  if (typeof value !== "string") return undefined;
  if (expected === "number" || expected === "int") return /^-?\d+(?:\.\d+)?$/u.test(value.trim()) ? Number(value) : undefined;
  if (expected === "boolean") return /^(?:true|false)$/u.test(value.trim()) ? value.trim() === "true" : undefined;
  if (expected !== "object" && expected !== "array" && expected !== "record") return undefined;
  try {
    const read: unknown = JSON.parse(value);
    return isHolder(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
