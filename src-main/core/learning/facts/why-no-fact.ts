import { stripInvisible } from "#base/invisible.ts";
import { squash } from "#base/text.ts";
import { isInstructionLike, isSecretLike } from "../unsafe-text.ts";
import { isDictation, type Sentence } from "./sentences.ts";

/** Most characters of a fact; what is longer is left out, never cut (SPEC 5). */
export const longestFact = 500;

const question =
  /^(?:who|what|where|when|why|which|whose|whom|how|do|does|did|is|are|am|was|were|can|could|would|will|should|shall|may|might|have|has|don't|doesn't|isn't|aren't|wer|was|wo|wann|warum|wieso|welche[rsnm]?|wie|wessen|weißt du|wissen sie|heiße ich|wohne ich|bin ich|kannst du|können sie|könntest du|habe ich)(?!\p{L})/iu;
const questionEnd = /^["')\]\s]*[!?.]*\?/u;
/** Nothing here is said to be so. */
const supposed =
  /\b(?:if|unless|suppos(?:e|ing)|imagine|pretend|assum(?:e|ing)|let's say|lets say|what if|as (?:though|if)|were i|would (?!rather)|could|might|maybe|perhaps|probably|possibly|not sure|i think|i guess|i wish|i hope|hypothetical(?:ly)?|wenn|falls|vielleicht|angenommen|wäre|würde|hätte|möchte|stell dir vor|zum beispiel|for (?:example|instance)|e\.g\.|role-?play|act as)\b/iu;
const reported =
  /\b(?:sa(?:id|ys?|ying)|told|tells?|wrote|writes|according to|claim(?:s|ed)?|reads|asked|asks|mentioned|quot(?:e|ed|ing)|(?:the|this|that) (?:page|site|mail|e-?mail|letter|text|form|message|article|song|book|film)|sagte?|sagt|schreibt|schrieb|laut|fragt|fragte|behauptet)\b/iu;
/** What precedes the clause has something looked for, sent or played. */
const handled =
  /\b(?:search|google|look up|find|play|post|reply|send|e-?mail|text|put|copy|spell|print|summari[sz]e|title[ds]?|called|named|song|film|book)\b/iu;
const others =
  /\b(?:he|she|his|hers?|him|they|their|theirs|them)\b|\b(?:my|our|with|to|for|from|of|and)\s+(?:\p{L}+\s+)?(?:wife|husband|partner|spouse|son|daughter|child(?:ren)?|kids?|mother|father|mum|mom|dad|parents?|brother|sister|siblings?|friends?|boss|colleagues?|co-?workers?|neighbou?rs?|girlfriend|boyfriend|fianc[eé]e?|aunt|uncle|cousin|nephew|niece|grand\p{L}+|landlord|tenant|clients?|patients?|therapist)\b|\b(?:er|ihm|sein|seine[rnm]?|deren|(?:meine?[rnm]?|unsere?[rnm]?) (?:mann|frau|sohn|tochter|kind|kinder|mutter|vater|eltern|bruder|schwester|freund|freundin|chef|chefin|kollege|kollegin|nachbar|nachbarin|oma|opa|tante|onkel))\b|\b(?:mr|mrs|ms)\.? \p{Lu}/iu;
/** Whoever says one of these speaks of what must not be kept, however it is written. */
const secretWord = /pass(?:word|code|phrase|wort)|kennwort|\bpin\b|\b(?:secret|token|api ?key)\b/iu;
const reach = /[\w.+-]+@[\w-]+\.\w+|\b(?:https?:\/\/|www\.)\S+|(?<!\d)\+?\d(?:[ ()./-]?\d){6,}(?!\d)/iu;
const permission =
  /\b(?:allow\p{L}*|approv\p{L}*|permi(?:t|ssion)\p{L}*|grant\p{L}*|confirm\p{L}*|authori[sz]\p{L}*|trust\p{L}*|consent\p{L}*|without asking|ask (?:me|first)|check with me)\b/iu;
const quoteMark = /["“”«»„]|(?<![\p{L}\p{N}])['‘]|['’](?![\p{L}\p{N}])/u;

/**
 * Why a sentence that has the form of a fact is none that may be kept, in words for the report; null where it may. None of the reasons repeats what was
 * said.
 * @param before what precedes the clause in its sentence
 */
export function whyNoFact({ text, isDictated }: Sentence, clause: string, before: string): string | null {
  if (isSecretLike(text) || secretWord.test(text)) return "it holds something that looks like a secret";
  if (reach.test(text)) return "it holds an address, a link or a long number";
  // Of "I live in Leeds, which council is mine?" the first half is said to be so.
  const after = text.slice(text.indexOf(clause) + clause.length);
  if (question.test(text) || before.endsWith("?") || questionEnd.test(after)) return "it is a question";
  if (supposed.test(text)) return "it is supposed, not said to be so";
  if (reported.test(text)) return "it tells what somebody else says, or what stands somewhere";
  if (isDictated || isDictation(before) || isDictation(text.replace(clause, "")) || handled.test(before)) return "it is a value of a task, or part of a text";
  if (quoteMark.test(clause)) return "it is quoted";
  if (others.test(clause)) return "it is about somebody else";
  if (permission.test(clause)) return "it is about what may be done; that is for Permissions";
  if (isInstructionLike(text)) return "it reads like an instruction to the model";
  if (clause.length > longestFact) return `it has ${clause.length} characters; at most ${longestFact} are kept`;
  return null;
}

/** Said of what is kept elsewhere, or not at all: no secret by itself. */
const noValue =
  "(?!(?:required|needed|missing|wrong|incorrect|correct|invalid|weak|strong|optional|hidden|shown|expired|changed|saved|kept|stored|written|not|too|very|the|a|an|in|at|on|with|by)\\b)";
const secretSaid = new RegExp(
  `\\b(?:pass(?:word|code|phrase|wort|wd)|kennwort|pw|pwd|pin|cvv2?|cvc2?|api ?key|(?:access|recovery|backup|security|login) (?:key|codes?|token))s?\\b(?: (?:for|of|to|at) .{1,40}?)?(?:'s|\\s*[:=–—-]| is| are| was| has been)\\s+${noValue}\\S+`,
  "iu",
);

/**
 * Why a text may not stand in memory, however it got there; null where it may. Facts stand in prompts, so nothing that must stay secret is kept, not even
 * where the user asks for it: that is what the vault is for.
 */
export function whyNotKept(text: string): string | null {
  const plain = stripInvisible(text).normalize("NFKC").replace(/[’]/gu, "'");
  if (squash(plain) === "") return "Say what to remember; nothing readable was given.";
  if (isSecretLike(plain) || secretSaid.test(plain))
    return "This looks like a password, a key or the number of a card, and memory keeps no secrets: what is remembered stands in prompts. A secret belongs in the vault, which no prompt ever shows.";
  if (text.length > longestFact) return `A fact has at most ${longestFact} characters; this one has ${text.length}. Say it shorter, or keep it as two.`;
  return null;
}

/**
 * As `whyNoFact`, of what the user asked in so many words to have kept: other people, addresses and reported speech are theirs to have remembered.
 * @param before what precedes the clause in its sentence
 */
export function whyNotAsked({ text, isDictated }: Sentence, clause: string, before: string): string | null {
  if (whyNotKept(text) !== null && text.length <= longestFact) return "it holds something that looks like a secret";
  if (isDictated || isDictation(before)) return "it is a value of a task, or part of a text";
  if (permission.test(clause)) return "it is about what may be done; that is for Permissions";
  if (isInstructionLike(text)) return "it reads like an instruction to the model";
  if (clause.length > longestFact) return `it has ${clause.length} characters; at most ${longestFact} are kept`;
  return null;
}
