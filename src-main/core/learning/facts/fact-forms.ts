import { fold, words } from "#base/text.ts";
import { type Form, isName, isPlace, oneAtATime, plain, type Said } from "./form.ts";
import { germanForms } from "./german-forms.ts";
import { stemsOf } from "./stems.ts";

export type { Said } from "./form.ts";

const am = "(?:i am|i'm|im)";
const often = "(?:(?:really|strongly|always|generally|usually|normally|much|still|also|just|simply|personally) )*";

/** For or against one thing: a person thinks one of the two at a time. */
const opinion =
  (kind: "taste" | "habit", isFor: (value: string) => boolean): Form["read"] =>
  ([, value = ""]) => {
    const about = stemsOf(value.replace(adverb, "")).join(" ");
    const slot = `${kind}:${about}`;
    return about === "" || !isLasting(value) ? null : { label: "PREFERENCE", key: `${slot}:${isFor(value) ? "for" : "against"}`, slot };
  };

/** How often and how strongly; that it is never is told apart. */
const adverb = /^(?:(?:always|never|usually|normally|generally|mostly|only ever|don't|do not)\s+)+/iu;
const isDone = (value: string): boolean => !/^(?:never|don't|do not)\b/iu.test(value);

const oneOfMany =
  (label: Said["label"], kind: string, isIt: (value: string) => boolean = () => true): Form["read"] =>
  ([, value = ""]) =>
    plain(value) !== "" && isIt(value) ? { label, key: `${kind}:${plain(value)}`, slot: null } : null;

/** Nouns of what people do for a living, by their ends, and those that have none. */
const occupationEnd = /(?:er|or|ist|ian|ant|eer|ess|man|woman|wright|smith|agent|dent|tect|neur|trainee|apprentice)$/u;
const occupations =
  /^(?:nurse|cook|chef|coach|pilot|judge|clerk|lawyer|midwife|priest|guide|scout|critic|mechanic|analyst|medic|diplomat|nun|monk|pensioner|freelance|professor|surgeon|physiotherapist|au pair|paramedic|barista|vet|poet|scribe|butcher|student|consultant|pharmacist)$/u;
const noOccupation =
  /^(?:customer|user|member|subscriber|beginner|number|stranger|newcomer|monster|winner|loser|owner|holder|passenger|visitor|caller|sender|follower|reader|believer|human|person|man|woman|father|mother|brother|sister|daughter|further|bit|better|computer|other|another|never|after|super|killer|sinner|lover|creditor|debtor|neighbor|traitor|error|tenor|giant|morning person|contender|early riser)$/u;

function isOccupation(value: string): boolean {
  const parts = words(value.replace(/\b(?:at|for|in|with|from|by|of)\b.*$/iu, ""));
  const noun = parts.at(-1) ?? "";
  return parts.length >= 1 && parts.length <= 4 && !isHere.test(value) && !noOccupation.test(noun) && (occupationEnd.test(noun) || occupations.test(noun));
}

/** "it", "the second one": what is meant is in front of the speaker, and holds for now. */
const pointing =
  /^(?:it|that|this|these|those|both|neither|either|all|none|nothing|them|him|her|you|your|the (?:first|second|third|last|other|former|latter|one|left|right)|the .*\bones?$|one|how|what|when|not|to (?:see|know|have|get|find|check|hear|ask|say))\b/iu;
/** What is wanted for this once. */
const forNow =
  /\b(?:today|tonight|tomorrow|this (?:time|once|morning|afternoon|evening|trip|one|order|booking|week|weekend)|right now|just now|next (?:week|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b/iu;
const isHere = /\b(?:this|that|these|those) \p{L}/iu;
const isLasting = (value: string): boolean => !pointing.test(value) && !forNow.test(value) && !isHere.test(value);

const habits =
  "fly|travel|pay|eat|drink|buy|order|take|use|wear|read|book|shop|drive|smoke|sit|sleep|work|cook|cycle|walk|commute|speak|write|stay|go|get up|wake up|watch|listen";
const standing = "answer|write|reply|use|give|show|keep|speak|tell|send|book|choose|pick|take|save|address|call|put|name|round|sort|be|start|list|say";

/** In order; the first that fits a clause is what it says. */
const forms: readonly Form[] = [
  { pattern: new RegExp(`^(?:my (?:first |full )?name(?: is|'s)|${am} called|i go by|i answer to) (.+)$`, "iu"), read: oneAtATime("SOUL", "name", isName) },
  { pattern: /^(?:you (?:can|may|should) |everybody |everyone |people |friends )?(?:just )?calls? me (.+)$/iu, read: oneAtATime("SOUL", "name", isName) },
  { pattern: new RegExp(`^(?:(?:i|we) (?:${often}live|reside)|live) in (.+?)${since()}$`, "iu"), read: oneAtATime("SOUL", "home", isPlace) },
  { pattern: new RegExp(`^(?:i|we)(?: have|'ve) been living in (.+?)${since()}$`, "iu"), read: oneAtATime("SOUL", "home", isPlace) },
  { pattern: new RegExp(`^(?:${am}|we are|we're) (?:based|living|located|at home) in (.+?)${since()}$`, "iu"), read: oneAtATime("SOUL", "home", isPlace) },
  { pattern: /^my home(?: ?town| city)? is (?:in )?(.+)$/iu, read: oneAtATime("SOUL", "home", isPlace) },
  { pattern: new RegExp(`^(?:i|we)(?:'ve| have)? (?:just |recently )?moved to (.+?)${since()}$`, "iu"), read: oneAtATime("SOUL", "home", isPlace) },
  { pattern: new RegExp(`^(?:${am}|i come) (?:originally )?from (.+)$`, "iu"), read: oneAtATime("SOUL", "origin", isPlace) },
  {
    pattern: /^(?:i work as|i'm employed as|i am employed as|my (?:job|profession|occupation) is(?: that of)?) (?:an? |the )?(.{2,80})$/iu,
    read: oneAtATime("SOUL", "role"),
  },
  {
    pattern: /^i work (?:at|for) (.{2,80})$/iu,
    read: oneAtATime("SOUL", "employer", (value) => isLasting(value) && !/^(?:home|night|least|most|once|free|me)\b/iu.test(value)),
  },
  { pattern: /^i (?:run|own|manage) ((?:a|an|my own) .{2,80})$/iu, read: oneAtATime("SOUL", "business") },
  {
    pattern: new RegExp(`^${am} (?:an? |strictly )*(vegetarian|vegan|pescatarian|omnivore)$`, "iu"),
    read: oneAtATime("PREFERENCE", "diet"),
  },
  {
    pattern: new RegExp(`^${am} (?:a |strictly )?(teetotal|lactose[- ]intolerant|left-handed|colou?r-?blind)$`, "iu"),
    read: oneOfMany("PREFERENCE", "am"),
  },
  { pattern: new RegExp(`^(?:${am} allergic to|i can't eat|i cannot eat) (.{2,80})$`, "iu"), read: oneOfMany("PREFERENCE", "allergic") },
  { pattern: new RegExp(`^${am} (?:an?|the) ((?:retired |former )?.{2,60})$`, "iu"), read: oneAtATime("SOUL", "role", isOccupation) },
  { pattern: /^i teach (.{2,80})$/iu, read: oneAtATime("SOUL", "role", (value) => isLasting(value)) },
  {
    pattern: /^i speak (.{2,80})$/iu,
    read: oneOfMany("SOUL", "speak", (value) => /^(?:only |fluent |some |a little )?\p{Lu}/u.test(value) && isLasting(value)),
  },
  {
    pattern: /^my (time ?zone|native language|first language|mother tongue|pronouns|working hours|birthday|date of birth) (?:is|are) (.{1,80})$/iu,
    read: ofMine("SOUL"),
  },
  { pattern: /^my (?:favou?rite|preferred) (.{2,60}?) (?:is|are) (.{1,120})$/iu, read: ofMine("PREFERENCE") },
  { pattern: new RegExp(`^i ${often}prefer (.{2,300})$`, "iu"), read: opinion("taste", () => true) },
  { pattern: /^i(?:'d| would) (?:always )?rather (.{2,300})$/iu, read: opinion("taste", () => true) },
  { pattern: new RegExp(`^i ${often}(?:like|love|enjoy) (.{2,300})$`, "iu"), read: opinion("taste", () => true) },
  {
    pattern: new RegExp(`^i ${often}(?:hate|dislike|detest|avoid|can't stand|cannot stand|don't like|do not like|don't enjoy) (.{2,300})$`, "iu"),
    read: opinion("taste", () => false),
  },
  {
    pattern: new RegExp(`^i ((?:always|never|usually|normally|generally|mostly|only ever) (?:${habits})\\b.{0,300})$`, "iu"),
    read: opinion("habit", isDone),
  },
  { pattern: /^i ((?:don't|do not|never) (?:eat|drink|smoke|fly|drive)\b.{0,200})$/iu, read: opinion("habit", isDone) },
  {
    pattern: new RegExp(`^(?:from now on|in future|in the future),? (?:please )?((?:${standing})\\b.{2,300})$`, "iu"),
    read: oneOfMany("PREFERENCE", "standing", isLasting),
  },
  { pattern: new RegExp(`^((?:always|never) (?:${standing})\\b.{2,300})$`, "iu"), read: oneOfMany("PREFERENCE", "standing", isLasting) },
  {
    pattern: new RegExp(`^((?:${standing})\\b.{2,300}?),? (?:from now on|in future|in the future)$`, "iu"),
    read: oneOfMany("PREFERENCE", "standing", isLasting),
  },
  {
    pattern: new RegExp(`^${am} (?:(?:currently|now|still) )?((?:preparing for|studying|training for|learning) .{2,200})$`, "iu"),
    read: oneOfMany("FOCUS", "focus", isOwnWork),
  },
  { pattern: new RegExp(`^${am} (?:currently|these days|at the moment) (\\p{L}+ing .{2,200})$`, "iu"), read: oneOfMany("FOCUS", "focus", isOwnWork) },
  {
    pattern: new RegExp(
      `^(?:this (?:week|month|year|term|spring|summer|autumn|winter)|these days|currently|at the moment),? ${am} (\\p{L}+ing .{2,200})$`,
      "iu",
    ),
    read: oneOfMany("FOCUS", "focus", isOwnWork),
  },
  ...germanForms,
];

/** "in Leeds now", "in Leeds since 2019". */
function since(): string {
  return "(?:,? (?:now|these days|at the moment|currently|since .{2,20}|for .{2,20} (?:years?|months?)|last (?:week|month|year|spring|summer|autumn|winter)|this (?:week|month|year)|in \\d{4}|again))?";
}

function ofMine(label: Said["label"]): Form["read"] {
  return ([, thing = "", value = ""]) => {
    const slot = `my ${plain(thing)}`;
    return plain(value) === "" || !isLasting(value) ? null : { label, key: `${slot}:${plain(value)}`, slot };
  };
}

/** "I'm currently looking at the page" is what is done here and now. */
function isOwnWork(value: string): boolean {
  return !/^(?:looking (?:at|for)|waiting|trying|getting|seeing|having|using|asking|thinking|wondering|sitting|standing|learning (?:that|it|how much|the hard))\b/iu.test(
    value,
  );
}

/** What a clause says about its writer; null where it is nothing of these forms. */
export function readClause(written: string): Said | null {
  const clause = written.replace(/[’]/gu, "'");
  for (const { pattern, read } of forms) {
    const found = pattern.exec(clause);
    if (found) return read(found, clause);
  }
  return null;
}

const days =
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|jan(?:uary)?|feb(?:ruary)?|march|april|may|june|july|august|september|october|november|december)\b/iu;

/**
 * What a person has one of at a time beyond the forms: "my bin day is Tuesday" gives way to "my bin day is Thursday". Values of two kinds do not: "my dog is
 * Rex" and "my dog is 4" are both so. Only for what somebody asked to have kept; a dream would take "my order is late" for a fact.
 */
export function slotOfOwn(text: string): string | null {
  const [, thing = "", value = ""] = /^my (.{2,60}?) (?:is|are) (.{1,200})$/iu.exec(text.replace(/[’]/gu, "'")) ?? [];
  const kind = days.test(value) ? "day" : /\d/u.test(value) ? "number" : /^(?:called )?\p{Lu}/u.test(value) ? "name" : null;
  return plain(thing) === "" || kind === null ? null : `my ${plain(thing)} (${kind})`;
}

/** What the entries of a form are, said as one says them. */
const fields: Readonly<Record<string, string>> = { name: "My name is", home: "I live in", location: "I live in", role: "I work as", job: "I work as" };

/** A fact as a person may have written it down about themselves, said as they would say it: "Prefers tea" → "I prefer tea", "Location: Leeds" → "I live in Leeds". */
export function asSaid(text: string): string {
  const verbs: Readonly<Record<string, string>> = {
    prefers: "prefer",
    likes: "like",
    loves: "love",
    hates: "hate",
    lives: "live",
    works: "work",
    speaks: "speak",
    dislikes: "dislike",
  };
  const [, thing = "", value = ""] = /^(?:my )?(name|home|location|role|job)(?:\s*[:=]\s*| is )(.+)$/iu.exec(text) ?? [];
  const field = fields[fold(thing)];
  if (field !== undefined) return `${field} ${value}`;
  const [, verb = "", rest = ""] = /^(?:the user |user |he |she |they )?(\p{L}+)( .*)$/iu.exec(text) ?? [];
  const own = verbs[fold(verb)];
  return own === undefined ? text : `I ${own}${rest}`;
}
