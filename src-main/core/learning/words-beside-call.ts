import { canonicalJson } from "#base/json.ts";
import type { Call, SkillStep } from "#contract/skills/schema.ts";
import { placeholderNames, textsIn } from "../skills/index.ts";
import { anyDay, findValues, literalIn, quotedIn } from "../skills/values/index.ts";
import { describeCall } from "./describe-call.ts";

/** What is to be said of steps whose words a person changed, before they are kept. */
export interface WordsBesideCalls {
  /** The words name something that the call does not. */
  readonly warnings: string[];
  /** The words are others, and what is done is not. */
  readonly notes: string[];
}

/**
 * Holds the words of edited steps against their calls: what a step does is its call, whatever its words say. Steps that are as they were are left out, for
 * a person or a model may have worded those before.
 */
export function wordsBesideCalls(before: readonly SkillStep[], now: readonly SkillStep[]): WordsBesideCalls {
  const known = new Set(before.map(({ do: words, call }) => canonicalJson([words, call ?? null])));
  const calls = new Set(before.map(({ call }) => canonicalJson(call ?? null)));
  const found: WordsBesideCalls = { warnings: [], notes: [] };
  for (const [index, { do: words, call }] of now.entries()) {
    if (call === undefined || words === describeCall(call) || known.has(canonicalJson([words, call]))) continue;
    const foreign = foreignIn(words, call);
    if (foreign.length > 0)
      found.warnings.push(
        `Step ${index + 1} says ${foreign.map((text) => `"${text}"`).join(" and ")}, which is not in what it does: ${describeCall(call)}. Its words change nothing of that; change its call as well, or its words.`,
      );
    else if (calls.has(canonicalJson(call)))
      found.notes.push(`Only the words of step ${index + 1} were changed; what it does is still: ${describeCall(call)}.`);
  }
  return found;
}

/** Inputs, quoted texts, values and names in the words of a step that its call does not have. */
function foreignIn(words: string, call: Call): string[] {
  const own = new Set(placeholderNames(call.args));
  const texts = [...textsIn(call.args), describeCall(call)];
  const has = (text: string): boolean => texts.some((one) => literalIn(one, text) !== undefined || one.includes(text));
  const inputs = placeholderNames(words)
    .filter((name) => !own.has(name))
    .map((name) => `{{${name}}}`);
  const rest = words.replace(/\{\{[^}]*\}\}/gu, " ");
  const quoted = quotedIn(rest).map(({ text }) => text);
  const values = findValues(rest, anyDay)
    .filter(({ kind, text }) => kind !== "text" && text.length > 1 && /\d/u.test(text))
    .map(({ text }) => text);
  // A capital inside a sentence is a name.
  const names = [...rest.matchAll(/(?<=[\p{L}\p{N},;] )\p{Lu}[\p{L}\p{N}'’-]*(?: \p{Lu}[\p{L}\p{N}'’-]*)*/gu)].map(([name]) => name);
  const all = [...new Set([...quoted, ...values, ...names])];
  // The longest that says it: "KX27 ABC" and not "KX27" as well.
  const said = all.filter((text) => !all.some((other) => other !== text && other.includes(text)));
  return [...inputs, ...said.filter((text) => !has(text))];
}
