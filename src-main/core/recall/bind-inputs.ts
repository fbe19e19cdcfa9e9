import { stopWords } from "#base/stop-words.ts";
import { fold, words } from "#base/text.ts";
import type { BindingExample, Revision, SkillInput, ValueKind } from "#contract/skills/schema.ts";
import type { LanguageModel } from "../ports/language-model.ts";
import {
  canonicalDate,
  chosenIn,
  type FoundValue,
  findValues,
  formsOf,
  literalIn,
  plainNumber,
  readCanonicalDate,
  renderValue,
  tokens,
  withoutUrls,
} from "../skills/values/index.ts";
import { agreement, decidedPairs, type Place, type Role, rolesOf, tellApart } from "./value-roles.ts";

type Bindable = Pick<Revision, "inputs" | "bindings" | "steps">;

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

function fits(kind: ValueKind, value: FoundValue): string | undefined {
  if (value.kind === kind) return value.canonical;
  // "Thursday" names no month.
  if (kind === "month" && value.kind === "date" && /\d/u.test(value.text)) return value.canonical.replace(/-\d\d$/u, "");
  if (kind === "number" && value.kind === "amount") return value.canonical;
  if (kind === "amount" && value.kind === "number") return value.canonical;
  if (kind === "id" && value.kind === "number") return value.text;
  if (kind === "number" && value.kind === "id" && /^\d/u.test(value.text)) return undefined;
  return undefined;
}

/** A value given from outside (a flag, a form), read as its kind. Undefined when it cannot be read so. */
export function canonicalValue(kind: ValueKind, text: string, now: Date): string | undefined {
  if ((kind === "date" || kind === "month") && readCanonicalDate(text)) return text;
  if (kind === "text" || kind === "id" || kind === "email") return text.trim() === "" ? undefined : text.trim();
  for (const value of findValues(text, now)) {
    const canonical = fits(kind, value);
    if (canonical !== undefined) return canonical;
  }
  return kind === "number" || kind === "amount" ? plainNumber(text) || undefined : undefined;
}

/** Where an example's value stands in its goal. */
function placeInExample(goal: string, input: SkillInput, canonical: string, now: Date): { start: number; end: number } | undefined {
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
function placesIn(revision: Bindable, example: BindingExample, now: Date): Map<string, Place> {
  const places = Object.entries(revision.inputs.properties).map(([name, input]) => {
    const canonical = example.inputs[name];
    return [name, canonical === undefined ? undefined : placeInExample(example.goal, input, canonical, now)] as const;
  });
  return new Map(places.flatMap(([name, place]) => (place ? [[name, place] as const] : [])));
}

/** The roles an input plays in the examples, by its name. */
function shownRoles(revision: Bindable, now: Date): Map<string, Role>[] {
  return revision.bindings.map((example) => {
    const places = placesIn(revision, example, now);
    const roles = rolesOf(withoutUrls(example.goal), [...places.values()], [...places.values(), ...findValues(example.goal, now)]);
    return new Map([...places.keys()].flatMap((name, index) => (roles[index] ? [[name, roles[index]] as const] : [])));
  });
}

/** Words of an input's name that no other input's name has. */
function ownWords(revision: Bindable, name: string): string[] {
  const others = new Set(Object.keys(revision.inputs.properties).flatMap((other) => (other === name ? [] : words(other))));
  return words(name).filter((word) => !others.has(word) && /\p{L}/u.test(word));
}

/** The one input of the words that was quoted in an example, from the one thing quoted here. */
function bindQuoted(revision: Bindable, found: readonly FoundValue[], now: Date): Record<string, string> {
  const quoted = found.filter((value) => value.kind === "text");
  const wasQuoted = Object.entries(revision.inputs.properties).filter(
    ([name, input]) =>
      input.kind === "text" &&
      input.choices === undefined &&
      input.default === undefined &&
      revision.bindings.some((example) => findValues(example.goal, now).some((value) => value.kind === "text" && value.text === example.inputs[name])),
  );
  return wasQuoted.length === 1 && quoted.length === 1 && wasQuoted[0] && quoted[0] ? { [wasQuoted[0][0]]: quoted[0].text } : {};
}

/**
 * Typed inputs: a date is a date wherever it stands. Several of one kind are told apart by the words around them, as in the examples and as
 * the inputs are called; by their order only where neither example nor goal has such words; else they stay open and are asked for (INP-03).
 */
function bindTyped(revision: Bindable, goal: string, now: Date): Record<string, string> {
  const found = findValues(goal, now);
  const bound = bindQuoted(revision, found, now);
  const taken = new Set<FoundValue>();
  const typed = Object.entries(revision.inputs.properties).filter(([, input]) => input.kind !== "text");
  const candidates = (kind: ValueKind): FoundValue[] =>
    found.filter(
      (value) =>
        !taken.has(value) && fits(kind, value) !== undefined && (value.kind === kind || !found.some((other) => other.kind === kind && !taken.has(other))),
    );
  const bind = (name: string, kind: ValueKind, value: FoundValue): void => {
    bound[name] = fits(kind, value) ?? value.canonical;
    taken.add(value);
  };
  const byKind = Map.groupBy(typed, ([, input]) => input.kind);
  for (const [kind, inputs] of byKind) {
    const [only, ...more] = candidates(kind);
    if (inputs.length === 1 && inputs[0] && only && more.length === 0) bind(inputs[0][0], kind, only);
  }
  const shown = shownRoles(revision, now);
  const roles = rolesOf(withoutUrls(goal), found);
  const open = typed.filter(([name]) => bound[name] === undefined);
  const scores = open.map(([name, input]) => {
    const fitting = new Set(candidates(input.kind));
    const examples = shown.flatMap((example) => example.get(name) ?? []);
    return found.map((value, index) => (fitting.has(value) && roles[index] ? agreement(examples, ownWords(revision, name), roles[index]) : undefined));
  });
  for (const [row, column] of decidedPairs(scores)) {
    const [entry, value] = [open[row], found[column]];
    if (entry && value) bind(entry[0], entry[1].kind, value);
  }
  for (const [kind, inputs] of byKind) {
    const unsaid = inputs.filter(([name]) => bound[name] === undefined);
    const left = candidates(kind);
    if (unsaid.length !== left.length) continue;
    const score = (name: string, value: FoundValue): number => scores[open.findIndex(([other]) => other === name)]?.[found.indexOf(value)] ?? 0;
    if (unsaid.length === 1 && unsaid[0] && left[0]) {
      if (score(unsaid[0][0], left[0]) >= 0) bind(unsaid[0][0], kind, left[0]);
      continue;
    }
    const example = revision.bindings[0];
    const places = example ? placesIn(revision, example, now) : undefined;
    const told = unsaid.flatMap(([name]) => shown[0]?.get(name) ?? []);
    if (!places || told.length !== unsaid.length || tellApart(told) || tellApart(left.flatMap((value) => roles[found.indexOf(value)] ?? []))) continue;
    const inOrder = unsaid.toSorted(([a], [b]) => (places.get(a)?.start ?? 0) - (places.get(b)?.start ?? 0));
    for (const [index, [name]] of inOrder.entries()) if (left[index]) bind(name, kind, left[index]);
  }
  return bound;
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

const nameRun = /\p{Lu}[\p{L}\p{N}'’-]*(?: (?:(?:of|the|upon|de|la) )?\p{Lu}[\p{L}\p{N}'’-]*)*/gu;

/** Runs of capitalised words that are whole: a small word, a stop or nothing follows; the word that opens the sentence aside. */
function namesIn(text: string): Place[] {
  return [...text.matchAll(nameRun)].flatMap((match) => {
    const opening = /^(?:\P{L}*|.*[.!?]\s+)$/su.test(text.slice(0, match.index)) ? /^\S+\s+/u.exec(match[0])?.[0] : undefined;
    const lead = opening && stopWords.has(opening.trim().toLowerCase()) ? opening.length : 0;
    const end = match.index + match[0].length;
    const next = /^ ([\p{L}\p{N}]+)/u.exec(text.slice(end))?.[1];
    return next === undefined || stopWords.has(next.toLowerCase()) ? [{ start: match.index + lead, end }] : [];
  });
}

const overlap = (a: Place, b: Place): boolean => a.start < b.end && b.start < a.end;

/**
 * Text inputs by the words around them (REC-09): values that were shown or that a list offers, and names where several inputs are told apart by
 * such words. A shown value that stands in this goal is the same value, unless the words around it give it another part.
 */
function bindByRole(revision: Bindable, goal: string, bound: Readonly<Record<string, string>>, now: Date): Record<string, string> {
  const text = withoutUrls(goal);
  const inputs = Object.entries(revision.inputs.properties).filter(
    ([name, input]) => bound[name] === undefined && input.kind === "text" && input.default === undefined,
  );
  if (inputs.length === 0) return {};
  const shown = shownRoles(revision, now);
  const told = inputs.flatMap(([name]) => shown.flatMap((example) => example.get(name) ?? []));
  const found = findValues(goal, now).filter((value) => value.kind !== "text");
  const known = inputs.flatMap(([, input]) => [...input.examples, ...(input.choices ?? [])]).flatMap((value) => literalIn(text, value) ?? []);
  const isName = inputs.every(([name]) => revision.bindings.every((example) => /^\p{Lu}/u.test(example.inputs[name] ?? "A")));
  const names = inputs.length > 1 && isName && tellApart(told) ? namesIn(text).filter((name) => !found.some((value) => overlap(name, value))) : [];
  const places: Place[] = [];
  for (const place of [...known.sort((a, b) => b.end - b.start - (a.end - a.start)), ...names])
    if (!places.some((other) => overlap(place, other))) places.push(place);
  const written = places.map((place) => text.slice(place.start, place.end));
  const roles = rolesOf(text, places, [...places, ...found]);
  const scores = inputs.map(([name, input]) => {
    const examples = shown.flatMap((example) => example.get(name) ?? []);
    return written.map((value, index) => {
      const isOffered = input.choices === undefined || input.choices.some((choice) => words(choice).join("") === words(value).join(""));
      return isOffered && roles[index] ? agreement(examples, ownWords(revision, name), roles[index]) : undefined;
    });
  });
  const same = (index: number, input: SkillInput): string | undefined =>
    input.examples.find((example) => words(example).join("") === words(written[index] ?? "").join(""));
  const values: Record<string, string> = {};
  const pairs = inputs.length > 1 ? decidedPairs(scores) : new Map<number, number>();
  for (const [row, column] of pairs) {
    const entry = inputs[row];
    if (entry) values[entry[0]] = same(column, entry[1]) ?? written[column] ?? "";
  }
  const used = new Set(pairs.values());
  for (const [row, [name, input]] of inputs.entries()) {
    if (pairs.has(row)) continue;
    const index = places.findIndex((_, at) => !used.has(at) && same(at, input) !== undefined && (scores[row]?.[at] ?? -1) >= 0);
    // Its own words stand before something else: "a note about Kim to Lee" is not for Kim.
    const cues = new Set(shown.flatMap((example) => example.get(name)?.before[0] ?? []));
    const isCued = (role: Role | undefined): boolean => cues.has(role?.before[0] ?? "");
    if (index < 0 || claimed(scores, row, index) || (!isCued(roles[index]) && rolesOf(text, namesIn(text)).some(isCued))) continue;
    values[name] = same(index, input) ?? "";
    used.add(index);
  }
  return values;
}

/** Whether another input's words speak more for a value than those of the input at `row` do. */
function claimed(scores: readonly (readonly (number | undefined)[])[], row: number, column: number): boolean {
  return scores.some((line, other) => other !== row && (line[column] ?? 0) > Math.max(0, scores[row]?.[column] ?? 0));
}

function literalPattern(text: string): string {
  const inner = tokens(text).map((token) => text.slice(token.start, token.end).replace(/[.*+?^${}()|[\]\\]/gu, "\\$&"));
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
      if (taken.some((place) => place.start < last.end && first.start < place.end)) continue;
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
 */
export async function bindInputs(
  revision: Bindable,
  goal: string,
  options: { readonly now: Date; readonly given?: Readonly<Record<string, string>>; readonly model: LanguageModel | null; readonly signal: AbortSignal },
): Promise<Binding> {
  const values: Record<string, string> = {};
  const how: Binding["how"] = {};
  const take = (from: Record<string, string>, by: Binding["how"][string]): void => {
    for (const [name, value] of Object.entries(from)) {
      if (values[name] !== undefined || revision.inputs.properties[name] === undefined) continue;
      values[name] = value;
      how[name] = by;
    }
  };
  take({ ...(options.given ?? {}) }, "given");
  take(bindTyped(revision, goal, options.now), "typed");
  for (const [name, input] of Object.entries(revision.inputs.properties)) {
    const shaped = input.kind === "text" && input.choices === undefined && values[name] === undefined ? bindByShape(input, goal) : undefined;
    if (shaped !== undefined) take({ [name]: shaped }, "example");
  }
  take(bindByExample(revision, goal, options.now), "example");
  // Inputs with a default are left to the page, which shows what there is to choose from (SHO-10).
  const byRole = bindByRole(revision, goal, values, options.now);
  take(byRole, "example");
  for (const [name, input] of Object.entries(revision.inputs.properties)) {
    if (values[name] !== undefined && input.choices) {
      const chosen = chosenIn(values[name], input.choices);
      if (chosen !== undefined) values[name] = chosen;
      else delete values[name];
    }
    const said = input.choices && values[name] === undefined ? chosenIn(withoutUrls(goal), input.choices) : undefined;
    // What the words around it gave to another input is not said for this one as well.
    if (said !== undefined && !Object.values(byRole).some((value) => fold(value) === fold(said))) take({ [name]: said }, "example");
  }
  const fromPage = leftToPage(revision);
  const left = Object.entries(revision.inputs.properties).filter(
    ([name, input]) => values[name] === undefined && input.kind === "text" && input.default === undefined && !fromPage.has(name),
  );
  let tokensEvaluated = 0;
  if (left.length > 0 && options.model) {
    const asked = await askModel(revision, goal, left, values, options.model, options.now, options.signal);
    tokensEvaluated = asked.tokensEvaluated;
    take(asked.values, "model");
  }
  for (const [name, value] of Object.entries(values)) values[name] = withYear(value, name, revision, options.now);
  const named = Object.keys(values);
  for (const [name, input] of Object.entries(revision.inputs.properties)) if (input.default !== undefined) take({ [name]: input.default }, "default");
  const missing = revision.inputs.required.filter((name) => values[name] === undefined && !fromPage.has(name));
  return { values, named, missing, how, tokensEvaluated };
}

/**
 * Word inputs that only say which link or row to take: the page shows what there is, and the one the goal names is taken there (find-target), so
 * they need neither a model nor a question.
 */
function leftToPage(revision: Bindable): Set<string> {
  const typed = JSON.stringify(revision.steps.map((step) => [step.call?.args.text ?? "", step.call?.args.option ?? ""]));
  return new Set(
    Object.entries(revision.inputs.properties)
      .filter(([name, input]) => input.kind === "text" && input.choices === undefined && !new RegExp(`\\{\\{${name}(?:\\||\\}\\})`, "u").test(typed))
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
  const shapes = new Set(input.examples.filter((example) => /\d/u.test(example) && /\p{L}/u.test(example)).map(shapeOf));
  if (shapes.size === 0) return undefined;
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
  return found.size === 1 ? [...found][0] : undefined;
}

/** A day without a year that is to be typed or chosen means the next such day; on a control's name any year fits, so it stays open there. */
function withYear(canonical: string, name: string, revision: Bindable, now: Date): string {
  const value = canonical.startsWith("--") ? readCanonicalDate(canonical) : undefined;
  if (!value) return canonical;
  const typed = revision.steps.some((step) =>
    [step.call?.args.text, step.call?.args.option].some((text) => typeof text === "string" && new RegExp(`\\{\\{${name}(?:\\||\\}\\})`, "u").test(text)),
  );
  if (!typed) return canonical;
  const today = canonicalDate({ year: null, month: now.getMonth() + 1, day: value.day === null ? null : now.getDate() });
  return canonicalDate({ ...value, year: now.getFullYear() + (canonical < today ? 1 : 0) });
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
        `Request: ${withoutUrls(example.goal).replace(/\s+/gu, " ").trim()}\n${open.map(([name, input]) => `${name}: ${exampleText(example.inputs[name], input, example.goal) ?? "(not said)"}`).join("\n")}`,
    )
    .join("\n\n");
  const values: Record<string, string> = {};
  let tokensEvaluated = 0;
  let written = "";
  // One input at a time, each a choice among runs of words of the goal, with the lines before it standing.
  for (const [name, input] of open) {
    const free = (input.choices ?? spans).filter((span) => !Object.values(values).includes(span));
    const answer = await model.generate(
      {
        messages: [
          { role: "system", text: "You copy values out of requests, word for word. If a request does not say a value, write (not said)." },
          { role: "user", text: `${shown}\n\nRequest: ${withoutUrls(goal).replace(/\s+/gu, " ").trim()}\nWrite the same lines for this request.` },
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
