import { fold, squash } from "#base/text.ts";
import type { ProfileField } from "#contract/memory/schema.ts";

/** Words by which each is asked for, and refused. */
const named: readonly (readonly [ProfileField, RegExp])[] = [
  ["name", /\b(?:names?|called|call you|call me|who you are|who i am)\b/u],
  ["location", /\b(?:where (?:do )?(?:you|i) (?:live|are|am)|where (?:are|am) (?:you|i)|(?:you|i) live|location|address|home|based|city|town|country)\b/u],
  ["role", /\b(?:role|job|work|profession|occupation|do for a living|do you do|what i do)\b/u],
];

/** The answer as a whole, or one of its sentences, is a refusal. */
const refusal =
  /^(?:(?:no|nope|nah|sorry|hm+|well|please|thanks|but)[,.! ]+)*(?:(?:i(?:'d| would) (?:rather|prefer) (?:not|to keep)|i (?:prefer|want) not to|i(?:'d| would) like not to|i (?:won't|will not|don't want to|do not want to|don't wish to)) ?(?:to )?(?:say|tell|share|answer|give|disclose|reveal|that|this|my|it|you)?\b.*|(?:that(?:'s| is)|it(?:'s| is)) (?:private|none of your business|personal)\b.*|(?:none of your business|no comment|skip (?:that|this|it)|pass|private)\b.{0,20}|(?:don't|do not|stop) ask(?:ing)?\b.*)$/u;

/** What comes after the refusal is wanted all the same: "I'd rather not say it in public, it is Kim". */
const longestRefusal = 120;

/**
 * Which fields a person declined to say, from their own message and the question it answers. Where the refusal names none, it is what the question asked
 * for. Pure.
 * @param question what was said to them before; "" where nothing was
 */
export function declinedIn(message: string, question: string): ProfileField[] {
  const sentences = squash(message)
    .split(/(?<=[.!?;])\s+/u)
    .map((sentence) => fold(sentence).replace(/[.!;]+$/u, ""));
  const refused = sentences.filter((sentence) => sentence.length <= longestRefusal && refusal.test(sentence));
  if (refused.length === 0) return [];
  const own = refused.flatMap(fieldsIn);
  return [...new Set(own.length > 0 ? own : askedIn(question))];
}

/** Only questions ask; the last one is what is answered. */
function askedIn(said: string): ProfileField[] {
  const questions = squash(said).match(/[^.!?]*\?/gu) ?? [];
  return fieldsIn(fold(questions.at(-1) ?? ""));
}

function fieldsIn(folded: string): ProfileField[] {
  return named.flatMap(([field, words]) => (words.test(folded) ? [field] : []));
}
