import { fold } from "#base/text.ts";

/** `{{month}}` or `{{month|FORM}}` in a text of a skill. */
export interface Placeholder {
  readonly name: string;
  readonly form: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** The text that stands for an input; undefined leaves the placeholder as it is. */
export type RenderInput = (name: string, form: string | undefined) => string | undefined;

const pattern = /\{\{\s*([A-Za-z0-9_][A-Za-z0-9_-]*)\s*(?:\|([^{}|]*))?\}\}/gu;

function formOf(raw: string | undefined): string | undefined {
  return raw?.trim() || undefined;
}

export function findPlaceholders(text: string): Placeholder[] {
  return [...text.matchAll(pattern)].map((match) => ({
    name: match[1] as string,
    form: formOf(match[2]),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** One pass: braces inside a value are text and are never filled again. */
export function fill(text: string, render: RenderInput): string {
  return text.replace(pattern, (raw, name: string, form: string | undefined) => render(name, formOf(form)) ?? raw);
}

/** A template as a pattern: `*` for every value. */
export function asPattern(template: string): string {
  return fill(template, () => "*");
}

/** A template, folded, without the forms of its values: for comparing what it says. */
export function withoutForms(template: string): string {
  return fold(template.replace(/\|[^}]*\}\}/gu, "}}"));
}

/** Every text, at any depth, of a value made of plain data; keys stay as they are. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (value !== null && typeof value === "object") return Object.values(value).flatMap(textsIn);
  return [];
}

/** `change` applied to every text, at any depth, of a value made of plain data; keys stay as they are unless `changeKey` says otherwise. */
export function mapTexts<T>(value: T, change: (text: string) => string, changeKey: (key: string) => string = (key) => key): T {
  if (typeof value === "string") return change(value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, change, changeKey)) as T;
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [changeKey(key), mapTexts(inner as unknown, change, changeKey)])) as T;
  }
  return value;
}

/** Arguments of a call or a check with every placeholder filled that `render` knows. */
export function fillDeep<T>(value: T, render: RenderInput): T {
  return mapTexts(value, (text) => fill(text, render));
}

/** Names of the inputs a value asks for, each once, in order. */
export function placeholderNames(value: unknown): string[] {
  return [...new Set(textsIn(value).flatMap((text) => findPlaceholders(text).map((found) => found.name)))];
}
