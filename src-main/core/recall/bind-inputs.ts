import { stopWords } from "#base/stop-words.ts";
import { escapePattern, fold, squash, words } from "#base/text.ts";
import type { Call, SkillInput, ValueKind } from "#contract/skills/schema.ts";
import { toolName } from "../envelope/index.ts";
import type { LanguageModel } from "../ports/language-model.ts";
import { inertText } from "../prompt/index.ts";
import { findPlaceholders, type Placeholder, textsIn } from "../skills/index.ts";
import {
  affirmed,
  canonicalDate,
  chosenIn,
  findValues,
  literalIn,
  overlap,
  plainNumber,
  readCanonicalDate,
  renderValue,
  tellingStems,
  tokens,
  withoutUrls,
} from "../skills/values/index.ts";
import { bindByRole } from "./bind-by-role.ts";
import { bindTyped } from "./bind-typed.ts";
import { type Bindable, fits, placeInExample, placesIn } from "./example-places.ts";

export interface Binding {
  /** Canonical values, defaults included. */
  readonly values: Record<string, string>;
  /** Inputs the goal names. */
  readonly named: string[];
  /** Required inputs the goal does not name; they are asked for, never invented (INP-02). */
  readonly missing: string[];
  /** How each was found, for the trace. */
  readonly how: Record<string, "given" | "typed" | "example" | "model" | "default">;
  readonly tokensEvaluated: number;
}

/** A value given from outside (a flag, a form), read as its kind. Undefined when it cannot be read so. */
export function canonicalValue(kind: ValueKind, text: string, now: Date): string | undefined {
  if ((kind === "date" || kind === "month") && readCanonicalDate(text)) return text;
  if (kind === "text" || kind === "id" || kind === "email" || kind === "site") return text.trim() === "" ? undefined : text.trim();
  for (const value of findValues(text, now)) {
    const canonical = fits(kind, value);
    if (canonical !== undefined) return canonical;
  }
  return kind === "number" || kind === "amount" ? plainNumber(text) || undefined : undefined;
}

const gap = "[^\\p{L}\\p{N}]*";

/** Text inputs by an example's wording: the goal says the same words around another value. */
function bindByExample(revision: Bindable, goal: string, now: Date): Record<string, string> {
  const text = withoutUrls(goal);
  for (const example of revision.bindings) {
    const source = withoutUrls(example.goal);
    const places = [...placesIn(revision, example, now)]
      .flatMap(([name, place]) => {
        const input = revision.inputs.properties[name];
        return input ? [{ name, input, place }] : [];
      })
      .sort((a, b) => a.place.start - b.place.start);
    if (places.length === 0 || places.some((entry, index) => index > 0 && entry.place.start < (places[index - 1]?.place.end ?? 0))) continue;
    let pattern = "";
    let from = 0;
    for (const { place } of places) {
      pattern += literalPattern(source.slice(from, place.start));
      pattern += "(.{1,120}?)";
      from = place.end;
    }
    const tail = source.slice(from).trimEnd();
    pattern += tokens(tail).length === 0 ? gap : literalPattern(tail);
    const match = new RegExp(`^${gap}${pattern.replace(/^\[\^\\p\{L\}\\p\{N\}\]\+/u, gap).replace(/\[\^\\p\{L\}\\p\{N\}\]\+$/u, gap)}${gap}$`, "iu").exec(text);
    if (!match) continue;
    const bound: Record<string, string> = {};
    for (const [index, entry] of places.entries()) {
      const written = trimValue(match[index + 1] ?? "");
      if (entry.input.kind === "text" && entry.input.default === undefined && written !== "") bound[entry.name] = written;
    }
    return bound;
  }
  return {};
}

function literalPattern(text: string): string {
  const inner = tokens(text).map((token) => escapePattern(text.slice(token.start, token.end)));
  // Two values with something between them stay apart: "KX27 ABC, 14 February".
  if (inner.length === 0) return text === "" ? "" : "[^\\p{L}\\p{N}]+";
  const edge = (at: string): string => (/[^\p{L}\p{N}]/u.test(at) ? "[^\\p{L}\\p{N}]+" : gap);
  return `${edge(text[0] ?? "")}${inner.join(gap)}${edge(text.at(-1) ?? "")}`;
}

function trimValue(text: string): string {
  return text.replace(/^[\s"'“”‘’.,;:()]+|[\s"'“”‘’.,;:()]+$/gu, "");
}

/** Every run of at most eight words of the goal that may be a value: grounded by construction. */
function spansOf(goal: string, fixedWords: ReadonlySet<string>, taken: readonly { start: number; end: number }[]): string[] {
  const text = withoutUrls(goal);
  const all = tokens(text);
  const edge = (word: string, index: number): boolean =>
    stopWords.has(word) || (fixedWords.has(word) && !(index > 0 && /^\p{Lu}/u.test(text.slice(all[index]?.start ?? 0))));
  const spans: string[] = [];
  for (let start = 0; start < all.length; start++) {
    for (let end = start; end < Math.min(all.length, start + 8); end++) {
      const [first, last] = [all[start], all[end]];
      if (!first || !last || edge(first.word, start) || edge(last.word, end)) continue;
      const written = text.slice(first.start, last.end);
      if (/[\n"()“”]|[.;:!?]\s|\s{2,}/u.test(written)) continue;
      if (taken.some((place) => overlap(place, { start: first.start, end: last.end }))) continue;
      spans.push(written);
    }
  }
  return [...new Set(spans)];
}

/**
 * Finds the values of a routine's inputs in a goal. What can be read without a model is (dates, references, the wording of an example);
 * the rest is one constrained generation whose answers are runs of words of the goal itself, so a value that does not stand there cannot
 * be written.
 * @param given values from flags or a form, already canonical
 * @param model is asked for only where something is left to be read; null where there is none
 */
export async function bindInputs(
  revision: Bindable,
  said: string,
  options: {
    readonly now: Date;
    readonly given?: Readonly<Record<string, string>>;
    readonly model: (() => Promise<LanguageModel | null>) | null;
    readonly signal: AbortSignal;
  },
): Promise<Binding> {
  // What the goal says it does not mean is no value; which choice is meant, and denied, is read from all of it.
  const goal = affirmed(said);
  const values: Record<string, string> = {};
  const how: Binding["how"] = {};
  /** Inputs of which the goal has several values of one shape: which is meant is asked. */
  const unclear = new Set<string>();
  const take = (from: Record<string, string>, by: Binding["how"][string]): void => {
    for (const [name, value] of Object.entries(from)) {
      if (values[name] !== undefined || unclear.has(name) || revision.inputs.properties[name] === undefined) continue;
      values[name] = value;
      how[name] = by;
    }
  };
  take({ ...(options.given ?? {}) }, "given");
  take(bindTyped(revision, goal, options.now), "typed");
  for (const [name, input] of Object.entries(revision.inputs.properties)) {
    if (input.kind === "text" && input.choices === undefined && values[name] === undefined && shapedIn(input, goal).length > 1) unclear.add(name);
    const shaped = input.kind === "text" && input.choices === undefined && values[name] === undefined ? bindByShape(input, goal) : undefined;
    if (shaped !== undefined) take({ [name]: shaped }, "example");
  }
  take(bindByExample(revision, goal, options.now), "example");
  const fromPage = leftToPage(revision);
  // Inputs with a default are left to the page, which shows what there is to choose from (SHO-10).
  const byRole = bindByRole(revision, goal, values, fromPage, options.now);
  take(byRole, "example");
  for (const [name, input] of Object.entries(revision.inputs.properties)) {
    if (values[name] === undefined || !input.choices) continue;
    const chosen = chosenIn(values[name], input.choices);
    if (chosen !== undefined) values[name] = chosen;
    else delete values[name];
  }
  const picked = Object.entries(revision.inputs.properties).flatMap(([name, input]) => {
    const chosen = input.choices && values[name] === undefined ? chosenIn(withoutUrls(said), input.choices) : undefined;
    return chosen === undefined ? [] : [[name, chosen] as const];
  });
  for (const [name, chosen] of picked) {
    // What is said once is not said for two inputs.
    const others = [...Object.values(byRole), ...picked.filter(([other]) => other !== name).map(([, value]) => value)];
    if (!others.some((value) => fold(value) === fold(chosen))) take({ [name]: chosen }, "example");
  }
  const left = Object.entries(revision.inputs.properties).filter(
    ([name, input]) => values[name] === undefined && input.kind === "text" && input.default === undefined && !fromPage.has(name) && !unclear.has(name),
  );
  let tokensEvaluated = 0;
  const model = left.length > 0 && options.model ? await options.model() : null;
  if (model) {
    const asked = await askModel(revision, goal, left, values, model, options.now, options.signal);
    tokensEvaluated = asked.tokensEvaluated;
    take(asked.values, "model");
  }
  for (const [name, value] of Object.entries(values)) values[name] = withYear(value, name, revision, goal, options.now);
  const named = Object.keys(values);
  for (const [name, input] of Object.entries(revision.inputs.properties)) if (input.default !== undefined) take({ [name]: input.default }, "default");
  const missing = revision.inputs.required.filter((name) => values[name] === undefined && !fromPage.has(name));
  return { values, named, missing, how, tokensEvaluated };
}

/**
 * Word inputs that only say which link or row to take: the page shows what there is, and the one the goal names is taken there (find-target), so
 * they need neither a model nor a question. So do lists of weeks, days or sizes, which change from page to page.
 */
function leftToPage(revision: Bindable): Set<string> {
  const filled = JSON.stringify(revision.steps.map((step) => step.call?.args.text ?? ""));
  const chosen = JSON.stringify(revision.steps.map((step) => step.call?.args.option ?? ""));
  return new Set(
    Object.entries(revision.inputs.properties)
      .filter(([name, input]) => {
        const used = new RegExp(`\\{\\{${name}(?:\\||\\}\\})`, "u");
        // A room's number, too, may be "G.02" on another page.
        const isCalled = input.kind === "text" || input.kind === "number" || input.kind === "id";
        if (!isCalled || used.test(filled)) return false;
        if (input.choices === undefined) return !used.test(chosen);
        // What there is to pick by pressing may depend on what was picked before.
        return !used.test(chosen) || input.choices.some((choice) => /\d/u.test(choice));
      })
      .map(([name]) => name),
  );
}

/** Letters and digits of a value as classes: "KX27 ABC" → "AA99 AAA". */
function shapeOf(text: string): string {
  return text
    .replace(/\p{Lu}/gu, "A")
    .replace(/\p{Ll}/gu, "a")
    .replace(/\d/gu, "9");
}

/** A value of several parts with digits and letters, such as a registration, by the shape of an earlier one; only when one run of words has it. */
function bindByShape(input: SkillInput, goal: string): string | undefined {
  const [only, ...more] = shapedIn(input, goal);
  return more.length === 0 ? only : undefined;
}

/** The runs of words that have the shape of an earlier value. */
function shapedIn(input: SkillInput, goal: string): string[] {
  const shapes = new Set(input.examples.filter((example) => /\d/u.test(example) && /\p{L}/u.test(example)).map(shapeOf));
  if (shapes.size === 0) return [];
  const text = withoutUrls(goal);
  const all = tokens(text);
  const found = new Set<string>();
  for (let start = 0; start < all.length; start++) {
    for (let end = start; end < Math.min(all.length, start + 4); end++) {
      const [first, last] = [all[start], all[end]];
      const written = first && last ? text.slice(first.start, last.end) : "";
      if (shapes.has(shapeOf(written))) found.add(written);
    }
  }
  return [...found];
}

/**
 * A day without a year that is to be typed, opened or given to a tool means the next such day, or the one past where the goal says "last". Among the options
 * of a list and on a control's name any year fits, so it stays open there; but "last October" is of one year only, where a name has the year in it.
 */
function withYear(canonical: string, name: string, revision: Bindable, goal: string, now: Date): string {
  const value = canonical.startsWith("--") ? readCanonicalDate(canonical) : undefined;
  if (!value) return canonical;
  const isPast = findValues(goal, now).some((found) => found.canonical === canonical && /\b(?:last|past|previous)\s+$/iu.test(goal.slice(0, found.start)));
  const places = revision.steps.flatMap(({ call }) => (call === undefined ? [] : placesOf(call, name)));
  const hasYear = ({ form }: Placeholder): boolean => form === undefined || form.includes("Y");
  if (!places.some(({ isWritten, placeholder }) => isWritten || (isPast && hasYear(placeholder)))) return canonical;
  const today = canonicalDate({ year: null, month: now.getMonth() + 1, day: value.day === null ? null : now.getDate() });
  const year = isPast ? (canonical < today ? 0 : -1) : canonical < today ? 1 : 0;
  return canonicalDate({ ...value, year: now.getFullYear() + year });
}

/** Where a call has this input; written is what does not only pick among what a page shows. */
function placesOf({ tool, args }: Call, name: string): { readonly placeholder: Placeholder; readonly isWritten: boolean }[] {
  return Object.entries(args).flatMap(([key, value]) => {
    const isWritten = !(key === "target" && typeof value === "object") && !(key === "option" && toolName(tool) === "browser_select");
    const found = textsIn(value).flatMap(findPlaceholders);
    return found.flatMap((placeholder) => (placeholder.name === name ? [{ placeholder, isWritten }] : []));
  });
}

async function askModel(
  revision: Bindable,
  goal: string,
  open: readonly [string, SkillInput][],
  bound: Readonly<Record<string, string>>,
  model: LanguageModel,
  now: Date,
  signal: AbortSignal,
): Promise<{ values: Record<string, string>; tokensEvaluated: number }> {
  const fixed = new Set<string>();
  for (const example of revision.bindings) {
    let rest = withoutUrls(example.goal);
    for (const [name, canonical] of Object.entries(example.inputs)) {
      const input = revision.inputs.properties[name];
      const place = input && placeInExample(example.goal, input, canonical, now);
      if (place) rest = rest.slice(0, place.start) + " ".repeat(place.end - place.start) + rest.slice(place.end);
    }
    for (const word of words(rest)) fixed.add(word);
  }
  // What another input has taken is not free for this one.
  const text = withoutUrls(goal);
  const taken = [
    ...Object.values(bound).flatMap((value) => literalIn(text, value) ?? []),
    ...findValues(goal, now).filter((value) => Object.values(bound).includes(value.canonical)),
  ];
  const spans = spansOf(goal, fixed, taken);
  const shown = revision.bindings
    .slice(-2)
    .map(
      (example) =>
        `Request: ${withoutUrls(example.goal).replace(/\s+/gu, " ").trim()}\n${open.map(([name, input]) => `${name}: ${squash(exampleText(example.inputs[name], input, example.goal) ?? "(not said)")}`).join("\n")}`,
    )
    .join("\n\n");
  const said = new Set(tellingStems(text));
  const values: Record<string, string> = {};
  let tokensEvaluated = 0;
  let written = "";
  // One input at a time, each a choice among runs of words of the goal, with the lines before it standing.
  for (const [name, input] of open) {
    // A choice of which the goal says no word is not said.
    const grounded = input.choices?.filter((choice) => tellingStems(choice).some((word) => said.has(word)));
    const free = (grounded ?? spans).filter((span) => !Object.values(values).includes(span));
    if (free.length === 0) continue;
    const answer = await model.generate(
      {
        messages: [
          { role: "system", text: "You copy values out of requests, word for word. If a request does not say a value, write (not said)." },
          // Examples may come from a file, and say what they like.
          {
            role: "user",
            text: inertText(`${shown}\n\nRequest: ${withoutUrls(goal).replace(/\s+/gu, " ").trim()}\nWrite the same lines for this request.`, ""),
          },
        ],
        choices: [...free, "(not said)"].map((span) => ({ text: `${written}${name}: ${span}\n` })),
        maxTokens: 60,
      },
      signal,
    );
    tokensEvaluated += answer.tokensEvaluated;
    written = answer.text;
    const value = new RegExp(`^${name}: (.+)$`, "mu").exec(answer.text)?.[1];
    if (value !== undefined && value !== "(not said)") values[name] = value;
  }
  return { values, tokensEvaluated };
}

function exampleText(canonical: string | undefined, input: SkillInput, goal: string): string | undefined {
  if (canonical === undefined) return undefined;
  const place = literalIn(withoutUrls(goal), canonical);
  return place ? withoutUrls(goal).slice(place.start, place.end) : (renderValue(canonical, input.kind) ?? canonical);
}
