import { fold, squash } from "#base/text.ts";
import type { ProfileField } from "#contract/memory/schema.ts";
import { askedFields } from "./asked-fields.ts";

/** Words by which each is asked for, and refused. */
const named: readonly (readonly [ProfileField, RegExp])[] = [
  ["name", /\b(?:names?|called|call you|call me|who you are|who i am|namen?|heißt|heiße|heisst|heisse)(?!\p{L})/u],
  [
    "location",
    /\b(?:where (?:do )?(?:you|i) (?:live|are|am)|where (?:are|am) (?:you|i)|(?:you|i) live|location|address|home|based|city|town|country|wohnort|wo ich wohne|wo ich lebe|wohnst du|lebst du|wohne|adresse|stadt)(?!\p{L})/u,
  ],
  [
    "role",
    /\b(?:role|job|work|profession|occupation|do for a living|do you do|what i do|beruf|beruflich|arbeit|arbeite|was ich mache|was ich arbeite|tätigkeit)(?!\p{L})/u,
  ],
];

const lead = "(?:(?:no|nope|nah|sorry|hm+|well|please|thanks|thank you|but|nein|nö|danke|bitte|aber)[,.! ]+)*";
const unwilling =
  "i(?:'d| would)? (?:rather|prefer) not(?: to)?|i(?:'d| would) (?:prefer|like) not to|i want not to|i (?:won't|will not|don't (?:want|wish|like) to|do not (?:want|wish|like) to)";
/** To tell something; a thing that is handed on is another matter. */
const saying = "(?:say|tell|answer|share|give|disclose|reveal)(?! (?:(?:you|him|her|them|me|us) )?(?:the (?!name|answer)|an? |any |some ))\\b.*";
/** "Das möchte ich lieber nicht sagen", "ich verrate meinen Namen nicht", "das geht dich nichts an". */
const unwillingInGerman =
  "(?:das |(?:meinen?|was|wo|wie) [\\p{L} ]{2,40},? )?(?:möchte|will|mag|würde) ich (?:dir |ihnen )?(?:lieber |gerne |gern )?(?:(?:das |meinen? \\p{L}+ )?(?:lieber )?nicht)(?: (?:sagen|verraten|angeben|nennen|preisgeben|erzählen))?(?:, (?:was|wo|wie) ich .{2,40})?|ich (?:möchte|will|mag|würde) (?:dir |ihnen )?(?:lieber |gerne |gern )?(?:(?:das |meinen? \\p{L}+ )?(?:lieber )?nicht)(?: (?:sagen|verraten|angeben|nennen|preisgeben|erzählen))?(?:, (?:was|wo|wie) ich .{2,40})?|ich (?:sage|verrate|nenne) (?:dir |ihnen )?(?:das|meinen? \\p{L}+|was ich .{2,30}|wo ich .{2,30}) (?:lieber )?nicht|das geht (?:dich|sie|niemanden) nichts an|das ist privat|keine angabe|frag(?:e|en sie)? (?:mich )?(?:bitte )?nicht .*";
/** Where the sentence ends, or something else begins in it. */
const end = "(?=$|[,:;(–—-]| (?:please|sorry|thanks|thank you|and i|so)\\b).*";

/** The answer as a whole, or one of its sentences, is a refusal. */
const refusal = new RegExp(
  `^${lead}(?:(?:${unwilling})(?: ${saying}|${end})|i(?:'d| would) (?:rather|prefer to) keep (?:that|this|it|my \\p{L}+)\\b.*|(?:that(?:'s| is)|it(?:'s| is)) (?:(?:private|personal)(?: (?:information|data|matter))?${end}|none of your business\\b.*)|(?:none of your business|mind your (?:own )?business|not telling(?: you)?|no comment|skip (?:that|this|it)|pass|private)(?: one| question)?${end}|(?:don't|do not|stop) ask(?:ing)?\\b.*|${unwillingInGerman})$`,
  "u",
);
/** The whole message: it declines what was asked for. */
const bareNo = /^(?:no|nope|nah|no way|no,? thanks?|no,? thank you|nein|nö|nein,? danke|lieber nicht|rather not)$/u;

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
  if (sentences.length === 1 && bareNo.test(sentences[0] ?? "")) return askedFields(question);
  const refused = sentences.filter((sentence) => sentence.length <= longestRefusal && refusal.test(sentence));
  if (refused.length === 0) return [];
  const own = refused.flatMap(fieldsIn);
  return [...new Set(own.length > 0 ? own : askedIn(question))];
}

/** The refusal ends on what it refuses: "I'd rather not say what I do", and not "I don't want to give my name on that form". */
const plainly =
  /(?:\bmy (?:own )?(?:name|location|address|home ?town|job|role|profession|occupation|work)|\b(?:what|where|who) i (?:do|live|am|work|work as)(?: for (?:a living|work))?)(?:,? (?:please|thanks|thank you))?$/u;
const germanRefusal = new RegExp(`^${lead}(?:${unwillingInGerman})$`, "u");

/** Which fields a person declines without having been asked: only where the refusal names them and nothing else. Pure. */
export function declinedOutright(message: string): ProfileField[] {
  const sentences = squash(message)
    .split(/(?<=[.!?;])\s+/u)
    .map((sentence) => fold(sentence).replace(/[.!;]+$/u, ""))
    .filter((sentence) => sentence.length <= longestRefusal && refusal.test(sentence) && (plainly.test(sentence) || germanRefusal.test(sentence)));
  return [...new Set(sentences.flatMap(fieldsIn))];
}

/** Only questions ask; the last one is what is answered. */
function askedIn(said: string): ProfileField[] {
  const questions = squash(said).match(/[^.!?]*\?/gu) ?? [];
  return fieldsIn(fold(questions.at(-1) ?? ""));
}

function fieldsIn(folded: string): ProfileField[] {
  return named.flatMap(([field, words]) => (words.test(folded) ? [field] : []));
}
