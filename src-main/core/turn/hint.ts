import { stopWords } from "#base/stop-words.ts";
import { fold, standInRow, words } from "#base/text.ts";
import type { Call } from "#contract/skills/schema.ts";
import type { PageElement, PageView } from "../ports/browser.ts";
import { callTarget, isBackward, isFixedLandmark, pagersOn } from "../skills/index.ts";
import { chosenIn, type FoundValue, findValues, formsOf, renderValue, withoutUrls } from "../skills/values/index.ts";
import { type Clause, clausesOf } from "./hint-clauses.ts";
import { agree } from "./wrong-siblings.ts";

/** Where one is in a person's advice. */
export interface HintPlace {
  /** Index of the instruction that is being followed. */
  readonly clause: number;
  /** Names in it that were followed already. */
  readonly used: readonly string[];
  /** Fields and choices that have their value, by label. */
  readonly filled: readonly string[];
  /** Presses by page and label: the same press on the same page leads nowhere new. */
  readonly pressed: readonly string[];
  /** Page and label of the button that was followed last: a form sent, a question confirmed. Null when it was something else. */
  readonly sent: { readonly heading: string; readonly url: string; readonly label: string } | null;
}

export const hintStart: HintPlace = { clause: 0, used: [], filled: [], pressed: [], sent: null };

/** What the advice says comes next, and the place once it was done. */
export interface HintMatch {
  readonly element: PageElement;
  readonly next: HintPlace;
}

const submitVerb =
  /\b(?:submit|send|save|confirm|apply|book|finish|continue|place|post|publish|request|search|find|update|report|register|go|press the button)\b/iu;

function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ies|es|s|ing|ed)$/u, "") : word;
}

const months = /^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/u;

/** Words that tell one name from another: not those in brackets at its end ("(PDF)"); the month May is one, though "may" is none elsewhere. */
function tellingWords(text: string): string[] {
  return words(text.replace(/(?<=\S\s*)\([^)]*\)\s*$/u, "")).filter((word) => months.test(word) || !stopWords.has(word));
}

/** What is known while one page is looked at. */
interface Look {
  readonly goal: string;
  readonly goalWords: ReadonlySet<string>;
  readonly values: readonly FoundValue[];
  /** Words of the goal that are written as names. */
  readonly names: readonly string[];
  readonly now: Date;
  readonly page: PageView;
  readonly pageKey: string;
  readonly place: HintPlace;
}

/**
 * The element the advice names next. Instructions are followed in order: names they write exactly come first, then what they say in other
 * words, then what the goal names where they say "open it"; a later instruction is taken up where the page has its exact name and nothing of
 * the present one. Choices the goal names are made before a form is sent. Controls that show more of a list are used where nothing else fits,
 * and never twice on the same page. Undefined when the advice says nothing for this page, or is used up.
 */
export function nextByHint(hint: string, goal: string, place: HintPlace, page: PageView, now: Date): HintMatch | undefined {
  const clauses = clausesOf(hint);
  const wish = withoutUrls(goal);
  const values = findValues(wish, now);
  const look: Look = {
    goal: wish,
    goalWords: goalWordsOf(wish, values),
    values,
    names: namesIn(wish),
    now,
    page,
    pageKey: keyOf(page),
    place,
  };
  const usable = page.elements.filter(
    (element) =>
      !element.disabled &&
      !element.secret &&
      !(element.action === "click" ? place.pressed.includes(pressKey(look.pageKey, element)) : place.filled.includes(element.label)),
  );
  const pagers = pagersOn({ ...page, elements: usable });
  const steps = usable.filter((element) => !pagers.includes(element));
  const present = presentClause(clauses, place, steps, look);
  if (present === null) return undefined;
  const { match, index } = present;
  if (match) {
    const choice = sends(match.element) ? unansweredChoice(usable, look) : undefined;
    return choice ? { element: choice, next: answered(place, choice) } : match;
  }
  const choice = unansweredChoice(usable, look);
  if (choice) return { element: choice, next: answered(place, choice) };
  const way = wayFurther(clauses, index, usable, pagers);
  if (way) return { element: way, next: { ...place, pressed: [...place.pressed, pressKey(look.pageKey, way)] } };
  const rest = clauses
    .slice(index)
    .map(({ text }) => text)
    .join(" ");
  const submits = usable.filter((element) => element.role === "button" && isMain(element) && submitVerb.test(element.name));
  const [submit] = submits;
  if (place.filled.length > 0 && submitVerb.test(rest) && submit && submits.length === 1) return { element: submit, next: after(look, submit, clauses.length) };
  return undefined;
}

/**
 * Whether the advice has been followed to an end that leaves only telling: it says to tell something, or several instructions ended on a button that
 * led on. A form that is still there was not taken.
 */
export function isHintDone(hint: string, place: HintPlace, page: PageView): boolean {
  const clauses = clausesOf(hint);
  const left = clauses.slice(place.used.length > 0 ? place.clause + 1 : place.clause).filter((clause) => !clause.isConditional);
  if (left.some((clause) => !clause.tells)) return false;
  if (left.length > 0) return true;
  const { sent } = place;
  const isStill = sent?.heading === page.heading && sent.url === page.url && page.elements.some(({ label }) => label === sent.label);
  return place.clause > 0 && sent !== null && !isStill;
}

/** The place after a step that went well: on, when it was the one advised; a field filled otherwise is not advised again. */
export function hintAfter(place: HintPlace, advised: HintMatch, call: Call, before: PageView): HintPlace {
  const target = callTarget(call);
  if (!target) return place;
  const { element } = advised;
  if (target.name === element.name && target.role === element.role && (target.within ?? "") === element.within) return advised.next;
  const same = before.elements.filter((one) => one.name === target.name && one.role === target.role).map((one) => one.label);
  return call.tool === "browser_click" ? place : { ...place, filled: [...place.filled, ...same] };
}

/** The instruction that this page has something for, with that; its index alone when the page has nothing for the one that is due; null at the end. */
function presentClause(
  clauses: readonly Clause[],
  place: HintPlace,
  usable: readonly PageElement[],
  look: Look,
): { index: number; match: HintMatch | undefined } | null {
  let index = place.clause;
  let used = place.used;
  while (index < clauses.length) {
    const clause = clauses[index];
    if (clause && isStep(clause)) {
      // Once a name of it was followed, only fields and lists are still taken by other words: "the Reason and what you would like".
      const others = used.length === 0 ? usable : usable.filter(({ action }) => action !== "click");
      const element = searchField(clause, usable) ?? exactIn(clause, used, usable, look) ?? inOtherWords(clause, used, others, look);
      if (element) return { index, match: { element, next: after({ ...look, place: { ...place, used } }, element, index) } };
      // Nothing of it was followed yet: it is still due.
      if (used.length === 0) break;
    }
    index += 1;
    used = [];
  }
  if (!clauses.slice(index).some(isStep)) return null;
  const due = clauses[index];
  const named = due && speaksOfIt.test(due.text) ? namedByGoal(usable, look) : undefined;
  // "press Edit in the row of the ad" is not done by opening the ad: it names a control that is yet to come.
  const isDone = due !== undefined && !namesControl.test(due.text);
  if (named) return { index, match: { element: named, next: after({ ...look, place: { ...place, used: [] } }, named, isDone ? index + 1 : index, false) } };
  for (let later = index + 1; later < clauses.length; later++) {
    const clause = clauses[later];
    if (!clause || !isStep(clause)) continue;
    const element = exactIn(clause, [], usable, look);
    if (element) return { index: later, match: { element, next: after({ ...look, place: { ...place, used: [] } }, element, later) } };
  }
  return { index, match: undefined };
}

/** "press Edit in the row": a word with a capital that does not begin the instruction. */
const namesControl = /\s\p{Lu}/u;

function isStep(clause: Clause): boolean {
  return !clause.isConditional && !clause.tells;
}

/** "open it", "open the book", "press Edit in the row of the ad": the goal says which. */
const speaksOfIt = /\b(?:it|its|them|that|this|the|your|my|one)\b/iu;

/** "Search for the talk": the field comes before the button of that name. */
function searchField(clause: Clause, usable: readonly PageElement[]): PageElement | undefined {
  if (!/^(?:search|look up|find)\b/iu.test(clause.text)) return undefined;
  return usable.find((element) => element.action === "fill" && (element.role === "searchbox" || /\b(?:search|find|look up)\b/iu.test(element.name)));
}

/** Elements whose name stands in an instruction as the page writes it, first mention first; a name within a longer one is no mention of it. */
function exactIn(clause: Clause, used: readonly string[], usable: readonly PageElement[], look: Look): PageElement | undefined {
  const spans = look.page.elements
    .flatMap((element) => {
      const start = placeOf(element.name, clause.text);
      return start === undefined ? [] : [{ element, start, end: start + element.name.length }];
    })
    .filter((one, _index, all) => !all.some((other) => other.start <= one.start && other.end >= one.end && other.end - other.start > one.end - one.start))
    .filter(({ element }) => !used.includes(fold(element.name)))
    .sort((a, b) => a.start - b.start || fits(clause, b.element) - fits(clause, a.element) || main(b.element) - main(a.element));
  for (const { element } of spans) {
    const found = rightRow(
      spans.map((other) => other.element).filter((other) => other.name === element.name && usable.includes(other)),
      look,
    );
    if (found) return found;
  }
  return undefined;
}

function placeOf(name: string, text: string): number | undefined {
  if (name.length < 2) return undefined;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(text[at - 1] ?? " ") && !/[\p{L}\p{N}]/u.test(text[at + name.length] ?? " ")) return at;
  }
  return undefined;
}

/** An element whose telling words all stand in the instruction or are values of the goal, at least one of them in the instruction. */
function inOtherWords(clause: Clause, used: readonly string[], usable: readonly PageElement[], look: Look): PageElement | undefined {
  const said = new Set(words(clause.text).map(stem));
  const found = usable
    .filter((element) => !used.includes(fold(element.name)) && isMain(element) && !wasPressed(element, look.place))
    .flatMap((element) => {
      const own = tellingWords(element.name);
      const all = own.length > 0 ? own : words(element.name);
      const mentioned = all.filter((word) => said.has(stem(word)));
      const isCovered = all.length > 0 && mentioned.length > 0 && all.every((word) => said.has(stem(word)) || look.goalWords.has(stem(word)));
      return isCovered ? [{ element, weight: all.length + mentioned.length }] : [];
    })
    .sort((a, b) => fits(clause, b.element) - fits(clause, a.element) || b.weight - a.weight);
  const [best] = found;
  if (!best) return undefined;
  return rightRow(
    found.filter(({ element }) => element.name === best.element.name).map(({ element }) => element),
    look,
  );
}

/** The control in the main part of the page whose whole name stands in the goal, the longest; else the only one that carries a value of the goal. */
function namedByGoal(usable: readonly PageElement[], look: Look): PageElement | undefined {
  const inGoal = words(look.goal);
  const clickable = usable.filter((element) => element.action === "click" && isMain(element));
  const named = clickable
    .map((element) => ({ element, own: words(element.name) }))
    .filter(({ own }) => own.some((word) => word.length > 2 && !stopWords.has(word)) && standInRow(inGoal, own))
    .sort((a, b) => b.own.length - a.own.length);
  const [best] = named;
  if (best) {
    const alike = named.filter(({ element }) => fold(element.name) === fold(best.element.name));
    return rightRow(
      alike.map(({ element }) => element),
      look,
    );
  }
  const references = look.values.filter(({ kind, canonical }) => kind === "id" || (kind === "number" && canonical.length > 3));
  const carrying = clickable.filter(({ name }) =>
    findValues(name, look.now).some((own) => references.some((value) => value.kind === own.kind && value.canonical === own.canonical)),
  );
  return carrying.length === 1 ? carrying[0] : undefined;
}

/**
 * Of equal names the one whose row the goal names: most cells that stand in the goal, as words or as the same value in another form; else the row
 * that shares most words with it. Never a row with another day or reference than the goal's, nor one without any of the names the goal writes with a
 * capital: the entry of that day may be another project's.
 */
function rightRow(alike: readonly PageElement[], look: Look): PageElement | undefined {
  const [only] = alike;
  if (alike.length === 1 && only && only.within === "") return only;
  const inGoal = words(look.goal);
  const scored = alike.flatMap((element) => {
    const cells = (element.context || element.within).split(" | ").filter((cell) => cell.trim() !== "");
    const values = findValues(element.context, look.now).filter(({ kind }) => told.has(kind));
    const ofKind = look.values.filter((value) => values.some(({ kind }) => kind === value.kind));
    if (ofKind.length > 0 && !ofKind.some((value) => values.some((own) => own.kind === value.kind && agree(own, value)))) return [];
    /** Letters of a cell that the goal says, as words or as a value. */
    const said = (cell: string): number => {
      if (tellingWords(cell).length > 0 && standInRow(inGoal, words(cell))) return tellingWords(cell).join("").length;
      const shown = findValues(cell, look.now).find((own) => told.has(own.kind) && look.values.some((value) => value.kind === own.kind && agree(own, value)));
      return shown?.text.length ?? 0;
    };
    const named = [...new Set(cells)].map(said);
    const shared = new Set(cells.flatMap(tellingWords).filter((word) => look.goalWords.has(stem(word)))).size;
    return [{ element, named: named.reduce((sum, length) => sum + length, 0), shared }];
  });
  const [best] = scored.sort((a, b) => b.named - a.named || b.shared - a.shared);
  const row = words(`${best?.element.context ?? ""} ${best?.element.within ?? ""}`);
  if (alike.length > 1 && look.names.length > 0 && !look.names.some((name) => row.includes(name))) return undefined;
  if (!best || (best.named === 0 && best.shared === 0)) return alike.every((element) => element.within === "") ? only : undefined;
  return best.element;
}

/** Words with a capital inside a sentence, days and months aside. */
function namesIn(goal: string): string[] {
  return [...goal.matchAll(/(?<=[\p{Ll}\d,"'“‘)]\s+["'“‘(]?)\p{Lu}\p{Ll}+(?:['’]\p{Ll}+)?/gu)]
    .flatMap((match) => words(match[0]))
    .filter((word) => !months.test(word) && !/day$|^(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)$/u.test(word) && !stopWords.has(word));
}

/** Kinds of value that tell rows apart. */
const told: ReadonlySet<string> = new Set(["date", "month", "id"]);

/** A radio button or an option of a list that the goal names, and that is not chosen yet. */
function unansweredChoice(usable: readonly PageElement[], look: Look): PageElement | undefined {
  const lists = usable.filter((element) => element.action === "select" && isMain(element));
  for (const list of lists) {
    const wanted = chosenIn(look.goal, list.options);
    if (wanted !== undefined && fold(list.value) !== fold(wanted)) return list;
  }
  const groups = Map.groupBy(
    look.page.elements.filter((element) => element.role === "radio"),
    (element) => element.within,
  );
  for (const group of groups.values()) {
    const wanted = chosenIn(
      look.goal,
      group.map(({ name }) => name),
    );
    const element = group.find(({ name }) => name === wanted);
    if (element && usable.includes(element) && !look.place.filled.includes(element.label)) return element;
  }
  return undefined;
}

/**
 * A control that shows more of a list: one that an instruction next to the present one names for the need; else any that leads on, where the present
 * one leaves it to the goal what is meant.
 */
function wayFurther(clauses: readonly Clause[], index: number, usable: readonly PageElement[], pagers: readonly PageElement[]): PageElement | undefined {
  const near = [clauses[index + 1], clauses[index - 1]].filter((clause) => clause?.isConditional).map((clause) => clause?.text ?? "");
  const clickable = usable.filter((element) => element.action === "click");
  const named = clickable.find((element) => near.some((text) => placeOf(element.name, text) !== undefined));
  const due = clauses[index]?.text ?? "";
  const isOpen = near.length > 0 || (speaksOfIt.test(due) && !namesControl.test(due));
  return named ?? (isOpen ? pagers.find((element) => !isBackward(element.name)) : undefined);
}

function sends(element: PageElement): boolean {
  return element.role === "button";
}

function answered(place: HintPlace, element: PageElement): HintPlace {
  return { ...place, filled: [...place.filled, element.label] };
}

/** The place once an element of instruction `index` was used. */
function after({ place, page, pageKey }: Look, element: PageElement, index: number, counts = true): HintPlace {
  const isClick = element.action === "click";
  const used = index === place.clause ? place.used : [];
  return {
    clause: index,
    used: counts ? [...used, fold(element.name)] : used,
    filled: isClick ? place.filled : [...place.filled, element.label],
    pressed: isClick ? [...place.pressed, pressKey(pageKey, element)] : place.pressed,
    sent: sends(element) ? { heading: page.heading, url: page.url, label: element.label } : null,
  };
}

/** Whether it was pressed on some page: "go to the page with the repair" does not mean the link Repairs one came by. */
function wasPressed(element: PageElement, place: HintPlace): boolean {
  return element.action === "click" && place.pressed.some((key) => key.startsWith(`${element.label}\n`));
}

/** How well an element suits the verb of an instruction: fields are filled, lists and boxes chosen, the rest pressed. */
function fits(clause: Clause, element: PageElement): number {
  const wants = /^(?:fill|type|enter|write|put|set)\b/iu.test(clause.text) ? "fill" : /^(?:choose|select|pick|tick)\b/iu.test(clause.text) ? "select" : "click";
  const is = element.action === "click" && /^(?:radio|checkbox|switch|option)$/u.test(element.role) ? "select" : element.action;
  return wants === is ? 1 : 0;
}

function main(element: PageElement): number {
  return isMain(element) ? 1 : 0;
}

function isMain({ landmark }: PageElement): boolean {
  return !isFixedLandmark(landmark);
}

function keyOf(page: PageView): string {
  return `${page.url}\n${page.heading}\n${page.lines.join("\n")}`;
}

function pressKey(pageKey: string, element: PageElement): string {
  return `${element.label}\n${pageKey}`;
}

/** Words in which the goal's values may stand on a page ("14 Feb 2027" also as 2027, 02, february). */
function goalWordsOf(goal: string, values: readonly FoundValue[]): Set<string> {
  const all = new Set(words(goal).map(stem));
  for (const value of values)
    for (const form of formsOf(value.kind)) for (const word of words(renderValue(value.canonical, value.kind, form) ?? "")) all.add(stem(word));
  return all;
}
