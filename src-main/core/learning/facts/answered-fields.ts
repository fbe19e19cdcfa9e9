import { fold, squash } from "#base/text.ts";
import type { ProfileField } from "#contract/memory/schema.ts";
import { factSlot, factsIn } from "./find-facts.ts";

/** A field that a person told when they were asked for it. */
export interface AnsweredField {
  readonly field: ProfileField;
  /** The fact: "name is Ana", or the clause in which they said it. */
  readonly text: string;
}

interface Question {
  readonly field: ProfileField;
  /** The words by which a person is asked for it about themselves; the name of a file is another matter. */
  readonly asks: RegExp;
  readonly slots: readonly string[];
  /** What stands before it in an answer. */
  readonly lead: RegExp;
  /** The answer as one would say it, by which it is held against the forms of facts. */
  readonly said: readonly ((value: string) => string)[];
}

const questions: readonly Question[] = [
  {
    field: "name",
    asks: /\byour (?:first |full |own )?name\b|\b(?:should|may|can|shall|could) i call you\b|\b(?:are you|you(?:'d| would) like to be) called\b/u,
    slots: ["name"],
    lead: /^(?:it'?s|it is|that'?s|i'?m|i am|the name is|just)\s+/iu,
    said: [(value) => `My name is ${value}`, (value) => `my name is ${value}`],
  },
  {
    field: "location",
    asks: /\bwhere (?:do you live|are you(?: (?:based|located|living|at home|from))?|you (?:live|are)(?: based| located)?)\b|\byour (?:location|home ?town|home city|city|town)\b|\bwhich (?:city|town|country) (?:do|are) you\b/u,
    slots: ["home"],
    lead: /^(?:it'?s|it is|that'?s|i'?m|i am|in|from|near)\s+(?:in |from |near )?/iu,
    said: [(value) => `I live in ${value}`, (value) => `i live in ${value}`],
  },
  {
    field: "role",
    asks: /\byour (?:current )?(?:role|job|job title|profession|occupation)\b|\bwhat (?:kind of work )?do you do(?: for (?:a living|work))?\b|\bwhat you do\b/u,
    slots: ["role", "employer", "business"],
    lead: /^(?:it'?s|it is|that'?s|i'?m|i am|as)?\s*(?:an?|the)?\s+/iu,
    said: [(value) => `I am a ${value}`],
  },
];

const longestAnswer = 80;
/** Said to a question, and no answer to it. */
const noAnswer =
  /^(?:yes|yeah|yep|no|nope|ok(?:ay)?|sure|thanks?|thank you|hello|hi|hey|stop|nothing|none|never ?mind|later|not now|what|why|who|help|cancel|skip|pass|maybe|go on|continue|next|again|please)$/u;

/** Which fields the last question of a text asks a person for, about themselves. */
export function askedFields(said: string): ProfileField[] {
  const last = fold((squash(said).match(/[^.!?]*\?/gu) ?? []).at(-1) ?? "");
  return questions.flatMap(({ field, asks }) => (asks.test(last) ? [field] : []));
}

/**
 * What a message answers of the question before it. A bare answer counts where one thing was asked for and it has the form of one; what it says may not be
 * a secret, an instruction or anything else that is no fact. Pure.
 * @param question what was said to the person before; "" where nothing was
 */
export function answeredIn(message: string, question: string): AnsweredField[] {
  const asked = askedFields(question);
  const { facts } = factsIn(message);
  const told = questions.flatMap(({ field, slots }) => {
    const fact = asked.includes(field) ? facts.find(({ slot }) => slot !== null && slots.includes(slot)) : undefined;
    return fact === undefined ? [] : [{ field, text: fact.text }];
  });
  if (told.length > 0 || asked.length !== 1) return told;
  const bare = questions.find(({ field }) => field === asked[0]);
  return bare === undefined ? [] : bareAnswer(message, bare);
}

function bareAnswer(message: string, { field, slots, lead, said }: Question): AnsweredField[] {
  const value = squash(message)
    .replace(lead, "")
    .replace(/[\s,]*(?:please|thanks|thank you)?[.!,\s]*$/iu, "");
  if (message.trim().includes("\n") || value.length > longestAnswer || noAnswer.test(fold(value))) return [];
  for (const say of said) {
    const fact = factsIn(say(value)).facts.find(({ slot }) => slot !== null && slots.includes(slot));
    // The whole answer, or it says more than it was asked for.
    if (fact === undefined || fact.text !== say(value)) continue;
    const text = `${field} is ${value}`;
    return [{ field, text: slots.includes(factSlot(text) ?? "") ? text : fact.text }];
  }
  return [];
}
