import { escapePattern, fold, standInRow, words } from "#base/text.ts";
import { isLike } from "#base/wildcard.ts";
import type { Target } from "#contract/skills/schema.ts";
import type { PageElement, PageView } from "../ports/browser.ts";
import { asPattern, fill, findPlaceholders, isFixedLandmark, pagersOn, placeholderNames, withoutForms } from "../skills/index.ts";
import { chosenIn, renderValue, tellingStems, toTemplate } from "../skills/values/index.ts";
import { type Bindings, fillKnown, fillText, valuesOf } from "./bindings.ts";
import { groundedText, ledTo, ownValue, valueInName } from "./grounded-text.ts";
import { cellsOf, inRow } from "./in-row.ts";
import { closestToGoal, isPick, meantInstead, namedByGoal, saysMore, sharesWord, shownName, spokenInFull, unaccounted } from "./spoken-of.ts";
import { sameButForCounters } from "./stable-name.ts";
import { holdsWhole, isClosely } from "./whole-words.ts";

export type Sight =
  /** `values` are the bindings as this page has them: what was left to the page is known from here on. */
  | { readonly kind: "found"; readonly element: PageElement; readonly values: Readonly<Record<string, string>> }
  /** `siblings` fit the pattern with another value and must not be touched (SHO-09). */
  | { readonly kind: "missing"; readonly wanted: string; readonly siblings: readonly PageElement[] }
  /** These fit alike, and nothing says which is meant: none is taken (SHO-09). */
  | { readonly kind: "several"; readonly wanted: string; readonly among: readonly PageElement[] };

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

/** The bindings with word values as this page has them, for the inputs that tell elements of this target apart. */
function onThisPage(target: Target, candidates: readonly PageElement[], bindings: Bindings): Bindings {
  const values: Record<string, string> = { ...bindings.values };
  const isWord = (input: string): boolean =>
    bindings.inputs.properties[input]?.kind === "text" &&
    bindings.inputs.properties[input]?.choices === undefined &&
    bindings.inputs.properties[input]?.default === undefined;
  const set = (input: string, texts: readonly string[]): void => {
    // What a choice of the run takes from the goal ("I accept the code of conduct") is not said for this one.
    const taken = Object.entries(bindings.values).flatMap(([name, value]) =>
      name === input || !bindings.inputs.properties[name]?.choices ? [] : [words(value)],
    );
    const free = values[input] === undefined ? texts.filter((text) => !taken.some((value) => standInRow(value, words(text)))) : texts;
    const found = groundedText(free, values[input], bindings.goal);
    if (found !== undefined) values[input] = found;
  };
  const bare = /^[*\s]*$/u.test(asPattern(target.name));
  for (const input of placeholderNames(target.name)) {
    if (bindings.inputs.properties[input]?.choices !== undefined) {
      // What there is to choose from may have changed since it was shown.
      const there = inGroup(
        candidates.filter((element) => element.role === target.role),
        input,
        bindings,
      ).map((element) => element.name);
      const chosen = there.some((name) => fold(name) === fold(values[input] ?? "")) ? undefined : chosenIn(bindings.goal, there);
      if (chosen !== undefined) values[input] = chosen;
    }
    if (values[input] === undefined && bindings.inputs.properties[input]?.default === undefined) {
      const there = candidates.flatMap((element) => valueInName(target.name, input, element.name));
      const led = ledTo(target.name, input, there, bindings.goal);
      if (led !== undefined) values[input] = led;
    }
    if (!isWord(input)) continue;
    if (bare) {
      set(
        input,
        candidates.filter((element) => !isFixedLandmark(element.landmark)).map((element) => element.name),
      );
      // A menu's entry only where the goal writes it as a name: "under Roses", not "help me".
      if (values[input] === undefined)
        set(
          input,
          candidates.filter((element) => isNamedIn(bindings.goal, element.name)).map((element) => element.name),
        );
    } else
      set(
        input,
        candidates.flatMap((element) => valueInName(target.name, input, element.name)),
      );
  }
  const rows = candidates.filter((element) => isLike(asPattern(target.name), element.name)).flatMap((element) => [...cellsOf(element.context), element.within]);
  for (const input of placeholderNames(target.within ?? "")) if (isWord(input)) set(input, rows);
  return { ...bindings, values };
}

/** Of radio buttons in several groups those of the group that a choice is one of: the one that offers what was offered when it was shown. */
function inGroup(radios: readonly PageElement[], input: string, { inputs }: Bindings): readonly PageElement[] {
  const groups = [...Map.groupBy(radios, ({ group }) => group ?? "").values()];
  if (groups.length < 2) return radios;
  const known = (name: string): ReadonlySet<string> =>
    new Set([...(inputs.properties[name]?.choices ?? []), ...(inputs.properties[name]?.examples ?? [])].map(fold));
  const shared = (group: readonly PageElement[], names: ReadonlySet<string>): number => group.filter(({ name }) => names.has(fold(name))).length;
  const [best] = groups.toSorted((a, b) => shared(b, known(input)) - shared(a, known(input)));
  if (best && shared(best, known(input)) > 0) return best;
  const others = Object.keys(inputs.properties).filter((name) => name !== input);
  const free = groups.filter((group) => others.every((name) => shared(group, known(name)) === 0));
  return free.length === 1 ? (free[0] ?? radios) : radios;
}

/** Whether a name stands in a text with its capitals, and not because a sentence begins there. */
function isNamedIn(text: string, name: string): boolean {
  return /^\p{Lu}/u.test(name) && new RegExp(`(?<![.!?:]\\s+|^\\W*|[\\p{L}\\p{N}])${escapePattern(name)}(?![\\p{L}\\p{N}])`, "u").test(text);
}

/** What the page calls the thing that was found is its name from here on; of several values in one name only the words, days and numbers are known. */
function asNamed(pattern: string, name: string, bindings: Bindings): Readonly<Record<string, string>> {
  const all = [...new Set(placeholderNames(pattern))];
  const isText = (input: string): boolean => bindings.inputs.properties[input]?.kind === "text";
  const typed = { ...bindings, values: Object.fromEntries(Object.entries(bindings.values).filter(([input]) => !isText(input))) };
  const rest = all.length === 1 ? pattern : fillKnown(pattern, typed);
  const values = all
    .filter((input) => all.length === 1 || isText(input))
    .flatMap((input) => valueInName(rest, input, name).map((value) => [input, value] as const));
  return { ...bindings.values, ...Object.fromEntries(values) };
}

/** What is known of a row: a part that neither goal nor page gives is left out, as long as another one tells rows apart. */
function withinKnown(within: string, bindings: Bindings): string | undefined {
  const parts = within.split("*").map((part) => ({ part, filled: fillText(part, bindings) }));
  const known = parts.filter(({ part, filled }) => part.includes("{{") && filled !== undefined);
  return known.length === 0 ? fillText(within, bindings) : parts.flatMap(({ filled }) => filled ?? []).join("*");
}

/** What may be pressed or filled on a page that has the role of a target, that very role first. */
function candidatesFor({ role }: Target, page: PageView): PageElement[] {
  return page.elements
    .filter((element) => !element.disabled)
    .map((element) => ({ element, fit: sameRole(role, element.role) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit)
    .map(({ element }) => element);
}

/** Whether a target's name is nothing but a value, quotation marks aside. */
function isBare(target: Target): boolean {
  return /^[*\s]*$/u.test(asPattern(target.name).replace(/["'“”‘’]/gu, ""));
}

/** The elements that fit a target's pattern, whatever the value; none for a target without a value in it. */
export function alikeOn(target: Target, page: PageView): PageElement[] {
  const general = asPattern(target.name);
  const inName = target.name.includes("{{");
  if (!inName && !(target.within ?? "").includes("{{")) return [];
  const bare = isBare(target);
  return candidatesFor(target, page).filter((element) =>
    bare && inName ? !isFixedLandmark(element.landmark) && element.role === target.role : isLike(general, element.name),
  );
}

/**
 * Looks on the page for the element a step means. Order: the exact name; the name but for counters and days; the name with wildcards; the same
 * value written in another form; for a name that is only a value, elements that hold its words; for a name that rests on a default, the only
 * element the goal names. Never an element whose pattern fits with another value, and never the first of several that fit a value alike.
 * @param ownNames folded names of what other steps of the routine press: on the way, and so nothing that the goal means instead
 */
export function findTarget(target: Target, page: PageView, start: Bindings, ownNames: ReadonlySet<string> = new Set()): Sight {
  const candidates = candidatesFor(target, page);
  const bindings = onThisPage(target, candidates, start);
  const others = candidates.filter((element) => !ownNames.has(fold(element.name)));
  const inName = target.name.includes("{{");
  const inWithin = (target.within ?? "").includes("{{");
  const name = fillText(target.name, bindings);
  const within = withinKnown(target.within ?? "", bindings);
  const isPartlyKnown = within !== undefined && fillText(target.within ?? "", bindings) === undefined;
  const general = asPattern(target.name);
  const bare = isBare(target);
  const wanted = `${target.role} ${name ?? fill(target.name, () => "…")}${within ? ` (${within})` : ""}`;
  const isSeveral = new Set(placeholderNames(target.name)).size > 1;
  const found = (element: PageElement, values = isSeveral ? asNamed(target.name, element.name, bindings) : bindings.values): Sight => {
    const [instead, ...more] = inName || isPick(element.role) ? meantInstead(element, others, bindings.goal) : [];
    if (!instead) return { kind: "found", element, values };
    // A narrower name may be meant or not; one in place of words that the goal does not say is.
    const isOther = (isPick(element.role) && element.role !== "checkbox") || !standInRow(tellingStems(instead.name), tellingStems(element.name));
    return isOther && more.length === 0
      ? { kind: "found", element: instead, values: inName ? asNamed(target.name, instead.name, bindings) : values }
      : { kind: "several", wanted, among: [element, instead, ...more] };
  };
  const missing = (): Sight => ({ kind: "missing", wanted, siblings: alikeOn(target, page) });
  const resting = placeholderNames(target.name).filter((input) => !bindings.named.has(input) && bindings.inputs.properties[input]?.default !== undefined);
  if (resting.length > 0) {
    const alike = candidates.filter((element) => (bare || isLike(general, element.name)) && element.role === target.role && !isFixedLandmark(element.landmark));
    const chosen = namedByGoal(alike, target.name, bindings.goal);
    const own = candidates.find((element) => name !== undefined && fold(element.name) === fold(name));
    // Where the goal speaks of the default as well, the other name is said in passing.
    const isSaid = own !== undefined && sharesWord(ownValue(target.name, own.name), bindings.goal);
    if (chosen && !(own && own !== chosen && isSaid)) return found(chosen, asNamed(target.name, chosen.name, bindings));
    // In a list that goes on, what the goal means may be further on; what was shown then is no stand-in for it. A button
    // of one name is none of a list.
    if (own && own.role !== "button" && !isFixedLandmark(own.landmark) && !isSaid && pagersOn(page).length > 0) return missing();
  }
  if (name === undefined && within !== undefined) {
    const shown = shownName(candidates, target, bindings);
    if (shown) return found(shown);
  }
  if (name === undefined && within !== undefined && (bare || !candidates.some((element) => isLike(general, element.name)))) {
    const list = others.filter((element) => element.role === target.role && !isFixedLandmark(element.landmark) && tellingStems(element.name).length > 1);
    const spoken = namedByGoal(list, target.name, unaccounted(bindings));
    if (spoken) return found(spoken, asNamed(target.name, spoken.name, bindings));
  }
  if (name === undefined && within !== undefined && (!bare || placeholderNames(target.name).length > 1)) {
    const alike = others.filter((element) => element.role === target.role && !isFixedLandmark(element.landmark) && isLike(general, element.name));
    const spoken = spokenInFull(alike, bindings.goal);
    if (spoken) return found(spoken, asNamed(target.name, spoken.name, bindings));
  }
  if (name === undefined || within === undefined) return missing();

  /** The one of these that is meant, when all of them fit the name. */
  const among = (fitting: readonly PageElement[], isExact: boolean): Sight | undefined => {
    if (fitting.length === 0) return undefined;
    if (within !== "") {
      const rows = inRow(fitting, target, bindings);
      // A part of the row that nothing tells may be the one that matters.
      if (rows.length > 0 && inWithin && isPartlyKnown) {
        const [only, ...more] = closestToGoal(rows, bindings.goal);
        return only && more.length === 0 && saysMore(only, within, bindings.goal) ? found(only) : { kind: "several", wanted, among: rows };
      }
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
    // What stands around the value on no control of this page was a part of what was shown then.
    if (!bare && within === "" && !candidates.some((element) => isLike(general, element.name))) {
      const holding = candidates.filter(
        (element) =>
          !isFixedLandmark(element.landmark) && values.every(({ canonical, kind }) => holdsWhole(element.name, renderValue(canonical, kind) ?? canonical)),
      );
      const held = values.length > 0 ? among(holding, false) : undefined;
      if (held) return held;
    }
  }
  return missing();
}

function inputForm(text: string, input: string): string | undefined {
  return findPlaceholders(text).find(({ name }) => name === input)?.form;
}
