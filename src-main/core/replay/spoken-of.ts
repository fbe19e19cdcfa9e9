import { stopWords } from "#base/stop-words.ts";
import { fold, standInRow, words } from "#base/text.ts";
import type { Target } from "#contract/skills/schema.ts";
import type { PageElement } from "../ports/browser.ts";
import { isChoiceRole, isFixedLandmark, isMarkRole, placeholderNames } from "../skills/index.ts";
import { anyDay, chosenIn, findValues, literalIn, longestSharedSpan, tellingStems, toTemplate, withoutUrls } from "../skills/values/index.ts";
import type { Bindings } from "./bindings.ts";
import { isTyped, ownValue } from "./grounded-text.ts";

/** Roles of which some are picked out of several by what the goal says. */
export function isPick(role: string): boolean {
  return isChoiceRole(role) || isMarkRole(role);
}

/**
 * Elements that the goal speaks of where it does not speak of this one: "… as CSV" beside "… as PDF", "Seven-seater" beside "Compact". Only what
 * the two do not have in common counts, figures aside.
 */
export function meantInstead(element: PageElement, candidates: readonly PageElement[], goal: string): PageElement[] {
  const said = new Set(tellingStems(goal));
  const tell = (one: PageElement): string[] => tellingStems(one.name).filter((word) => !/^\d/u.test(word));
  const own = tell(element);
  return candidates.filter((other) => {
    if (other === element || other.role !== element.role || other.group !== element.group || isFixedLandmark(other.landmark)) return false;
    const all = tell(other);
    const [others, mine] = [all.filter((word) => !own.includes(word)), own.filter((word) => !all.includes(word))];
    // "Swan Lake for Children" is a narrower "Swan Lake".
    const isNarrower = mine.length === 0 && own.length > 0;
    const isAlike = isPick(element.role) || isNarrower || (mine.length > 0 && mine.length < own.length);
    return isAlike && others.length > 0 && others.every((word) => said.has(word)) && !mine.some((word) => said.has(word));
  });
}

/**
 * The only element whose name, but for what the pattern has around the value, stands in the goal; a name with one telling word ("All workshops")
 * only as it is written.
 */
export function namedByGoal(candidates: readonly PageElement[], pattern: string, goal: string): PageElement | undefined {
  const said = new Set(tellingStems(goal));
  const inGoal = words(goal);
  const named = candidates
    .map((element) => ({ element, value: ownValue(pattern, element.name) }))
    .map(({ element, value }) => ({ element, value, own: tellingStems(value) }))
    .filter(({ own }) => own.length > 0 && own.every((word) => said.has(word)))
    .filter(({ own, value }) => own.length > 1 || standInRow(inGoal, words(value)) || words(value).length === 1);
  const longest = Math.max(0, ...named.map(({ own }) => own.length));
  const best = named.filter(({ own }) => own.length === longest);
  return best.length === 1 ? best[0]?.element : undefined;
}

/**
 * The option of a list that the goal names in full where it says nothing of the one that was shown: a choice that stood in no goal then gives way
 * to one that does now. What the values of the run account for ("Dr Patel" for the list "Mr, Ms, Dr") names no option.
 */
export function optionInstead(options: readonly string[], shown: string, bindings: Bindings): string | undefined {
  const goal = unaccounted(bindings);
  const meant = chosenIn(goal, options);
  if (meant === undefined || fold(meant) === fold(shown)) return undefined;
  const said = new Set(tellingStems(goal));
  const telling = tellingStems(meant);
  const isInFull = telling.some((word) => /\p{L}/u.test(word)) && telling.every((word) => said.has(word));
  return isInFull && !tellingStems(shown).some((word) => said.has(word) && !telling.includes(word)) ? meant : undefined;
}

/** The goal without what the run's values take from it. */
export function unaccounted({ goal, values }: Bindings): string {
  const typed = findValues(goal, anyDay);
  let rest = withoutUrls(goal);
  for (const value of Object.values(values)) {
    const shared = longestSharedSpan(rest, value);
    const part = shared && tellingStems(shared.inFirst).length > 1 ? shared : undefined;
    const place = typed.find(({ canonical }) => canonical === value) ?? literalIn(rest, value) ?? part;
    if (place) rest = `${rest.slice(0, place.start)}${"\u00b6".repeat(place.end - place.start)}${rest.slice(place.end)}`;
  }
  return rest;
}

/**
 * Of elements of one kind the one that the goal speaks of in full: every word and value by which its name differs from the others' stands in the goal,
 * in whatever order and writing, and it is the one of which the goal says most. Undefined where none or several are.
 */
export function spokenInFull(candidates: readonly PageElement[], goal: string): PageElement | undefined {
  const values = findValues(goal, anyDay).map(({ kind, canonical }, index) => ({ name: `value-${index}`, kind, canonical }));
  const said = new Set(tellingStems(goal));
  const isTelling = (mark: string): boolean => values.find(({ name }) => name === mark)?.kind !== "number";
  const told = candidates.map((element) => {
    const template = toTemplate(element.name, values);
    const rest = template.replace(/\{\{[^}]*\}\}/gu, " ");
    return { element, marks: placeholderNames(template), words: tellingStems(rest) };
  });
  const isShared = (word: string): boolean => candidates.length > 1 && told.every(({ words }) => words.includes(word));
  const full = told
    .map(({ element, marks, words }) => ({ element, marks, own: words.filter((word) => !isShared(word)) }))
    // A lone figure may stand in the goal for anything.
    .filter(
      ({ marks, own }) =>
        (marks.length > 1 || own.some((word) => !/^\d+$/u.test(word)) || marks.some((mark) => isTelling(mark))) && own.every((word) => said.has(word)),
    )
    .map(({ element, marks, own }) => ({ element, count: new Set([...marks, ...own]).size }))
    .sort((a, b) => b.count - a.count);
  const [best, second] = full;
  // The same thing may stand there twice.
  const isClear = !second || best === undefined || best.count > second.count || fold(best.element.name) === fold(second.element.name);
  return isClear ? best?.element : undefined;
}

/** Whether a telling word of a name stands in the goal. */
export function sharesWord(name: string, goal: string): boolean {
  const said = tellingStems(goal);
  return tellingStems(name).some((word) => word.length > 2 && said.includes(word));
}

/**
 * Of elements that fit alike, those of which the goal says the most words, counted over name and row; the same thing twice (a picture and a
 * title that lead to it) is one.
 */
export function closestToGoal(elements: readonly PageElement[], goal: string): readonly PageElement[] {
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

/** Whether the goal has a name in it that no value accounts for. */
function namesOther(bindings: Bindings, own: PageElement): boolean {
  const accounted = new Set([own.name, ...Object.values(bindings.values)].flatMap(words));
  const names = withoutUrls(bindings.goal).matchAll(/(?<=[\p{L}\p{N},;:"'] ["']?)\p{Lu}[\p{L}\p{N}'’]+/gu);
  return [...names].some(([name]) => !accounted.has(fold(name)) && !words(name).every((word) => stopWords.has(word)) && !isTyped(name));
}

/** The element that was shown, where the goal names none and speaks of no other as much as of this one. */
export function shownName(candidates: readonly PageElement[], target: Target, bindings: Bindings): PageElement | undefined {
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

/** Whether the goal speaks of an element's row beyond the part of it that is known: "Dev Patel's" of the bookings of that day. */
export function saysMore({ context, name }: PageElement, known: string, goal: string): boolean {
  const [said, told] = [new Set(tellingStems(goal)), new Set(tellingStems(`${known} ${name}`))];
  return tellingStems(context).some((word) => !/^\d/u.test(word) && said.has(word) && !told.has(word));
}
