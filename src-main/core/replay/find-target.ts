import { stopWords } from "#base/stop-words.ts";
import { fold, standInRow, words } from "#base/text.ts";
import { matchesWildcard } from "#base/wildcard.ts";
import type { SkillInputs, Target } from "#contract/skills/schema.ts";
import type { PageElement, PageView } from "../ports/browser.ts";
import { fill, findPlaceholders, isFixedLandmark, placeholderNames } from "../skills/index.ts";
import { chosenIn, findValues, type NamedValue, renderValue, toTemplate } from "../skills/values/index.ts";

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

export type Sight =
  /** `values` are the bindings as this page has them: what was left to the page is known from here on. */
  | { readonly kind: "found"; readonly element: PageElement; readonly values: Readonly<Record<string, string>> }
  /** `siblings` fit the pattern with another value and must not be touched (SHO-09). */
  | { readonly kind: "missing"; readonly wanted: string; readonly siblings: readonly PageElement[] };

/** The cells of a row as the page gives them, or the whole text of a card. */
function cellsOf(context: string): string[] {
  return context
    .split(" | ")
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "");
}

/**
 * The text of the page that a word value means. What the page calls a thing stands above how much of it was read out of the goal: "Oak desk
 * lamp" and not "Oak desk" where the goal says the longer one, "Bread for Bakers" where the reading took in a word too many. Undefined when
 * nothing on the page stands in the goal.
 */
function groundedText(texts: readonly string[], value: string | undefined, goal: string): string | undefined {
  const inGoal = words(goal);
  const own = value === undefined ? undefined : words(value);
  let best: { text: string; length: number } | undefined;
  for (const text of texts) {
    const said = words(text);
    const telling = said.filter((word) => !stopWords.has(word));
    if (telling.length === 0 || !standInRow(inGoal, said)) continue;
    if (own ? !(standInRow(said, own) || standInRow(own, said)) : telling.join("").length < 4 || /^[\d.,]+$/u.test(telling.join(""))) continue;
    if (!best || said.length > best.length) best = { text, length: said.length };
  }
  return best?.text;
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

/** A template as a pattern: `*` for every value. */
function asPattern(template: string): string {
  return fill(template, () => "*");
}

/** Whether a name, folded, is what a pattern with `*` stands for. */
function fits(pattern: string, name: string): boolean {
  return matchesWildcard(fold(pattern), fold(name));
}

const clickable = new Set([
  "link",
  "button",
  "menuitem",
  "tab",
  "option",
  "treeitem",
  "checkbox",
  "radio",
  "switch",
  "row",
  "listitem",
  "summary",
  "disclosuretriangle",
]);
const textual = new Set(["textbox", "searchbox", "spinbutton", "combobox", "date"]);

function sameRole(wanted: string, role: string): number {
  if (wanted === role) return 2;
  return (clickable.has(wanted) && clickable.has(role)) || (textual.has(wanted) && textual.has(role)) ? 1 : 0;
}

function withoutForms(template: string): string {
  return fold(template.replace(/\|[^}]*\}\}/gu, "}}"));
}

/** Whether `inner`'s words stand in a row in `outer`'s, written together or not. */
function holdsWords(outer: string, inner: string): boolean {
  const [all, wanted] = [words(outer), words(inner)];
  return standInRow(all, wanted) || (wanted.length > 1 && all.join("").includes(wanted.join("")));
}

function inRow(element: PageElement, within: string): boolean {
  if (within === "") return true;
  const pattern = fold(within)
    .split("*")
    .filter((part) => part.trim() !== "");
  const cells = cellsOf(element.context).map(fold);
  if (cells.length > 1 && pattern.every((part) => cells.includes(part.trim()))) return true;
  const row = fold(`${element.context} ${element.within} ${element.label}`);
  return pattern.every((part) => row.includes(part.trim())) || holdsWords(row, within);
}

const counter = /\s*[([{]\s*\d[\d.,\s]*\+?\s*[)\]}]|\s*[·•:–—|]\s*\d[\d.,]*\+?$/gu;
const anyDay = new Date(0);

/** A name without what changes by itself: counters ("Messages (3)") and days ("Agenda, 30 November"). */
function stablePart(name: string): string {
  let rest = name;
  for (const { kind, start, end } of findValues(name, anyDay).toReversed())
    if (kind === "date" || kind === "month" || kind === "time") rest = `${rest.slice(0, start)} ${rest.slice(end)}`;
  return fold(rest.replace(counter, " "));
}

/** The only element of this role whose name is the same but for what changes by itself; a rest without a word tells nothing. */
function sameButForCounters(candidates: readonly PageElement[], target: Target): PageElement | undefined {
  const wanted = stablePart(target.name);
  if (!/\p{L}{2}/u.test(wanted)) return undefined;
  const [only, ...more] = candidates.filter((element) => element.role === target.role && stablePart(element.name) === wanted);
  return more.length === 0 ? only : undefined;
}

/** The only element whose whole name, stop words aside, stands in the goal. */
function namedByGoal(candidates: readonly PageElement[], goal: string): PageElement | undefined {
  const inGoal = new Set(words(goal));
  const named = candidates.filter((element) => {
    const own = words(element.name).filter((word) => !stopWords.has(word));
    return own.length > 0 && own.every((word) => inGoal.has(word));
  });
  const longest = Math.max(0, ...named.map((element) => words(element.name).length));
  const best = named.filter((element) => words(element.name).length === longest);
  return best.length === 1 ? best[0] : undefined;
}

/** The bindings with word values as this page has them, for the inputs that tell elements of this target apart. */
function onThisPage(target: Target, candidates: readonly PageElement[], bindings: Bindings): Bindings {
  const values: Record<string, string> = { ...bindings.values };
  const isWord = (input: string): boolean =>
    bindings.inputs.properties[input]?.kind === "text" &&
    bindings.inputs.properties[input]?.choices === undefined &&
    bindings.inputs.properties[input]?.default === undefined;
  const set = (input: string, texts: readonly string[]): void => {
    const found = groundedText(texts, values[input], bindings.goal);
    if (found !== undefined) values[input] = found;
  };
  const bare = /^[*\s]*$/u.test(asPattern(target.name));
  for (const input of placeholderNames(target.name)) {
    if (bindings.inputs.properties[input]?.choices !== undefined) {
      // What there is to choose from may have changed since it was shown.
      const there = candidates.filter((element) => element.role === target.role).map((element) => element.name);
      const chosen = there.some((name) => fold(name) === fold(values[input] ?? "")) ? undefined : chosenIn(bindings.goal, there);
      if (chosen !== undefined) values[input] = chosen;
    }
    if (!isWord(input)) continue;
    if (bare)
      set(
        input,
        candidates.filter((element) => !isFixedLandmark(element.landmark)).map((element) => element.name),
      );
    else
      set(
        input,
        candidates.flatMap((element) => valueInName(target.name, element.name)),
      );
  }
  const rows = candidates.filter((element) => fold(element.name) === fold(target.name)).flatMap((element) => [...cellsOf(element.context), element.within]);
  for (const input of placeholderNames(target.within ?? "")) if (isWord(input)) set(input, rows);
  return { ...bindings, values };
}

/** A default that gave way to what the goal names is known by that from here on. */
function withChosen(pattern: string, name: string, bindings: Bindings): Readonly<Record<string, string>> {
  const [input, ...more] = placeholderNames(pattern);
  const [value] = valueInName(pattern, name);
  return input === undefined || more.length > 0 || value === undefined ? bindings.values : { ...bindings.values, [input]: value };
}

/** What stands where the placeholder does, for a name that fits the pattern otherwise. */
function valueInName(pattern: string, name: string): string[] {
  const [before = "", after = ""] = pattern.split(/\{\{[^}]*\}\}/u).map(fold);
  const folded = fold(name);
  return folded.startsWith(before) && folded.endsWith(after) && folded.length > before.length + after.length && folded.length === name.length
    ? [name.slice(before.length, name.length - after.length)]
    : [];
}

/**
 * Looks on the page for the element a step means. Order: the exact name; the name but for counters and days; the name with wildcards; the same value written in another form;
 * for a name that is only a value, elements that hold its words; for a name that rests on a default, the only element the goal names.
 * Never an element whose pattern fits with another value.
 */
export function findTarget(target: Target, page: PageView, bindings: Bindings): Sight {
  const action = page.elements.filter((element) => !element.disabled);
  const candidates = action
    .map((element) => ({ element, role: sameRole(target.role, element.role) }))
    .filter((candidate) => candidate.role > 0)
    .sort((a, b) => b.role - a.role)
    .map((candidate) => candidate.element);
  bindings = onThisPage(target, candidates, bindings);
  const holds = target.name.includes("{{") || (target.within ?? "").includes("{{");
  const name = fillText(target.name, bindings);
  const within = target.within === undefined ? "" : fillText(target.within, bindings);
  const general = asPattern(target.name);
  const bare = /^[*\s]*$/u.test(asPattern(target.name).replace(/["'“”‘’]/gu, ""));
  const missing = (): Sight => {
    const siblings = !holds
      ? []
      : candidates.filter((element) =>
          bare && target.name.includes("{{") ? !isFixedLandmark(element.landmark) && element.role === target.role : fits(general, element.name),
        );
    return { kind: "missing", wanted: `${target.role} ${name ?? fill(target.name, () => "…")}${within ? ` (${within})` : ""}`, siblings };
  };
  const resting = placeholderNames(target.name).filter((input) => !bindings.named.has(input) && bindings.inputs.properties[input]?.default !== undefined);
  if (resting.length > 0) {
    const alike = candidates.filter((element) => (bare ? true : fits(general, element.name)));
    const chosen = namedByGoal(
      alike.filter((element) => element.role === target.role && !isFixedLandmark(element.landmark)),
      bindings.goal,
    );
    if (chosen) return { kind: "found", element: chosen, values: withChosen(target.name, chosen.name, bindings) };
  }
  if (name === undefined || within === undefined) return missing();
  const inPlace = (list: readonly PageElement[]): PageElement | undefined => {
    const cells = (element: PageElement): boolean =>
      fold(within)
        .split("*")
        .every((part) => part.trim() === "" || cellsOf(element.context).map(fold).includes(part.trim()) || fold(element.within) === part.trim());
    const exactRows = within === "" ? [] : list.filter(cells);
    const rows = exactRows.length > 0 ? exactRows : list.filter((element) => inRow(element, within));
    if (within !== "" && rows.length > 0) return rows[0];
    // The row was only needed to tell equal names apart; where the name is alone it may be left out, unless it carries a value.
    if (within !== "" && target.within?.includes("{{") !== true && list.length === 1) return list[0];
    return within === "" ? list[0] : undefined;
  };
  const wanted = fold(name);
  const exact = inPlace(candidates.filter((element) => fold(element.name) === wanted));
  if (exact) return { kind: "found", element: exact, values: bindings.values };
  if (!holds) {
    const renamed = sameButForCounters(candidates, target);
    if (renamed) return { kind: "found", element: renamed, values: bindings.values };
  }
  if (name.includes("*")) {
    const loose = inPlace(candidates.filter((element) => fits(name, element.name)));
    if (loose) return { kind: "found", element: loose, values: bindings.values };
  }
  if (target.name.includes("{{")) {
    const values: NamedValue[] = placeholderNames(target.name).flatMap((input) => {
      const canonical = bindings.values[input];
      return canonical === undefined ? [] : [{ name: input, kind: bindings.inputs.properties[input]?.kind ?? "text", canonical }];
    });
    const shape = withoutForms(target.name);
    const otherForm = inPlace(candidates.filter((element) => fits(shape, withoutForms(toTemplate(element.name, values)))));
    if (otherForm) return { kind: "found", element: otherForm, values: bindings.values };
    if (bare) {
      const holding = candidates.filter((element) =>
        values.every((value) => holdsWords(element.name, renderValue(value.canonical, value.kind, inputForm(target.name, value.name)) ?? value.canonical)),
      );
      const shortest = [...holding].sort((a, b) => a.name.length - b.name.length);
      const best = inPlace(shortest);
      if (best) return { kind: "found", element: best, values: bindings.values };
    }
  }
  return missing();
}

function inputForm(text: string, input: string): string | undefined {
  return findPlaceholders(text).find(({ name }) => name === input)?.form;
}

/** The option of a list that a filled value means: the same text, else the only one that holds all its words. */
export function findOption(options: readonly string[], wanted: string): string | undefined {
  const same = options.find((option) => fold(option) === fold(wanted));
  if (same !== undefined) return same;
  const wild = wanted.includes("*") ? options.filter((option) => fits(wanted, option)) : [];
  if (wild.length === 1) return wild[0];
  const holding = options.filter((option) => holdsWords(option, wanted));
  if (holding.length === 1) return holding[0];
  const stem = (word: string): string => word.replace(/(?:ies|es|s|ing|ed)$/u, "");
  const loose = options.filter((option) => {
    const own = new Set(words(option).map(stem));
    return words(wanted)
      .filter((word) => !stopWords.has(word))
      .every((word) => own.has(stem(word)));
  });
  return loose.length === 1 ? loose[0] : undefined;
}
