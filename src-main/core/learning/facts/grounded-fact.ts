import { stripInvisible } from "#base/invisible.ts";
import { stopWords } from "#base/stop-words.ts";
import { squash, words } from "#base/text.ts";
import type { Message } from "#contract/chat/schema.ts";
import type { Fact } from "#contract/memory/schema.ts";
import { stem } from "../../skills/values/index.ts";
import { slotOfOwn } from "./fact-forms.ts";
import { factLabel, factsIn, statementsIn } from "./find-facts.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";
import { whyNoFact, whyNotAsked } from "./why-no-fact.ts";

/** What the user said, word for word: the only thing of a conversation that is kept. */
export interface GroundedFact {
  readonly text: string;
  readonly label: Fact["label"];
  readonly sentence: string;
  readonly messageId: string;
}

export type Grounded = { readonly fact: GroundedFact } | { readonly whyNot: string };

/** With these the user asks to have something kept, whatever it is. */
const asks = /\b(?:remember|keep in mind|note (?:that|down)|make a note|take note|don'?t forget|memori[sz]e|(?:save|keep) (?:this|that)|bear in mind)\b/iu;
const asking =
  /^(?:(?:please|hey|hi|ok|okay|and|also|then|now)[,!]?\s+)*(?:(?:can|could|will|would) you\s+)?(?:please\s+)?(?:i(?:'d| would) like you to |i want you to )?(?:remember|keep in mind|note(?: down)?|make a note|take note|don'?t forget|memori[sz]e|(?:save|keep) (?:this|that)|bear in mind)(?:\s+(?:that|of|for (?:me|later)|this|the following))*\s*[,:–—-]?\s*/iu;
/** What a model says of whom it speaks of. */
const speaker = new Set(["user", "person", "human"]);

/**
 * What of the user's own messages a text refers to, newest message first. The text is the model's, which has read pages and makes things up; so not one
 * word of it is kept: every word that tells something must stand in one clause of the user's, and that clause is what is kept. Pure.
 * @param messages the user's own messages of this conversation, oldest first
 * @param names facts that tell the user's name: "Ada lives in Lisbon" says of them that they do
 */
export function groundedFact(text: string, messages: readonly Pick<Message, "id" | "text">[], names: readonly string[] = []): Grounded {
  const wanted = withoutName(tellingIn(text), [...names, ...messages.map((message) => message.text)]);
  if (wanted.length === 0) return { whyNot: "Nothing was kept: it says nothing about the user." };
  let whyNot: string | null = null;
  for (const message of messages.toReversed()) {
    const sentences = sentencesOf(stripInvisible(message.text));
    if (sentences === null) {
      if (holdsAll(message.text, wanted)) whyNot ??= "the message is too long to have been typed; it may have been brought from elsewhere";
      continue;
    }
    for (const sentence of sentences) {
      const found = clauseOf(sentence, wanted, asks.test(message.text));
      if (found === null) continue;
      if ("clause" in found) return { fact: { text: found.clause, label: factLabel(found.clause), sentence: sentence.text, messageId: message.id } };
      whyNot ??= found.whyNot;
    }
  }
  if (whyNot !== null) return { whyNot: `Nothing was kept: ${whyNot}.` };
  return { whyNot: "Nothing was kept: the user did not say that in this conversation. Only what they said about themselves, in their own words, is kept." };
}

function clauseOf(sentence: Sentence, wanted: readonly string[], isAsked: boolean): { clause: string } | { whyNot: string } | null {
  const clauses = statementsIn(sentence).map(({ clause, before }) => ({ clause: isAsked ? withoutAsking(clause) : clause, before }));
  // The clause that says it, else all of the sentence: "my bins go out on Tuesday and my paper on Friday".
  const whole = { clause: withoutAsking(squash(sentence.text).replace(/[.!?…]+$/u, "")), before: "" };
  let whyNot: string | null = null;
  for (const { clause, before } of isAsked ? [...clauses, whole] : clauses) {
    if (clause === "" || !holdsAll(clause, wanted)) continue;
    const why = isAsked ? whyNotAsked(sentence, clause, before) : (whyNoFact(sentence, clause, before) ?? whyNotLasting(clause));
    if (why === null) return { clause };
    whyNot ??= why;
  }
  return whyNot === null ? null : { whyNot };
}

/** Where nobody asked, what has no form of a fact is a wish of the moment. */
function whyNotLasting(clause: string): string | null {
  return factLabel(clause) === "NOTE" && slotOfOwn(clause) === null ? "it is nothing lasting about the user, and they did not ask to have it remembered" : null;
}

function withoutAsking(clause: string): string {
  return clause.replace(asking, "").replace(/[\s,]*(?:please|thanks|thank you)?[\s.!?…]*$/iu, "");
}

/** The user's own name stands for them, where something is said beside it. */
function withoutName(wanted: readonly string[], texts: readonly string[]): readonly string[] {
  const own = new Set(
    texts
      .flatMap((text) => factsIn(text).facts)
      .filter(({ slot }) => slot === "name")
      .flatMap(({ key }) => words(key.slice("name:".length)))
      .map(stem),
  );
  const rest = wanted.filter((word) => !own.has(word));
  return rest.length === 0 || rest.every((word) => nameWords.has(word)) ? wanted : rest;
}

const nameWords = new Set(["name", "call", "call me"].map(stem));

function holdsAll(clause: string, wanted: readonly string[]): boolean {
  const said = new Set(words(clause).map(stem));
  return wanted.every((word) => said.has(word));
}

/** The words of a text that tell something, by their stems. */
function tellingIn(text: string): string[] {
  return words(stripInvisible(text).replace(asking, ""))
    .filter((word) => !speaker.has(word.replace(/'s?$/u, "")) && (word === "not" || word === "no" || !stopWords.has(word)))
    .map(stem);
}
