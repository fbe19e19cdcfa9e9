import { words } from "#base/text.ts";
import type { Fact } from "#contract/memory/schema.ts";
import { isCommonNoun } from "./no-answer.ts";

/** What a clause says about its writer. */
export interface Said {
  readonly label: Exclude<Fact["label"], "NOTE">;
  /** Two clauses of one key say the same: "my name is Sam" and "call me Sam". */
  readonly key: string;
  /** What a person has one of at a time, so that a later word takes the place of an earlier one; null for what there may be many of. */
  readonly slot: string | null;
}

export interface Form {
  readonly pattern: RegExp;
  /** Null where the words of the form are there and it is no fact all the same. */
  read(found: RegExpExecArray, clause: string): Said | null;
}

export const plain = (text: string): string => words(text).join(" ");
export const oneAtATime =
  (label: Said["label"], slot: string, isIt: (value: string, clause: string) => boolean = () => true): Form["read"] =>
  ([, value = ""], clause) =>
    plain(value) !== "" && isIt(value, clause) ? { label, key: `${slot}:${plain(value)}`, slot } : null;

/** After "call me" these ask for a call, or are no name. */
const noName =
  /^(?:a|an|the|back|again|when|whenever|if|once|as|at|on|in|for|by|to|from|about|after|before|later|soon|now|today|tomorrow|tonight|asap|maybe|any\w*|every\w*|first|instead|crazy|lazy|paranoid|old\S*|stupid|up|out|it|that|this|what\w*|by)\b/iu;
export const isName = (value: string, clause: string): boolean => !noName.test(value) && !isCommonNoun(value) && looksLikeName(value, clause, 4);

const noPlace =
  /^(?:hope|fear|peace|a|an|the|my|your|this|that|constant|total|two|three|between|here|there|town|it|angst|frieden|sorge|trennung|der|dem|den|einer|einem|dieser|diesem|meiner|meinem|zwei)\b/iu;
export const isPlace = (value: string, clause: string): boolean => !noPlace.test(value) && looksLikeName(value.replaceAll(",", " "), clause, 5);

/** Particles inside names of people and places. */
const particle = /^(?:de|del|der|den|di|da|van|von|of|on|upon|under|la|le|les|el|the|am|an|in|y|and|al|bin|st\.?)$/u;

/** Capitals throughout; of a person who writes none, a single word. */
export function looksLikeName(value: string, clause: string, most: number): boolean {
  const parts = value.split(/\s+/u).filter((part) => part !== "");
  if (parts.length === 0 || parts.length > most || !parts.every((part) => /^[\p{L}\p{M}][\p{L}\p{M}'’.-]*$/u.test(part))) return false;
  if (/^[\p{Ll}]/u.test(clause) && parts.length === 1) return true;
  return /^\p{Lu}/u.test(parts[0] ?? "") && parts.every((part) => /^\p{Lu}/u.test(part) || particle.test(part));
}
