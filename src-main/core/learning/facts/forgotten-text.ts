import { words } from "#base/text.ts";
import type { Fact } from "#contract/memory/schema.ts";
import type { Span } from "../../ports/stores.ts";
import { stem, tellingStems } from "../../skills/values/index.ts";
import { factsIn } from "./find-facts.ts";
import { isCommonNoun } from "./no-answer.ts";

/** What stands where a text told of a fact that was forgotten. */
export const forgottenMark = "[forgotten]";

/** Where a text tells of what is forgotten; in order, none in another. */
export type Telling = (text: string) => Span[];

/** Share of the telling words of a fact with which a sentence tells it. */
const tellingShare = 0.75;
const days =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tue|wed|thu|fri|sat|sun|january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|januar|februar|märz|mai|juni|juli|oktober|dezember|english|german|french|spanish|deutsch|englisch)$/u;
const ofSomebody = /\b(?:i|i'm|i've|my|me|mine|you|you're|your|yours|user|ich|mein\p{L}*|mir|mich|du|dein\p{L}*|dir|dich)\b/iu;

/**
 * What tells of these facts, however it is worded: a sentence with most of their telling words, as a whole, and elsewhere the names and numbers in them,
 * unless what stays in memory has them too. Pure.
 * @param texts what the facts say and said before
 * @param kept what stays in memory
 */
export function tellingOf(texts: readonly string[], kept: readonly Pick<Fact, "text">[] = []): Telling {
  const stays = new Set(kept.flatMap(({ text }) => words(text)));
  const values = new Set(texts.flatMap(valuesOf).filter((value) => !stays.has(value)));
  const facts = texts.map((text) => new Set(tellingStems(text))).filter((telling) => telling.size > 0);
  return (text) => joined([...sentencesTelling(text, facts).map(({ start, end }) => ({ start, end })), ...wordsAmong(text, values)]);
}

/** A text with a mark in each of these places. */
export function withoutSpans(text: string, spans: readonly Span[]): string {
  let rest = "";
  let at = 0;
  for (const { start, end } of spans) {
    if (start < at) continue;
    rest += `${text.slice(at, start)}${forgottenMark}`;
    at = Math.max(start, end);
  }
  return rest + text.slice(at);
}

/** Names, and what holds a digit: by these alone a fact is told. Folded. */
function valuesOf(text: string): string[] {
  const inForm = factsIn(text).facts.flatMap(({ slot, key }) =>
    slot === "name" || slot === "home" || slot === "origin" ? words(key.slice(slot.length + 1)) : [],
  );
  const capital = [...text.matchAll(/(?<=\s)[\p{Lu}\p{N}][\p{L}\p{M}\p{N}'’-]+/gu)].flatMap(([found]) => words(found));
  const numbers = words(text).filter((word) => /\d/u.test(word) && word.length > 2);
  return [...inForm, ...capital, ...numbers].filter((word) => word.length > 1 && !days.test(word) && !isCommonNoun(word));
}

/** The clauses that tell a fact; where none does by itself and the sentence does, the sentence. */
function sentencesTelling(text: string, facts: readonly ReadonlySet<string>[]): Span[] {
  return partsOf(text, /[^.!?…\n]+(?:[.!?…]+|$|(?=\n))/gu, 0).flatMap((sentence) => {
    const clauses = partsOf(sentence.text, /[^,;:]+(?:[,;:]|$)/gu, sentence.start).filter((clause) => isTold(clause.text, facts));
    return clauses.length > 0 ? clauses : isTold(sentence.text, facts) ? [sentence] : [];
  });
}

interface Part extends Span {
  readonly text: string;
}

/** Parts of a text without the spaces around them. */
function partsOf(text: string, form: RegExp, from: number): Part[] {
  return [...text.matchAll(form)].flatMap((found) => {
    const part = found[0].trim();
    const start = from + found.index + found[0].indexOf(part);
    return part === "" ? [] : [{ text: part, start, end: start + part.length }];
  });
}

function isTold(part: string, facts: readonly ReadonlySet<string>[]): boolean {
  const own = new Set(words(part).map(stem));
  return facts.some((telling) => {
    const shared = [...telling].filter((word) => own.has(word)).length;
    return telling.size === 1 ? shared === 1 && ofSomebody.test(part) : shared >= 2 && shared / telling.size >= tellingShare;
  });
}

function wordsAmong(text: string, values: ReadonlySet<string>): Span[] {
  return [...text.matchAll(/[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu)].flatMap((found) =>
    words(found[0]).some((word) => values.has(word)) ? [{ start: found.index, end: found.index + found[0].length }] : [],
  );
}

function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last && span.start <= last.end) result[result.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else result.push(span);
  }
  return result;
}
