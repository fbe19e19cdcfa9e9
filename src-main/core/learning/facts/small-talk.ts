import { fold, squash } from "#base/text.ts";
import { declinedOutright } from "./declined-fields.ts";
import { factsIn } from "./find-facts.ts";
import { isTask } from "./no-answer.ts";

/** What people say when they come, go, thank or ask how one is. */
const greeting =
  /^(?:(?:hi|hello|hey|hiya|howdy|yo|greetings|welcome back|good (?:morning|afternoon|evening|day|night)|morning|evening|bye|goodbye|see you|hallo|hi|moin|servus|guten (?:morgen|tag|abend)|gute nacht|grüß (?:gott|dich)|grüezi|tschüss|thanks?|thank you|thx|cheers|danke|vielen dank|nice|great|cool|good|ok|okay|fine|alright|well|wow|lol|haha|yes|no|ja|nein|super|prima|schön|there|again|everyone|knack|you|friend|so much|very much|a lot|sehr|dir|ihnen|wieder)[\s,!.]*)+$/u;
/** About Knack itself, or how things are. */
const toKnack =
  /^(?:(?:hi|hello|hey|hallo|so|and|well|und|na)[\s,!]+)*(?:(?:how (?:are|do|is|was)|how's|what(?:'s| is| are)|who(?:'s| are| is)|what can|what do|what's|are you|can you help|do you (?:like|have|feel|know who)|nice|good|great|pleased|wie geht|wie heißt|wie heißen|wer bist|wer sind|was kannst|was können|was bist|bist du|freut mich|schön)\b.*\b(?:you|your|up|going|today|things|meet|met|day|life|du|dir|ihnen|sie|dich|dein)\b.*|it going|what's (?:up|new)|wie geht'?s.*|was geht.*|nice to meet you.*|pleased to meet you.*|(?:that|this|it)(?:'s| is| was| sounds| looks) \p{L}+(?: \p{L}+)?|(?:das|es) (?:ist|war|klingt) \p{L}+(?: \p{L}+)?|i(?:'m| am) (?:new|back|here|fine|good|well|ok|okay|great|tired|happy|bored|just (?:looking|trying|testing|curious))\b.*|ich bin (?:neu|da|wieder da|müde|gespannt)\b.*|mir geht.*|tell me (?:about yourself|a joke|something (?:about yourself|nice|funny)).*|erzähl mir (?:einen witz|etwas (?:über dich|von dir|schönes)).*)[?!. ]*$/u;

const courtesy = /^(?:(?:hi|hello|hey|hallo|thanks|thank you|danke|ok|okay|yes|no|ja|nein|well|oh|wow|great|nice|good)[\s,!.]+)+/u;
/** Something is wanted besides. */
const wish = /\b(?:please|need|want|would like|'d like|could you|can you|help me|looking for|bitte|brauche|möchte|suche|kannst du|können sie)(?!\p{L})/u;

const longest = 200;

/**
 * Whether a person only talks: they greet, thank, speak of Knack or of themselves, and ask for nothing. What holds a task, a question about the world, an
 * address or a file is none. Pure.
 */
export function isSmallTalk(message: string): boolean {
  if (message.length > longest || /https?:|[\w-]+\.(?:com|org|net|de|io|example)\b|[/\\]\w|\n/iu.test(message)) return false;
  const sentences = squash(message).split(/(?<=[.!?…])\s+/u);
  return sentences.every((sentence) => {
    const folded = fold(sentence).replace(/[^\p{L}\p{N}?!.)]+$/u, "");
    if (greeting.test(folded) || toKnack.test(folded) || toKnack.test(folded.replace(courtesy, ""))) return true;
    if (declinedOutright(sentence).length > 0) return true;
    const [said] = factsIn(sentence).facts;
    if (said === undefined || wish.test(folded) || folded.endsWith("?")) return false;
    // "Call me Sam" has the form of a task, and is none.
    return !isTask(folded) || fold(said.text) === folded.replace(/[.!\s]+$/u, "");
  });
}
