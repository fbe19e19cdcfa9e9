import { fold } from "#base/text.ts";
import type { ProfileField } from "#contract/memory/schema.ts";

const asked =
  /^(?:(?:and|so|ok(?:ay)?|hey|please|now|und|also)[\s,]+)*(?:who|what|where|when|which|whose|how|do you (?:know|remember|recall)|can you (?:tell me|remember|recall)|tell me|are we|am i|is my|are my|have i|did i|do i|wer|was|wo|wann|wie|welche[rsnm]?|weißt du|kennst du|bin ich|habe ich|erinnerst du)\b.*(?:\b(?:i|i'm|my|me|mine|myself|ich|mir|mich|mein\p{L}*)\b)/u;
/** What is wanted done, or known of the world, with a person in it: "how do I renew my passport", "what can I do". */
const howTo =
  /\b(?:how (?:do|can|should|could|would|to|does|will) (?:i|we|my)|what (?:should|can|could|must|would|shall) (?:i|we)|where (?:can|should|could|do) (?:i|we) (?:find|buy|get|see|go|download|pay|change|order|book)|when (?:can|should|must) i|tell me (?:how|why|a|the|about (?!me|my))|show me|give me|find me|wie (?:kann|soll|muss|geht|mache?|komme|bekomme) ich|was (?:kann|soll|muss) ich|wo (?:kann|finde|bekomme|kaufe) ich)\b/u;
/** "How do I take my coffee?" asks for a habit. */
const habit =
  /\bhow do i (?:usually |normally |always |like (?:to )?)?(?:take|like|prefer|drink|eat|have|spell|want|commute|travel|get to work)\b|\bwie (?:trinke|mag|esse|nehme) ich\b/u;
const whole =
  /\b(?:what|everything|all|anything|tell me).{0,30}\b(?:know|remember|kept|stored|saved|noted|learned)\b.{0,20}\b(?:about|of|on) me\b|\bwho (?:am i|i am)\b|\btell me about (?:me|myself)\b|\bwas (?:weißt|wissen|kennst) (?:du|sie) (?:alles )?(?:über|von) (?:mich|mir)\b|\bwer bin ich\b/u;

const fields: readonly (readonly [ProfileField, RegExp])[] = [
  ["name", /\b(?:my (?:first |full |last )?name|who (?:am i|i am)|what (?:am i|i am|i'm) called|wie hei(?:ß|ss)e ich|mein name|wer bin ich)\b/u],
  [
    "location",
    /\b(?:where (?:do i|i) live|where am i (?:living|based|at home)|(?:which|what) (?:city|town|country) (?:do i live|am i) in|my (?:home|home ?town|city|town|address|location)|wo (?:wohne|lebe) ich|mein wohnort)\b/u,
  ],
  [
    "role",
    /\b(?:what do i do|what i do|where do i work|what(?:'s| is) my (?:job|role|profession|occupation|work)|my (?:job|profession|occupation)|was (?:arbeite|mache) ich|mein beruf)\b/u,
  ],
];

/** What of a person a message asks for. */
export interface AskedOfUser {
  /** All that is known. */
  readonly whole: boolean;
  /** Which of what is asked of everybody. */
  readonly fields: readonly ProfileField[];
}

/** Whether a message asks for something about its writer, which only they can have told; null where it does not. Pure. */
export function asksAboutUser(message: string): AskedOfUser | null {
  const folded = fold(message).replace(/^(?:hi|hello|hey|hallo|good (?:morning|afternoon|evening)|guten (?:morgen|tag|abend))[\s,!.]+/u, "");
  // What is asked beside something else is for whoever answers all of it.
  if (folded.length > 200 || /[.!?…]\s+\S/u.test(folded)) return null;
  if (whole.test(folded)) return { whole: true, fields: ["name", "location", "role"] };
  if (!asked.test(folded) || (howTo.test(folded) && !habit.test(folded))) return null;
  return { whole: false, fields: fields.flatMap(([field, words]) => (words.test(folded) ? [field] : [])) };
}
