import { fold, words } from "#base/text.ts";
import { asksForAnswer } from "../skills/index.ts";
import { stem, withoutUrls } from "../skills/values/index.ts";

/**
 * Actions that undo, decline or replace one another, in general English. An embedder puts "confirm" and "cancel my reservation" close together, so
 * what tells them apart is said here. A word counts where it leads a clause ("I want to cancel …"); with `*` it is no noun and counts anywhere, with
 * its endings.
 */
const pairs: readonly (readonly [string, string])[] = [
  ["add*|include|put in|insert", "remove*|delete*|take out|take off|drop|erase"],
  ["book|reserve|make a booking|make a reservation|make an appointment", "cancel*|call off"],
  ["book|reserve", "confirm*"],
  ["confirm*", "cancel*|call off|decline*|reject*"],
  ["move|change|reschedule*|postpone*|put off", "cancel*|call off"],
  ["turn on|switch on|enable*|activate*", "turn off|switch off|disable*|deactivate*"],
  ["open", "close|shut"],
  ["start|begin|join|subscribe*|sign up|sign me up|opt in|follow", "stop|end|quit|leave|unsubscribe*|opt out|cancel*|unfollow*"],
  ["pause*|suspend*|freeze", "resume*|restart*|unpause*|unfreeze*|continue|reactivate*"],
  ["accept*|approve*|agree to", "decline*|reject*|refuse|deny"],
  ["lock", "unlock*"],
  ["block", "unblock*"],
  ["mute*", "unmute*"],
  ["archive", "unarchive*|restore"],
  ["show", "hide"],
  ["buy|purchase|order", "sell|return|refund"],
  ["send|submit", "draft"],
  ["upload*", "download*"],
  ["increase|raise", "decrease|lower|reduce*|cut"],
  ["lend", "borrow*"],
  ["borrow*|renew*|extend*", "return"],
  ["renew*|extend*", "cancel*|end|stop"],
  ["deposit|pay in", "withdraw*"],
  ["check in|check me in", "check out|check me out"],
  ["upgrade*", "downgrade*"],
  ["create*|make|set up", "delete*|remove*|cancel*"],
  ["register*|enrol*|sign up|sign me up|apply for|join", "withdraw*|drop out|leave|get me off|take me off|cancel*"],
  ["hire|rent|borrow*|take out", "return|give back|bring back|take back|hand back"],
  ["attach*", "detach*"],
  ["allow*", "block*|forbid*"],
  ["opt out|opt me out", "opt in|opt me in"],
  ["put on hold", "release"],
  ["log in|sign in", "log out|sign out"],
  ["import", "export"],
];

/** Deeds that change something; a question about their object asks for none of them. */
const changing =
  /^(?:pay|set|change|book|reserve|cancel|confirm|delete|remove|add|send|move|renew|order|buy|submit|request|update|transfer|return|upgrade|downgrade|lower|raise|increase|reduce|correct|report|apply|join|edit|rename|switch)\b/u;

const courtesy =
  /^(?:(?:please|kindly|just|now|then|also|hi|hello|hey|can|could|would|will|may|i|we|you|they|he|she|want|need|wish|like|have|has|ask|asked|trying|help|me|us|to|let|let's|go|'d|would)(?:'d|'ll|'ve)?[\s,]+)+/u;

/** The clauses of a text without what courtesy puts before the verb. */
function clausesOf(text: string): string[] {
  return fold(withoutUrls(text))
    .replace(/"[^"]*"/gu, " it ")
    .split(/[.,;:!?]+\s|\band\b|\bthen\b|\b(?:want|need|like|wish|have|ask|help me) to\b/u)
    .map((clause) =>
      clause
        .trim()
        .replace(courtesy, "")
        .replace(/^(?:(?:don't|do not) forget to|(?:be|make) sure (?:to|you)|remember to)\s+/u, ""),
    );
}

/** The word of one side that a text says as its action. */
function saidOf(side: string, clauses: readonly string[]): string | undefined {
  return side.split("|").find((entry) => {
    const word = entry.replace("*", "");
    const [first = "", particle] = word.split(" ");
    const apart =
      particle === "on" || particle === "off"
        ? new RegExp(`\\b${first}(?:ed|ing|s)?(?: [^ ]+){0,6}? ${particle}(?! (?:\\d|the \\d|mon|tue|wed|thu|fri|sat|sun))\\b`, "u")
        : undefined;
    const anywhere = entry.endsWith("*") ? new RegExp(`\\b${first.replace(/e$/u, "")}(?:e|s|es|ed|l?ing|ing|led|lation|ation|al)?\\b`, "u") : undefined;
    return clauses.some((clause) => clause === word || clause.startsWith(`${word} `) || apart?.test(clause) === true || anywhere?.test(clause) === true);
  });
}

/** A verb that is called off: "stop sending", "don't skip"; "don't forget to book" asks for it all the same. */
const calledOff = /^(?:stop|don't|do not|no longer|never|quit)\s+(?!(?:forget|worry|bother|wait)\b)(\p{L}+)/u;

/**
 * What one side says that takes back what the other says: "unpublish" of "publish", "unread" of "read", "disconnect" of "connect", "stop sending" of
 * "send". Undefined when nothing does, or it says both.
 */
function undoneIn(some: readonly string[], others: readonly string[]): string | undefined {
  const all = (clauses: readonly string[]): string[] => clauses.flatMap(words);
  const has = (list: readonly string[], word: string): boolean => list.some((other) => stem(other) === stem(word));
  const [mine, theirs] = [all(some), all(others)];
  const turned = mine.find((word) => {
    const plain = /^(?:un)(\p{L}{4,})$/u.exec(word)?.[1] ?? (some.some((clause) => clause.startsWith(word)) ? /^dis(\p{L}{4,})$/u.exec(word)?.[1] : undefined);
    return plain !== undefined && stem(plain).length > 3 && has(theirs, plain) && !has(theirs, word) && !has(mine, plain);
  });
  if (turned !== undefined) return turned;
  const off = some.map((clause) => calledOff.exec(clause)).find((match) => match !== null);
  return off && others.some((clause) => has([clause.split(" ")[0] ?? ""], off[1] ?? "")) && !others.some((clause) => calledOff.test(clause))
    ? off[0]
    : undefined;
}

/**
 * Why a goal is not for a skill whatever its score: it says an action of which all that the skill was asked with says only the opposite, or one of the
 * two asks and the other does (REC-03). Null when nothing speaks against it.
 * @param texts all goals and phrasings of the skill
 */
export function whyOpposed(goal: string, texts: readonly string[], answers: boolean): string | null {
  const wanted = clausesOf(goal);
  const known = texts.flatMap(clausesOf);
  for (const pair of pairs) {
    for (const [mine, other] of [pair, [pair[1], pair[0]] as const]) {
      const said = saidOf(mine, wanted);
      if (said === undefined || saidOf(other, wanted) !== undefined) continue;
      const opposite = saidOf(other, known);
      if (opposite !== undefined && saidOf(mine, known) === undefined) return `the goal says "${said}", and it was learned for "${opposite}"`;
    }
  }
  const undone = undoneIn(wanted, known) ?? undoneIn(known, wanted);
  if (undone !== undefined) return `the goal and what it was learned for say opposite things: "${undone}"`;
  const asks = asksForAnswer(goal);
  const acts = (clauses: readonly string[]): boolean => clauses.some((clause) => changing.test(clause));
  if (asks && !acts(wanted) && !answers && acts(known) && !texts.some(asksForAnswer)) return "the goal asks for an answer, and it does something instead";
  if (!asks && acts(wanted) && answers && !acts(known)) return "the goal wants something done, and it only answers";
  return null;
}
