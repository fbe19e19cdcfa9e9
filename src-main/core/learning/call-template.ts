import { words } from "#base/text.ts";
import type { ShownAction } from "#contract/learning/schema.ts";
import { textsIn } from "../skills/index.ts";
import { literalIn, longestSharedSpan, toTemplate } from "../skills/values/index.ts";
import { type Leaf, leafText, mapLeaves } from "./call-leaves.ts";
import { hasPlaceholder, type Values } from "./goal-values.ts";
import { given } from "./plain-call.ts";
import { valueTemplate } from "./value-template.ts";

/** Words in a row that an argument can share with a result only by having been copied from it. */
const copiedWords = 5;
/** Words of a part of a path that name a file; more are a passage. */
const namingWords = 3;
/** Shorter values stand in any result by chance. */
const shortestGiven = 3;

/**
 * The arguments of a call with the values of the goal as inputs, and `given` for what an earlier result of the same run gave: that is neither the
 * goal's nor the same every time. What neither explains stays as it is.
 * @param before the actions of the run up to this one
 */
export function callTemplate(
  values: Values,
  { tool, args }: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> },
  before: readonly ShownAction[],
  notes: string[],
): Record<string, unknown> {
  return mapLeaves({ ...args }, (leaf) => leafTemplate(values, tool, leaf, before, notes));
}

function leafTemplate(values: Values, tool: string, leaf: Leaf, before: readonly ShownAction[], notes: string[]): unknown {
  const { value } = leaf;
  if (typeof value !== "string" && typeof value !== "number") return value;
  const literal = leafText(value);
  const name = nameOf(leaf);
  const whole = toTemplate(literal, values.wholly(literal, name));
  if (hasPlaceholder(whole)) return whole;
  if (typeof value === "number") return isGiven(literal, before) ? given(literal) : value;
  const own: string[] = [];
  const template = isPath(tool, leaf.path[0] ?? "", literal) ? pathTemplate(values, literal) : valueTemplate(values, literal, name, undefined, own);
  if (hasPlaceholder(template)) return holdsPassage(template) && isGiven(literal, before) ? given(literal) : template;
  if (isGiven(literal, before)) return given(literal);
  notes.push(...own);
  return literal;
}

/** The name an input of this place would have: the nearest key that is a word, "origin" for the third of several origins. */
function nameOf({ path }: Leaf): string {
  return path.findLast((key) => /\p{L}/u.test(key)) ?? "value";
}

function isPath(tool: string, key: string, literal: string): boolean {
  if (literal.includes("://")) return false;
  if (tool.startsWith("workspace_")) return key === "path" || key === "from" || key === "to";
  return /^[^\s/]+(?:\/[^\s/]+)+$|^[^\s/]+\.[A-Za-z]{2,5}$/u.test(literal);
}

/** A path, each part for itself: what stands between two strokes is a name of its own. */
function pathTemplate(values: Values, literal: string): string {
  const parts = literal.split("/");
  return parts.map((part, index) => partTemplate(values, part, index === parts.length - 1)).join("/");
}

function partTemplate(values: Values, part: string, isLast: boolean): string {
  const ending = isLast ? (/\.[A-Za-z][A-Za-z0-9]{0,4}$/u.exec(part)?.[0] ?? "") : "";
  const stem = part.slice(0, part.length - ending.length);
  if (!/[\p{L}\p{N}]/u.test(stem)) return part;
  const called = ending === "" ? "folder" : "file";
  const typed = values.typedTemplate(stem, (kind) => kind);
  if (!hasPlaceholder(typed)) return namedTemplate(values, stem, called, true) + ending;
  // "acme-{{month}}": what is left is a name of its own where the goal has it as one.
  const pieces = typed.split(/(\{\{[^}]*\}\})/u);
  return pieces.map((piece) => (hasPlaceholder(piece) ? piece : namedTemplate(values, piece, called, false))).join("") + ending;
}

/** A literal that stands in the goal as an input; a word for the kind of thing ("invoice") only where it is all there is. */
function namedTemplate(values: Values, literal: string, called: string, isWhole: boolean): string {
  const [core = ""] = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/u.exec(literal) ?? [];
  if (core.length < 2) return literal;
  const goal = values.goalFor(core);
  const place = literalIn(goal, core);
  if (!place) return literal;
  const written = goal.slice(place.start, place.end);
  if (!isWhole && values.isKindWord(written)) return literal;
  const { kind, canonical } = values.kindOf(written);
  const at = literal.indexOf(core);
  const template = toTemplate(core, [values.add(called, kind, canonical, written, false)]);
  // Written as no form of it, it is the text that it is.
  const made = hasPlaceholder(template) ? template : `{{${values.add(called, "text", core, core, false).name}}}`;
  return `${literal.slice(0, at)}${made}${literal.slice(at + core.length)}`;
}

/** Whether what stands around the inputs says more than the name of a thing. */
function holdsPassage(template: string): boolean {
  return template.split(/\{\{[^}]*\}\}|\//u).some((part) => words(part).length > namingWords);
}

/** Whether a value came out of something the run had seen before it first wrote it itself. */
function isGiven(literal: string, before: readonly ShownAction[]): boolean {
  if (literal.length < shortestGiven) return false;
  for (const { call, value, target, after } of before) {
    if ([...textsIn(call?.args ?? {}), value ?? "", target?.name ?? ""].some((own) => own.includes(literal))) return false;
    const seen = [call?.result ?? "", after.heading, after.text].join("\n");
    if (holdsWhole(seen, literal) || isCopied(literal, seen)) return true;
  }
  return false;
}

/** Whether a literal stands in a text and is no part of a longer word. */
function holdsWhole(text: string, literal: string): boolean {
  const isLetter = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character);
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + literal.length])) return true;
  return false;
}

function isCopied(literal: string, seen: string): boolean {
  if (words(literal).length < copiedWords) return false;
  const span = longestSharedSpan(literal, seen);
  return span !== undefined && words(span.inFirst).length >= copiedWords;
}
