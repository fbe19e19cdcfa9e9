import type { Fact, ProfileField } from "#contract/memory/schema.ts";
import { profileFieldSchema } from "#contract/memory/schema.ts";
import { askedFields, asksAboutUser, declinedIn, declinedOutright, factSlot, isSmallTalk, nearestFacts, profileFields } from "#core/learning/index.ts";
import type { KnownForTurn, Stores } from "#core/ports/index.ts";
import { languageOf } from "#core/prompt/index.ts";
import { tellingStems } from "#core/skills/values/index.ts";
import { asksToForget } from "#core/tools/index.ts";
import { messagesForPrompt } from "./forgotten-spans.ts";

type World = { readonly stores: Pick<Stores, "facts" | "conversations" | "trace"> };

/** What is asked of a new user, in this order, and what is said where it is not known. */
const questions: Readonly<Record<"English" | "German", Readonly<Record<ProfileField, string>>>> = {
  English: { name: "what is your name?", location: "where do you live?", role: "what do you do for a living?" },
  German: { name: "wie heißt du?", location: "wo wohnst du?", role: "was machst du beruflich?" },
};
const unknown: typeof questions = {
  English: { name: "I do not know your name yet.", location: "I do not know where you live yet.", role: "I do not know what you do for a living yet." },
  German: { name: "Ich weiß deinen Namen noch nicht.", location: "Ich weiß noch nicht, wo du wohnst.", role: "Ich weiß noch nicht, was du beruflich machst." },
};
const whole = {
  English: {
    told: "You told me:",
    none: "I do not know anything about you yet.",
    some: "This is what I know about you, in your words:",
    more: (count: number) => `and ${count} more, in Memory`,
  },
  German: {
    told: "Du hast mir gesagt:",
    none: "Ich weiß noch nichts über dich.",
    some: "Das weiß ich über dich, in deinen Worten:",
    more: (count: number) => `und ${count} weitere, unter Memory`,
  },
};

/** Facts that one step's prompt takes, and lines of an answer. */
const mostNear = 4;
const mostListed = 20;
/** What somebody said of themselves earlier in a conversation may answer what is asked in it, in whatever form it was said. */
const ofThemselves = /\b(?:i|i'm|i’m|im|my|me|ich|mein\p{L}*|mir|mich)\b/iu;

const toTold = {
  English: { hello: "Hello! ", kept: "Thank you, I will remember that.", declined: "All right, I will not ask about that." },
  German: { hello: "Hallo! ", kept: "Danke, das merke ich mir.", declined: "In Ordnung, danach frage ich nicht." },
};
const greets = /^(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|hallo|moin|servus|guten (?:morgen|tag|abend))\b/iu;

/** The answer to a message that only tells something about its writer, or declines to; null for every other. */
export function answerToTold({ stores }: World, conversationId: string, message: string, kept: readonly Fact[]): string | null {
  const before = stores.conversations.messages(conversationId).findLast(({ role }) => role === "assistant");
  const question = before?.text ?? "";
  const say = toTold[languageOf(message) === "German" || languageOf(question) === "German" ? "German" : "English"];
  const hello = greets.test(message.trim()) ? say.hello : "";
  const isAnswer = kept.some(({ provenance }) => provenance?.sentence === message) && askedFields(question).length > 0;
  if (kept.length > 0 && (isAnswer || isSmallTalk(message))) return `${hello}${say.kept}`;
  const declined = [...declinedOutright(message), ...(askedFields(question).length === 0 ? [] : declinedIn(message, question))];
  return kept.length === 0 && declined.length > 0 && !message.includes("?") ? say.declined : null;
}

/** What memory knows for a message, in this conversation. */
export function knownFor({ stores }: World, conversationId: string, message: string): KnownForTurn {
  const facts = stores.facts.list();
  const asked = asksAboutUser(message);
  const notes = facts.filter(({ label }) => label === "NOTE");
  const near = asked?.whole ? notes.toReversed().slice(0, mostNear) : nearestFacts(notes, message, mostNear);
  if (asked === null) return { facts: near, isKnown: null };
  const known = profileFields(stores.facts);
  const isKnown =
    near.length > 0 ||
    nearestFacts(facts, message, 1).length > 0 ||
    asked.fields.some((field) => known.get(field) === "known") ||
    toldEarlier({ stores }, conversationId);
  return { facts: near, isKnown };
}

/** The answer to what code knows the answer of: all that is kept, or a name, a place or a role that was never told. Null for everything else. */
export function answerAboutUser({ stores }: World, conversationId: string, message: string): string | null {
  const asked = asksAboutUser(message);
  if (asked === null) return null;
  const language = languageOf(message) === "German" ? "German" : "English";
  const facts = stores.facts.list();
  const told = asked.whole ? [] : answering(facts, message, asked.fields);
  if (told.length > 0) return `${whole[language].told} ${told.map(({ text }) => `"${text}"`).join(", ")}.`;
  if (!asked.whole && asked.fields.length === 0) return null;
  if (asked.whole && facts.length > 0) return listed(facts, language);
  // What was said here and not kept the model has before its eyes.
  if (toldEarlier({ stores }, conversationId)) return null;
  if (asked.whole) return whole[language].none;
  const known = profileFields(stores.facts);
  const missing = asked.fields.filter((field) => known.get(field) !== "known");
  if (missing.length < asked.fields.length) return null;
  const [first] = missing;
  if (first === undefined || nearestFacts(facts, message, 1).length > 0) return null;
  const question = known.get(first) === "declined" ? "" : ` ${capital(questions[language][first])}`;
  return `${missing.map((field) => unknown[language][field]).join(" ")}${question}`;
}

/**
 * What a new user is asked at the end of an answer: the first of name, place and role that is neither known nor declined; only where they just talk, and
 * once in a conversation, however it was worded.
 */
export function questionAfter({ stores }: World, conversationId: string, message: string, answer: string): string | null {
  if (!isSmallTalk(message)) return null;
  const fields = profileFields(stores.facts);
  const missing = profileFieldSchema.options.find((field) => !fields.has(field));
  if (missing === undefined) return null;
  // Who would rather not say one thing is not asked for the next in the same breath.
  if (declinedOutright(message).length > 0) return null;
  const said = stores.conversations.messages(conversationId).filter(({ role }) => role === "assistant");
  if (askedFields(answer).length > 0 || said.some(({ text }) => askedFields(text).length > 0)) return null;
  return languageOf(message) === "German" || languageOf(answer) === "German"
    ? `Übrigens: ${questions.German[missing]}`
    : `By the way, ${questions.English[missing]}`;
}

/** Facts that one answer quotes. */
const mostQuoted = 3;
const slots: Readonly<Record<ProfileField, readonly string[]>> = { name: ["name"], location: ["home"], role: ["role", "employer", "business"] };

/** The facts that answer a question as they stand: they are of what is asked for, or hold every word of it that tells something. */
function answering(facts: readonly Fact[], message: string, fields: readonly ProfileField[]): Fact[] {
  const ofField = facts.filter(({ label, text }) => label === "SOUL" && fields.some((field) => slots[field].includes(factSlot(text) ?? "")));
  if (ofField.length > 0) return ofField.slice(0, mostQuoted);
  const wanted = tellingOfQuestion(message);
  if (wanted.length === 0) return [];
  return facts
    .filter(({ text }) => {
      const said = new Set(tellingOfQuestion(text));
      return wanted.every((word) => said.has(word));
    })
    .slice(0, mostQuoted);
}

/** Words of a question that are none of what it asks for; what is called something has that for a name. */
const asking = new Set(tellingStems("know remember recall tell told again weißt kennst erinnerst du mir noch wie was wer wo wann ist mein meine ich"));
const [called = "", ...named] = tellingStems("called name names named");

function tellingOfQuestion(text: string): string[] {
  return tellingStems(text)
    .filter((word) => !asking.has(word))
    .map((word) => (named.includes(word) ? called : word));
}

function listed(facts: readonly Fact[], language: "English" | "German"): string {
  const { some, more } = whole[language];
  const lines = facts.slice(0, mostListed).map(({ text }) => `- ${text}`);
  return [some, ...lines, ...(facts.length > lines.length ? [more(facts.length - lines.length)] : [])].join("\n");
}

/** Whether they spoke of themselves before, other than to ask or to have something forgotten; what was forgotten counts for nothing. */
function toldEarlier({ stores }: World, conversationId: string): boolean {
  const own = messagesForPrompt(stores, conversationId).filter(({ role }) => role === "user");
  return own.slice(0, -1).some(({ text }) => ofThemselves.test(text) && !text.trim().endsWith("?") && asksAboutUser(text) === null && !asksToForget(text));
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
