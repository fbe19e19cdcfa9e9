import { stopWords } from "#base/stop-words.ts";
import { escapePattern, fold, standInRow, words } from "#base/text.ts";
import { isLike } from "#base/wildcard.ts";
import type { Target } from "#contract/skills/schema.ts";
import type { PageElement, PageView } from "../ports/browser.ts";
import { asPattern, fill, findPlaceholders, isChoiceRole, isFixedLandmark, isMarkRole, pagersOn, placeholderNames, withoutForms } from "../skills/index.ts";
import { chosenIn, findValues, renderValue, tellingStems, toTemplate, withoutUrls } from "../skills/values/index.ts";
import { type Bindings, fillText, valuesOf } from "./bindings.ts";
import { cellsOf, inRow } from "./in-row.ts";
import { sameButForCounters } from "./stable-name.ts";
import { holdsWhole, isClosely } from "./whole-words.ts";

export type Sight =
  /** `values` are the bindings as this page has them: what was left to the page is known from here on. */
  | { readonly kind: "found"; readonly element: PageElement; readonly values: Readonly<Record<string, string>> }
  /** `siblings` fit the pattern with another value and must not be touched (SHO-09). */
  | { readonly kind: "missing"; readonly wanted: string; readonly siblings: readonly PageElement[] }
  /** These fit alike, and nothing says which is meant: none is taken (SHO-09). */
  | { readonly kind: "several"; readonly wanted: string; readonly among: readonly PageElement[] };

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
    // A lone figure may stand in the goal for anything; "7 to 9" does not.
    // A day or a sum is what another input is for.
    if (!own && isTyped(text)) continue;
    const isTelling = said.length > 2 || (telling.join("").length >= 4 && !/^[\d.,]+$/u.test(telling.join("")));
    if (own ? !(standInRow(said, own) || isMostOf(said, value ?? "")) : !isTelling) continue;
    if (!best || said.length > best.length) best = { text, length: said.length };
  }
  return best?.text;
}

/** Whether a text is nothing but a day, a time, a number or a sum. */
function isTyped(text: string): boolean {
  const [only, ...more] = findValues(text, anyDay);
  return only !== undefined && more.length === 0 && only.kind !== "text" && only.kind !== "id" && words(only.text).length === words(text).length;
}

/** Words with which a goal goes on from a name to where or when; "of", "for" and "and" are found inside names. */
const goesOn = new Set(["at", "in", "on", "by", "from"]);

/**
 * Whether a text of the page is a value that was read too long out of the goal: "The Salt Road" of "the Salt Road book", "Bread for Bakers" of
 * "Bread for Bakers at Old Town"; but not "War" of "War and Peace".
 */
function isMostOf(said: readonly string[], value: string): boolean {
  const own = words(value);
  if (!standInRow(own, said)) return false;
  if (said.length > 1 && goesOn.has(own[said.length] ?? "") && standInRow(own.slice(0, said.length), said)) return true;
  const left = own.filter((word) => !said.includes(word) && !stopWords.has(word));
  const isName = (word: string): boolean => /\d/u.test(word) || value.includes(`${word[0]?.toUpperCase() ?? ""}${word.slice(1)}`);
  return left.length * 2 < own.length && !left.some(isName);
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

/** The only element whose name, but for what the pattern has around the value, stands in the goal. */
function namedByGoal(candidates: readonly PageElement[], pattern: string, goal: string): PageElement | undefined {
  const said = new Set(tellingStems(goal));
  const named = candidates
    .map((element) => ({ element, own: tellingStems(ownValue(pattern, element.name)) }))
    .filter(({ own }) => own.length > 0 && own.every((word) => said.has(word)));
  const longest = Math.max(0, ...named.map(({ own }) => own.length));
  const best = named.filter(({ own }) => own.length === longest);
  return best.length === 1 ? best[0]?.element : undefined;
}

/**
 * Elements that the goal speaks of where it does not speak of this one: "… as CSV" beside "… as PDF", "Seven-seater" beside "Compact". Only what
 * the two do not have in common counts, figures aside.
 */
function meantInstead(element: PageElement, candidates: readonly PageElement[], goal: string): PageElement[] {
  const said = new Set(tellingStems(goal));
  const tell = (one: PageElement): string[] => tellingStems(one.name).filter((word) => !/^\d/u.test(word));
  const own = tell(element);
  return candidates.filter((other) => {
    if (other === element || other.role !== element.role || isFixedLandmark(other.landmark)) return false;
    const all = tell(other);
    const [others, mine] = [all.filter((word) => !own.includes(word)), own.filter((word) => !all.includes(word))];
    const isAlike = isPick(element.role) || (mine.length > 0 && mine.length < own.length);
    return isAlike && others.length > 0 && others.every((word) => said.has(word)) && !mine.some((word) => said.has(word));
  });
}

/** Roles of which some are picked out of several by what the goal says. */
function isPick(role: string): boolean {
  return isChoiceRole(role) || isMarkRole(role);
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
        candidates.flatMap((element) => valueInName(target.name, input, element.name)),
      );
  }
  const rows = candidates.filter((element) => isLike(asPattern(target.name), element.name)).flatMap((element) => [...cellsOf(element.context), element.within]);
  for (const input of placeholderNames(target.within ?? "")) if (isWord(input)) set(input, rows);
  return { ...bindings, values };
}

/** A default that gave way to what the goal names is known by that from here on. */
function withChosen(pattern: string, name: string, bindings: Bindings): Readonly<Record<string, string>> {
  const [input, ...more] = placeholderNames(pattern);
  const [value] = input === undefined ? [] : valueInName(pattern, input, name);
  return input === undefined || more.length > 0 || value === undefined ? bindings.values : { ...bindings.values, [input]: value };
}

/** What stands where an input's placeholder does, for a name that fits the pattern otherwise. */
function valueInName(pattern: string, input: string, name: string): string[] {
  let isSeen = false;
  const expression = pattern
    .split(/(\{\{[^}]*\}\}|\*)/u)
    .map((part) => {
      if (part === "*") return ".*?";
      if (!part.startsWith("{{")) return escapePattern(part).replace(/\s+/gu, "\\s+");
      const isIt = !isSeen && placeholderNames(part)[0] === input;
      isSeen ||= isIt;
      return isIt ? "(.+?)" : ".+?";
    })
    .join("");
  const value = new RegExp(`^\\s*${expression}\\s*$`, "iu").exec(name)?.[1]?.trim();
  return value === undefined || value === "" ? [] : [value];
}

/** What is known of a row: a part that neither goal nor page gives is left out, as long as another one tells rows apart. */
function withinKnown(within: string, bindings: Bindings): string | undefined {
  const parts = within.split("*").map((part) => ({ part, filled: fillText(part, bindings) }));
  const known = parts.filter(({ part, filled }) => part.includes("{{") && filled !== undefined);
  return known.length === 0 ? fillText(within, bindings) : parts.flatMap(({ filled }) => filled ?? []).join("*");
}

/** The element that was shown, where the goal names none and speaks of no other as much as of this one. */
function shownName(candidates: readonly PageElement[], target: Target, bindings: Bindings): PageElement | undefined {
  const [input, ...more] = placeholderNames(target.name);
  const shown = input === undefined || more.length > 0 ? undefined : bindings.inputs.properties[input]?.examples[0];
  if (input === undefined || shown === undefined || bindings.values[input] !== undefined || bindings.named.has(input)) return undefined;
  const said = new Set(tellingStems(bindings.goal));
  const shared = (element: PageElement): number => new Set(tellingStems(element.name).filter((word) => word.length > 2 && said.has(word))).size;
  const own = candidates.find((element) => fold(element.name) === fold(target.name.replace(/\{\{[^}]*\}\}/u, () => shown)));
  // Where the rest of the goal is this routine's too, and it names nothing else, it is the same thing in other words.
  if (!own || shared(own) === 0 || bindings.named.size < 2 || namesOther(bindings, own)) return undefined;
  return candidates.every((element) => element.role !== own.role || shared(element) <= shared(own)) ? own : undefined;
}

/** Whether the goal has a name in it that no value accounts for. */
function namesOther(bindings: Bindings, own: PageElement): boolean {
  const accounted = new Set([own.name, ...Object.values(bindings.values)].flatMap(words));
  const names = withoutUrls(bindings.goal).matchAll(/(?<=[\p{L}\p{N},;:"'] ["']?)\p{Lu}[\p{L}\p{N}'’]+/gu);
  return [...names].some(([name]) => !accounted.has(fold(name)) && !words(name).every((word) => stopWords.has(word)) && !isTyped(name));
}

/** What stands for the value in a name that fits a pattern; all of it where that cannot be told. */
function ownValue(pattern: string, name: string): string {
  return valueInName(pattern, placeholderNames(pattern)[0] ?? "", name)[0] ?? name;
}

/**
 * Looks on the page for the element a step means. Order: the exact name; the name but for counters and days; the name with wildcards; the same
 * value written in another form; for a name that is only a value, elements that hold its words; for a name that rests on a default, the only
 * element the goal names. Never an element whose pattern fits with another value, and never the first of several that fit a value alike.
 */
export function findTarget(target: Target, page: PageView, start: Bindings): Sight {
  const candidates = page.elements
    .filter((element) => !element.disabled)
    .map((element) => ({ element, role: sameRole(target.role, element.role) }))
    .filter((candidate) => candidate.role > 0)
    .sort((a, b) => b.role - a.role)
    .map((candidate) => candidate.element);
  const bindings = onThisPage(target, candidates, start);
  const inName = target.name.includes("{{");
  const inWithin = (target.within ?? "").includes("{{");
  const name = fillText(target.name, bindings);
  const within = withinKnown(target.within ?? "", bindings);
  const general = asPattern(target.name);
  const bare = /^[*\s]*$/u.test(general.replace(/["'“”‘’]/gu, ""));
  const wanted = `${target.role} ${name ?? fill(target.name, () => "…")}${within ? ` (${within})` : ""}`;
  const found = (element: PageElement, values = bindings.values): Sight => {
    const [instead, ...more] = inName || isPick(element.role) ? meantInstead(element, candidates, bindings.goal) : [];
    if (!instead) return { kind: "found", element, values };
    return isPick(element.role) && element.role !== "checkbox" && more.length === 0
      ? { kind: "found", element: instead, values }
      : { kind: "several", wanted, among: [element, instead, ...more] };
  };
  const missing = (): Sight => {
    const isSibling = (element: PageElement): boolean =>
      bare && inName ? !isFixedLandmark(element.landmark) && element.role === target.role : isLike(general, element.name);
    return { kind: "missing", wanted, siblings: inName || inWithin ? candidates.filter(isSibling) : [] };
  };
  const resting = placeholderNames(target.name).filter((input) => !bindings.named.has(input) && bindings.inputs.properties[input]?.default !== undefined);
  if (resting.length > 0) {
    const alike = candidates.filter((element) => (bare || isLike(general, element.name)) && element.role === target.role && !isFixedLandmark(element.landmark));
    const chosen = namedByGoal(alike, target.name, bindings.goal);
    const own = candidates.find((element) => name !== undefined && fold(element.name) === fold(name));
    // Where the goal speaks of the default as well, the other name is said in passing.
    const isSaid = own !== undefined && sharesWord(ownValue(target.name, own.name), bindings.goal);
    if (chosen && !(own && own !== chosen && isSaid)) return found(chosen, withChosen(target.name, chosen.name, bindings));
    // In a list that goes on, what the goal means may be further on; what was shown then is no stand-in for it.
    if (own && !isFixedLandmark(own.landmark) && !isSaid && pagersOn(page).length > 0) return missing();
  }
  if (name === undefined && within !== undefined) {
    const shown = shownName(candidates, target, bindings);
    if (shown) return found(shown);
  }
  if (name === undefined || within === undefined) return missing();

  /** The one of these that is meant, when all of them fit the name. */
  const among = (fitting: readonly PageElement[], isExact: boolean): Sight | undefined => {
    if (fitting.length === 0) return undefined;
    if (within !== "") {
      const rows = inRow(fitting, target, bindings);
      // The row was only needed to tell equal names apart; where the name is alone it may be left out, unless it carries a value.
      if (rows.length === 0) return !inWithin && fitting.length === 1 ? found(fitting[0] as PageElement) : undefined;
      return inWithin ? oneOf(rows) : found(rows[0] as PageElement);
    }
    // The same name again without a value in it, or the whole of it a value: pages repeat their links, and lists their titles.
    return isExact || !inName ? found(fitting.find((element) => !isFixedLandmark(element.landmark)) ?? (fitting[0] as PageElement)) : oneOf(fitting);
  };
  const oneOf = (fitting: readonly PageElement[]): Sight => {
    const best = closestToGoal(fitting, bindings.goal);
    return best.length === 1 ? found(best[0] as PageElement) : { kind: "several", wanted, among: best };
  };

  const exact = among(
    candidates.filter((element) => fold(element.name) === fold(name)),
    true,
  );
  if (exact) return exact;
  if (!inName && !inWithin) {
    const renamed = sameButForCounters(candidates, target);
    if (renamed) return found(renamed);
  }
  if (name.includes("*")) {
    const loose = among(
      candidates.filter((element) => isLike(name, element.name)),
      false,
    );
    if (loose) return loose;
  }
  if (inName) {
    const values = valuesOf(placeholderNames(target.name), bindings);
    const shape = withoutForms(target.name);
    const otherForm = among(
      candidates.filter((element) => isLike(shape, withoutForms(toTemplate(element.name, values)))),
      true,
    );
    if (otherForm) return otherForm;
    if (bare) {
      const texts = values.map((value) => renderValue(value.canonical, value.kind, inputForm(target.name, value.name)) ?? value.canonical);
      const holding = candidates.filter((element) => texts.every((text) => holdsWhole(element.name, text)));
      const closely = holding.filter((element) => texts.every((text) => isClosely(element.name, text)));
      const held = among(closely.length > 0 ? closely : holding, false);
      if (held) return held;
    }
  }
  return missing();
}

/** Whether a telling word of a name stands in the goal. */
function sharesWord(name: string, goal: string): boolean {
  const said = tellingStems(goal);
  return tellingStems(name).some((word) => word.length > 2 && said.includes(word));
}

/**
 * Of elements that fit alike, those of which the goal says the most words, counted over name and row; the same thing twice (a picture and a
 * title that lead to it) is one.
 */
function closestToGoal(elements: readonly PageElement[], goal: string): readonly PageElement[] {
  const said = new Set(tellingStems(goal));
  // A day or a sum counts in whatever form the row has it.
  const values = findValues(goal, anyDay).map(({ kind, canonical }, index) => ({ name: `value-${index}`, kind, canonical }));
  const count = (element: PageElement): number => {
    const text = `${element.name} ${element.context}`;
    return new Set(tellingStems(text).filter((word) => said.has(word))).size + placeholderNames(toTemplate(text, values)).length;
  };
  const counts = elements.map(count);
  const most = Math.max(...counts);
  const best = elements.filter((_, index) => counts[index] === most);
  return [...new Map(best.toReversed().map((element) => [`${fold(element.name)}\n${fold(element.context)}`, element])).values()].reverse();
}

/** Days without a year in a goal are compared as they stand. */
const anyDay = new Date(0);

function inputForm(text: string, input: string): string | undefined {
  return findPlaceholders(text).find(({ name }) => name === input)?.form;
}
