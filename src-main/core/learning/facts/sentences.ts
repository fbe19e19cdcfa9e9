import { squash } from "#base/text.ts";

/** One sentence of a message, as it was written but for its spaces. */
export interface Sentence {
  readonly text: string;
  /** What comes before it in the message has a text or the fields of a form follow: what it says is a value, and nothing about its writer. */
  readonly isDictated: boolean;
}

/** Longest message, in characters and in lines, that a person types about themselves; what is longer was brought from elsewhere. */
const longestMessage = 2000;
const mostLines = 25;

/** After these a full stop ends nothing. */
const abbreviation = /\b(?:dr|mr|mrs|ms|mx|prof|st|e\.g|i\.e|etc|no|vs)\.$/iu;
/** What is asked for is a text, or the fields of a form. */
const dictation =
  /\b(?:write|type|enter|fill|translate|draft|compose|insert|paste|rephrase|rewrite|proofread|dictate|register|sign (?:me|us|him|her|them) up|as follows|the following|these (?:details|values|data)|with this text|schreibe?|übersetze?|trage?|fülle?|formulier\p{L}*|im formular|folgende[rsnm]?|in (?:the|this|my) (?:story|game|film|play|book|novel|poem|example|role))\b/iu;

/** Whether a sentence has what comes after it written somewhere. */
export function isDictation(text: string): boolean {
  return dictation.test(text) || /:$/u.test(text);
}

/**
 * The sentences of a message that are its writer's own words: no lines of a quotation, no code, no table. Null for a message that is too long to have
 * been typed about oneself.
 */
export function sentencesOf(message: string): Sentence[] | null {
  if (message.length > longestMessage || message.split("\n").length > mostLines) return null;
  const own = message.replace(/```[\s\S]*?(?:```|$)/gu, "\n").replace(/^\s*(?:[>|]|On .{0,80} wrote:).*$/gimu, "\n");
  const sentences: Sentence[] = [];
  let isDictated = false;
  for (const line of own.split("\n")) {
    let rest = "";
    for (const part of squash(line).split(/(?<=[.!?…])\s+/u)) {
      rest = rest === "" ? part : `${rest} ${part}`;
      if (rest === "" || abbreviation.test(rest)) continue;
      sentences.push({ text: rest, isDictated });
      isDictated ||= isDictation(rest);
      rest = "";
    }
    if (rest !== "") sentences.push({ text: rest, isDictated });
  }
  return sentences;
}
