import { stripInvisible } from "#base/invisible.ts";
import { squash } from "#base/text.ts";
import type { DroppedFacts } from "#contract/blocks/schema.ts";
import type { Fact } from "#contract/memory/schema.ts";
import { inertText } from "../inert-text.ts";

/** Most facts of one block, and most characters of one fact (SPEC 5). */
export const mostFacts = 200;
export const longestFact = 500;

export interface FactLines {
  readonly lines: readonly string[];
  readonly dropped: DroppedFacts;
}

/** Each fact as one line with where it comes from, oldest first. Of too many the newest stay; what is too long is left out whole. */
export function factLines(facts: readonly Fact[]): FactLines {
  const seen = facts.filter(({ text }) => plainText(text) !== "");
  const short = seen.filter(({ text }) => text.length <= longestFact);
  const newest = new Set([...short].sort((one, other) => other.updatedAt - one.updatedAt).slice(0, mostFacts));
  return {
    lines: short.filter((fact) => newest.has(fact)).map(factLine),
    dropped: { tooMany: short.length - newest.size, tooLong: seen.length - short.length },
  };
}

/**
 * A quoted line. Nothing in it can end the quotation, the line or the data it stands in, begin a heading, or speak in a chat template: breaks become spaces,
 * angle brackets and quotation marks become others, and what cannot be seen is gone.
 */
function factLine({ text, source, updatedAt }: Fact): string {
  const plain = plainText(text)
    .replace(/[<＜﹤]/gu, "‹")
    .replace(/[>＞﹥]/gu, "›")
    .replace(/["“”„‟＂]/gu, "'");
  return `- "${inertText(plain, "")}" [${sourceText(source)} ${dayOf(updatedAt)}]`;
}

function plainText(text: string): string {
  return squash(stripInvisible(text).replace(/\p{Cc}/gu, " "));
}

/** By whom or by what it came; a word that is none of Knack's says nothing. */
function sourceText(source: string): string {
  return /^[a-z][a-z0-9:.-]{0,39}$/iu.test(source) ? source : "unknown";
}

/** The day in UTC, so that moving to another time zone changes no byte. */
function dayOf(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "unknown day" : date.toISOString().slice(0, 10);
}
