import { stopWords } from "#base/stop-words.ts";
import { fold, words } from "#base/text.ts";
import type { Call, Target } from "#contract/skills/schema.ts";
import type { PageElement, PageView } from "../ports/browser.ts";
import { isPager } from "../skills/index.ts";
import { findValues, formsOf, renderValue } from "../skills/values/index.ts";

/** Where one is in a person's advice: what it says beyond this offset is still to come. */
export interface HintPlace {
  readonly offset: number;
  /** Fields filled already; a field named once is filled once. */
  readonly filled: readonly string[];
}

export const hintStart: HintPlace = { offset: 0, filled: [] };

/** An element that the advice names next. */
export interface HintMatch {
  readonly element: PageElement;
  readonly offset: number;
}

const submitVerb =
  /\b(?:submit|send|save|confirm|apply|book|finish|continue|place|post|publish|request|search|find|update|report|register|go|press the button)\b/iu;

interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

function tokensOf(text: string): Token[] {
  return [...text.matchAll(/[\p{L}\p{N}]+(?:['’]\p{L}+)*/gu)].map((match) => ({
    word: fold(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ies|es|s|ing|ed)$/u, "") : word;
}

/** Words in which the goal's values may stand on a page ("14 Feb 2027" also as 2027, 02, february). */
function goalWords(goal: string, now: Date): Set<string> {
  const all = new Set(words(goal).map(stem));
  for (const value of findValues(goal, now))
    for (const form of formsOf(value.kind)) for (const word of words(renderValue(value.canonical, value.kind, form) ?? "")) all.add(stem(word));
  return all;
}

/**
 * Finds the element the advice names next: the earliest mention after the present offset of a name that is on the page. A name's words must
 * all stand in the advice or be values of the goal, so "Download June bill" is no match for advice about the March bill; names on no page are
 * passed over (ENGINE.md, "What a laptop-size model needs").
 */
export function nextByHint(hint: string, goal: string, place: HintPlace, page: PageView, now: Date): HintMatch | undefined {
  const rest = tokensOf(hint).filter((token) => token.start >= place.offset);
  // The advice is used up: what is left is to look at what came of it.
  if (rest.length === 0) return undefined;
  const inHint = new Map<string, Token>();
  for (const token of rest) if (!inHint.has(stem(token.word))) inHint.set(stem(token.word), token);
  const inGoal = goalWords(goal, now);
  const found: { element: PageElement; start: number; end: number; weight: number }[] = [];
  for (const element of page.elements) {
    if (element.disabled || element.secret) continue;
    if (element.action !== "click" && place.filled.includes(element.label)) continue;
    // Equal names in rows: the row must be the goal's.
    if (element.within !== "" && !words(element.within).some((word) => !stopWords.has(word) && inGoal.has(stem(word)))) continue;
    const exact = hint.indexOf(element.name, place.offset);
    if (
      element.name.length > 1 &&
      exact >= 0 &&
      !/[\p{L}\p{N}]/u.test(hint[exact - 1] ?? " ") &&
      !/[\p{L}\p{N}]/u.test(hint[exact + element.name.length] ?? " ")
    ) {
      found.push({ element, start: exact, end: exact + element.name.length, weight: 100 + element.name.length });
      continue;
    }
    const own = words(`${element.name} ${element.within}`).filter((word) => !stopWords.has(word));
    const named = words(element.name).filter((word) => !stopWords.has(word));
    const telling = named.length === 0 ? own : named;
    if (telling.length === 0) continue;
    const mentioned = telling.map((word) => inHint.get(stem(word))).filter((token): token is Token => token !== undefined);
    const covered = telling.every((word) => inHint.has(stem(word)) || inGoal.has(stem(word)));
    if (!covered) continue;
    const first = mentioned.sort((a, b) => a.start - b.start)[0];
    if (!first && named.length < 1) continue;
    const last = mentioned.at(-1);
    found.push({ element, start: first?.start ?? hint.length, end: last?.end ?? place.offset, weight: telling.length + mentioned.length });
  }
  const inMain = (element: PageElement): number =>
    element.landmark === "navigation" || element.landmark === "contentinfo" || element.landmark === "banner" ? 0 : 1;
  found.sort((a, b) => a.start - b.start || b.weight - a.weight || inMain(b.element) - inMain(a.element));
  const best = found[0];
  if (best) return { element: best.element, offset: Math.max(place.offset, best.element.action === "click" ? best.end : place.offset) };
  const remaining = hint.slice(place.offset);
  const submit = page.elements.filter((element) => element.role === "button" && !element.disabled && inMain(element) === 1 && submitVerb.test(element.name));
  if (place.filled.length > 0 && submitVerb.test(remaining) && submit[0] && submit.length === 1) return { element: submit[0], offset: hint.length };
  const ways = page.elements.filter((element) => element.action === "click" && !element.disabled && isPager(element.name));
  if (ways[0] && /\b(?:older|next|more|page|until|find|look)\b/iu.test(hint)) return { element: ways[0], offset: place.offset };
  return undefined;
}

/** The place in the advice after a step that went well: on, when it was the one advised; a field filled otherwise is not advised again. */
export function hintAfter(place: HintPlace, advised: HintMatch, call: Call, before: PageView): HintPlace {
  const target = call.args.target as Target | undefined;
  if (!target) return place;
  const isFilled = call.tool !== "browser_click";
  if (target.name === advised.element.name && target.role === advised.element.role)
    return { offset: advised.offset, filled: isFilled ? [...place.filled, advised.element.label] : place.filled };
  if (!isFilled) return place;
  const same = before.elements.filter((element) => element.name === target.name && element.role === target.role);
  return { ...place, filled: [...place.filled, ...same.map((element) => element.label)] };
}
