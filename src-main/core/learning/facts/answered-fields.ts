import { squash } from "#base/text.ts";
import type { ProfileField } from "#contract/memory/schema.ts";
import { askedFields } from "./asked-fields.ts";
import { declinedIn } from "./declined-fields.ts";
import { factSlot, factsIn } from "./find-facts.ts";
import { isNoAnswer } from "./no-answer.ts";

/** A field that a person told when they were asked for it. */
export interface AnsweredField {
  readonly field: ProfileField;
  /** The fact: "name is Ana", or the clause in which they said it. */
  readonly text: string;
}

interface Question {
  readonly field: ProfileField;
  readonly slots: readonly string[];
  /** What stands before it in an answer. */
  readonly lead: RegExp;
  /** The answer as one would say it, by which it is held against the forms of facts. */
  readonly said: readonly ((value: string) => string)[];
}

const questions: readonly Question[] = [
  {
    field: "name",
    slots: ["name"],
    lead: /^(?:it'?s|it is|that'?s|i'?m|i am|the name is|just|ich bin(?: der| die)?|ich heiße|der name ist)\s+/iu,
    said: [(value) => `My name is ${value}`, (value) => `my name is ${value}`],
  },
  {
    field: "location",
    slots: ["home"],
    lead: /^(?:it'?s|it is|that'?s|i'?m|i am|in|from|near|ich wohne|ich lebe|ich bin|aus|bei)\s+(?:in |from |near |aus |bei )?/iu,
    said: [(value) => `I live in ${value}`, (value) => `i live in ${value}`],
  },
  {
    field: "role",
    slots: ["role", "employer", "business"],
    lead: /^(?:it'?s|it is|that'?s|i'?m|i am|as|ich bin|ich arbeite als|als)?\s*(?:an?|the|eine?|die|der)?\s+/iu,
    said: [(value) => `I am a ${value}`, (value) => `Ich bin ${value}`],
  },
];

const longestAnswer = 80;
/**
 * What a message answers of the question before it. A bare answer counts where one thing was asked for and it has the form of one; what it says may not be
 * a secret, an instruction or anything else that is no fact. Pure.
 * @param question what was said to the person before; "" where nothing was
 */
export function answeredIn(message: string, question: string): AnsweredField[] {
  const asked = askedFields(question);
  if (asked.length === 0) return [];
  const { facts } = factsIn(message);
  const told = questions.flatMap(({ field, slots }) => {
    const fact = asked.includes(field) ? facts.find(({ slot }) => slot !== null && slots.includes(slot)) : undefined;
    return fact === undefined ? [] : [{ field, text: fact.text }];
  });
  if (told.length > 0 || asked.length !== 1 || declinedIn(message, question).length > 0) return told;
  const bare = questions.find(({ field }) => field === asked[0]);
  return bare === undefined ? [] : bareAnswer(message, bare);
}

function bareAnswer(message: string, { field, slots, lead, said }: Question): AnsweredField[] {
  const value = squash(message)
    .replace(lead, "")
    .replace(/[\s,]*(?:please|thanks|thank you)?[.!,\s]*$/iu, "");
  if (message.trim().includes("\n") || value.length > longestAnswer || isNoAnswer(value, field) || isMood(message, field, value)) return [];
  for (const say of said) {
    const fact = factsIn(say(value)).facts.find(({ slot }) => slot !== null && slots.includes(slot));
    // The whole answer, or it says more than it was asked for.
    if (fact === undefined || fact.text !== say(value)) continue;
    const text = `${field} is ${value}`;
    return [{ field, text: slots.includes(factSlot(text) ?? "") ? text : fact.text }];
  }
  return [];
}

/** "I'm busy" is how somebody is; who they are begins with a capital there. */
function isMood(message: string, field: ProfileField, value: string): boolean {
  return field === "name" && /^(?:i'?m|i am)\s/iu.test(squash(message).replace(/[’]/gu, "'")) && /^\p{Ll}/u.test(value);
}
