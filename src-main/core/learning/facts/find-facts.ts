import { stripInvisible } from "#base/invisible.ts";
import { squash, words } from "#base/text.ts";
import type { Fact } from "#contract/memory/schema.ts";
import { asSaid, readClause, type Said, slotOfOwn } from "./fact-forms.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";
import { stemsOf } from "./stems.ts";
import { whyNoFact } from "./why-no-fact.ts";

/** A fact somebody said about themselves: `text` is a part of `sentence`, word for word. */
export interface FoundFact extends Said {
  readonly text: string;
  readonly sentence: string;
}

export interface FactsFound {
  readonly facts: readonly FoundFact[];
  /** One reason for each sentence that has the form of a fact and is not taken for one. */
  readonly leftOut: readonly string[];
}

/** What people say before they come to it. */
const leadIn =
  /^(?:(?:by the way|btw|also|and|so|well|oh|ok|okay|hi|hello|hey|yes|no|just so (?:that )?you know|for your information|fyi|(?:please )?(?:note|remember|keep in mind|don't forget)(?: that)?|you should know(?: that)?|as you know|actually|in general|as a rule|one more thing|please|thanks|thank you|hallo|moin|servus|guten (?:tag|morgen|abend)|ja|nein|also|übrigens|und|bitte|danke|merk dir(?:,? dass)?|denk daran(?:,? dass)?|vergiss nicht(?:,? dass)?)(?:[,:!]+\s*|\s+))+/iu;
/** Where another clause about the speaker begins. */
const clauseStart =
  /(?:;|\s[–—-]\s|[,:]|\b(?:because|since|as)\b|,?\s\b(?:and|und))\s*(?=(?:i|i'm|i'd|i've|im|my|we|call me|just call me|you can call me|from now on|always|never|ich|mein|meine|wir|nenn mich)\b|live in\b|(?:heiße|heisse|wohne|lebe|arbeite|komme aus|stamme aus|bin)\s)/iu;
/** Where what is said about oneself ends and something is asked for. */
const ending =
  /(?:\s*;.*|,\s*(?:so|please|can|could|would|will|then|book|find|get|download|show|give|send|order|open|look|search|check|help|make|add|put|use|which|what|who|whose|how|when|where|do|does|is|are|am|hence|therefore)\b.*|\s+so (?:please|can|could|book|find|get|i)\b.*|\s+and (?:please|can you|could you|i (?:want|need|would)|i'd|i am looking|i'm looking|book|find|get|show|give|send|order)\b.*)$/iu;
const politeEnd =
  /(?:[\s,]*(?:please|thanks|thank you|thx|by the way|btw|though|too|bitte|danke|übrigens|auch)|[\s,]+(?:and|because|since|as|und)|[.!?…,:]+|\s)+$/iu;

/** Facts that a person's own message says about them, in the order they are said, each key once. Pure: no model takes part. */
export function factsIn(message: string): FactsFound {
  const sentences = sentencesOf(stripInvisible(message));
  if (sentences === null) return { facts: [], leftOut: ["it is too long to have been typed; it may have been brought from elsewhere"] };
  const facts = new Map<string, FoundFact>();
  const leftOut: string[] = [];
  for (const sentence of sentences) {
    for (const { clause, before, said } of clausesOf(sentence)) {
      const why = whyNoFact(sentence, clause, before);
      if (why !== null) {
        leftOut.push(why);
        break;
      }
      if (!facts.has(said.key)) facts.set(said.key, { ...said, text: clause, sentence: sentence.text });
    }
  }
  return { facts: [...facts.values()], leftOut };
}

function clausesOf(sentence: Sentence): { clause: string; before: string; said: Said }[] {
  return statementsIn(sentence).flatMap(({ clause, before }) => {
    const said = readClause(clause);
    return said ? [{ clause, before, said }] : [];
  });
}

/** What a sentence says, clause by clause: without what people say before they come to it, and without what they ask for after it. */
export function statementsIn({ text }: Sentence): { readonly clause: string; readonly before: string }[] {
  const found: { clause: string; before: string }[] = [];
  let start = 0;
  for (const part of splitClauses(text)) {
    const clause = squash(part.replace(leadIn, "").replace(ending, "").replace(politeEnd, ""));
    if (clause !== "") found.push({ clause, before: text.slice(0, start).replace(leadIn, "").trim() });
    start += part.length;
  }
  return found;
}

/** The clauses of a sentence, which joined give it back. */
function splitClauses(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  for (;;) {
    const at = clauseStart.exec(rest);
    if (!at) break;
    const end = at.index + at[0].length;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...parts, rest];
}

/** What two facts are told to be the same by, however they are worded; also of facts that a person wrote down. */
export function factKeys(text: string): string[] {
  const said = [text, asSaid(text)].flatMap((wording) => factsIn(wording).facts.map(({ key }) => key));
  return [...new Set([`text:${words(text).join(" ")}`, `says:${stemsOf(asSaid(text)).join(" ")}`, ...said])];
}

/** What a fact has one of at a time: its slot; null for one there may be many of. */
export function factSlot(text: string): string | null {
  const said = [text, asSaid(text)].flatMap((wording) => factsIn(wording).facts.map(({ slot }) => slot)).find((slot) => slot !== null);
  return said ?? slotOfOwn(text);
}

/** Where a fact belongs by what it says: who the user is, how they like things, what they are at, else a note. */
export function factLabel(text: string): Fact["label"] {
  const [said] = [text, asSaid(text)].flatMap((wording) => readClause(squash(wording.replace(leadIn, "").replace(politeEnd, ""))) ?? []);
  return said?.label ?? "NOTE";
}
