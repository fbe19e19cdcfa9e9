import { stripInvisible } from "#base/invisible.ts";
import type { RevisionContent } from "#contract/skills/schema.ts";

/** Forms of keys and tokens whose issuers gave them a mark, and what people write before a secret. */
const secrets: readonly RegExp[] = [
  /-----BEGIN [A-Z ]+-----/u,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/u,
  /\b(?:gh[pousr]_|github_pat_|glpat-|npm_|hf_|xox[abeoprs]-|ya29\.|[spr]k[-_])[A-Za-z0-9_.-]{16,}/u,
  /\bAIza[0-9A-Za-z_-]{30,}/u,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/u,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/u,
  /\b(?:bearer|basic)\s+[A-Za-z0-9._~+/=-]{16,}/iu,
  /:\/\/[^\s/:@]+:[^\s/@]{3,}@/u,
  // Long and of all kinds of characters, or long and hexadecimal: no word and no number of an order.
  /\b(?:0x)?(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{32,}\b/iu,
  /(?<![\w/-])(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[A-Za-z0-9_-]{32,}(?![\w/-])/u,
  /\b(?:pass(?:word|code|phrase|wd)|pwd|pin(?: code)?|api[ _-]?key|access[ _-]?key|secret|token|cvv?2?|cvc)\s*(?:[:=]\s*(?!\{\{)\S{3,}|is\s+(?=\S*[\d!-/])[^\s{]{3,})/iu,
  // Said without a mark: "PIN 4821", "Passwort: geheim", "my password is correcthorse"; not "password is required".
  /\b(?:pass(?:word|code|phrase|wort)|pwd|pin(?: code)?|cvv?2?|cvc)\s+(?=\S*\d)[^\s{]{3,}/iu,
  /\b(?:passwor[dt]|pass|kennwort|mot de passe|contraseña)\s*[:=]\s*(?!\{\{)\S+/iu,
  /\bpass(?:word|code|phrase)\s+is\s+(?!(?:required|needed|missing|wrong|incorrect|correct|invalid|weak|strong|optional|hidden|shown|expired|changed|saved|not|too|the|a|an|in|at|on)\b)[^\s{]{6,}/iu,
];

const digits = /(?<!\d)(?:\d[ .-]?){12,18}\d(?!\d)/gu;
const account = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/gu;

/** The check digits of an international bank account number (ISO 13616). */
function isBankAccount(text: string): boolean {
  const plain = text.replaceAll(" ", "");
  if (plain.length < 15 || plain.length > 34) return false;
  const numbers = [...plain.slice(4), ...plain.slice(0, 4)].map((letter) => Number.parseInt(letter, 36)).join("");
  return BigInt(numbers) % 97n === 1n;
}

/** The check digit of card numbers (ISO/IEC 7812): a long number of an order passes it by chance once in ten. */
function isCardNumber(text: string): boolean {
  const numbers = [...text.replace(/\D/gu, "")].reverse().map(Number);
  const sum = numbers.reduce((total, digit, index) => total + (index % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)), 0);
  return sum % 10 === 0;
}

/** Whether a text holds what looks like a password, a key or the number of a card (UNT-03). */
export function isSecretLike(text: string): boolean {
  const plain = stripInvisible(text).normalize("NFKC");
  return secrets.some((form) => form.test(plain)) || (plain.match(digits) ?? []).some(isCardNumber) || (plain.match(account) ?? []).some(isBankAccount);
}

/** A text with everything that looks like a secret left out. */
export function withoutSecretText(text: string): string {
  const plain = stripInvisible(text);
  if (!isSecretLike(plain)) return plain;
  const marked = secrets.reduce((rest, form) => rest.replace(new RegExp(form, form.flags.includes("g") ? form.flags : `${form.flags}g`), "***"), plain);
  const masked = marked.replace(digits, (found) => (isCardNumber(found) ? "***" : found)).replace(account, (found) => (isBankAccount(found) ? "***" : found));
  // Written in letters that only look alike: what cannot be told apart goes as a whole.
  return isSecretLike(masked) ? "***" : masked;
}

/** What people write before a secret of theirs; what follows is left out of the text, and what stands before it is kept. */
const said =
  /(\b(?:pass(?:word|code|phrase|wort|wd)|kennwort|pwd|pin(?: code)?|cvv2?|cvc2?|api ?key|(?:access|recovery|backup|security|login) (?:key|code|token))s?\b(?: (?:for|of|to|at|für|von) [^:=.!?]{1,40}?)?(?:'s|\s*[:=]| is| are| was| ist| lautet| war)\s+)(?!(?:required|needed|missing|wrong|incorrect|correct|invalid|weak|strong|optional|hidden|shown|expired|changed|saved|kept|stored|written|not|too|very|the|a|an|in|at|on|with|by|my|your|still|never|falsch|richtig|nicht|zu|ein|eine|der|die|das|in|im)\b|\p{L}+ing\b)(?:\p{L}+(?:\s+(?!(?:and|or|but|please|und|oder|aber|bitte)\b)\p{L}+)+(?=[\s,;.!?]*(?:$|[,;.!?]))|[^\s,;]+)/giu;
const aboutCard = /\b(?:card|visa|mastercard|amex|credit|debit|(?:kredit|ec-?)?karte|kartennummer)/iu;

/**
 * A person's message without the secrets they tell in it: a password, a key, the number of a card. What only looks like one, such as the number of an order,
 * stays: the message is to be worked with. Pure.
 * @param isToBeKept they ask to have it remembered: then whatever looks like a secret goes
 */
export function withoutToldSecrets(text: string, isToBeKept = false): string {
  if (isToBeKept) return withoutSecretText(text.replace(said, "$1***"));
  const tokens = secrets
    .slice(0, tokenForms)
    .reduce((rest, form) => rest.replace(new RegExp(form, form.flags.includes("g") ? form.flags : `${form.flags}g`), "***"), text);
  const told = tokens.replace(said, "$1***");
  return aboutCard.test(text) ? told.replace(digits, (found) => (isCardNumber(found) ? "***" : found)) : told;
}

/** How many of the forms are of keys whose issuers gave them a mark. */
const tokenForms = 6;

/**
 * What injected instructions are often made of. A second line and no more: instructions can be worded in endless ways. The first line is that a skill
 * takes nothing from pages but names of controls, headings and patterns of addresses, which code compares and nobody obeys.
 */
const instructions: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b(?: \p{L}+){0,3}? (?:(?:previous|prior|above|earlier|preceding|foregoing)\b|(?:instructions?|rules|guidelines|prompts?)\b|(?:everything|all|anything|what) (?:that )?(?:you|above|before))/iu,
  /\b(?:new|updated|revised|additional|important|further|real|hidden) instructions?\s*:/iu,
  /\byou are (?:now|no longer)\b.{0,40}\b(?:mode|assistant|model|bound|restricted|unrestricted|jailbroken|allowed|admin\p{L}*|root)\b/iu,
  /\b(?:developer|debug|god|admin|maintenance) mode (?:is )?(?:on|enabled|active)/iu,
  /\b(?:system|assistant|developer)\s*:\s*(?:you|grant|allow|ignore|open|do|set|run|send|always|never|add|use|call|the user|please)\b/iu,
  /\b(?:do not|don't|never) (?:tell|inform|ask|warn|notify|alert|mention (?:this|it) to|show (?:this|it) to|reveal (?:this|it) to)\b(?: \p{L}+)? (?:user|person|owner|human|operator|anyone|anybody)\b/iu,
  /\bwithout (?:asking|telling|informing|notifying) (?:the )?(?:user|person|owner|human)\b/iu,
  /\b(?:the )?user (?:has|had)(?: already)? (?:approved|confirmed|granted|agreed|consented|authori[sz]ed)/iu,
  /\bgrant (?:the )?(?:destination|permission|vault|access to https?:)/iu,
  /\bsystem prompt\b/iu,
  // Marks by which chat templates part the speakers.
  /<\|[\p{L}_ ]+\|?>|\[\/?(?:INST|SYS|SYSTEM)\]|<<\/?SYS>>|<\/?(?:system|assistant|user|human|s|bos|eos|instructions?|(?:start|end)_of_turn|tool_(?:call|response|result)|function_calls?|think)>/iu,
  /^\s*#{2,}\s*(?:instructions?|system|response|human|assistant|user|input)\b/imu,
];

/** Whether a text reads like an instruction to the model rather than a name of something on a page (UNT-01). */
export function isInstructionLike(text: string): boolean {
  const plain = stripInvisible(text).normalize("NFKC");
  return [plain, ...decoded(plain)].some((one) => instructions.some((form) => form.test(one)));
}

/** Shortest run of base64 that is looked into: sixteen characters of text. */
const encoded = /[A-Za-z0-9+/_-]{22,}={0,2}/gu;

/** What stands in a text as base64, where it is text. */
function decoded(text: string): string[] {
  return (text.match(encoded) ?? []).flatMap((run) => {
    try {
      const bytes = Uint8Array.from(atob(run.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/u, "")), (character) => character.charCodeAt(0));
      const inner = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      return /^[\p{L}\p{N}\p{P}\p{S}\p{Z}\s]+$/u.test(inner) ? [inner] : [];
    } catch {
      return [];
    }
  });
}

/** Longest text of a page that is a name or a heading. What is longer is a passage, which has no business in a skill. */
const longestName = 300;

/** Every text of a value with the way to it: "step 3, target, name". */
function* textsOf(value: unknown, path: readonly string[]): Generator<{ readonly path: readonly string[]; readonly text: string }> {
  if (typeof value === "string") yield { path, text: value };
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* textsOf(item, path.at(-1) === "steps" ? [...path.slice(0, -1), `step ${index + 1}`] : path);
  else if (value !== null && typeof value === "object") for (const [key, item] of Object.entries(value)) yield* textsOf(item, [...path, key]);
}

/** Fields that hold what a page said. */
const fromPages = new Set(["name", "within", "heading", "title"]);

/** What of a skill may not be kept, with the field it stands in; every text is looked at. Null when all may. */
export function unsafeIn(content: RevisionContent): string | null {
  // The goal first: summary and when-to-use repeat it.
  for (const { path, text } of [...textsOf({ goal: content.goal }, []), ...textsOf(content, [])]) {
    const where = path.filter((part) => part !== "call" && part !== "args" && part !== "check" && part !== "page").join(", ");
    if (isSecretLike(text)) return `it holds something that looks like a secret (${where})`;
    if (isInstructionLike(text)) return `it holds text that reads like an instruction to the model (${where})`;
    if (fromPages.has(path.at(-1) ?? "") && text.length > longestName) return `it holds a passage of a page where a name belongs (${where})`;
  }
  // Split over several names it is one all the same.
  const joined = [...textsOf(content.steps, [])].filter(({ path }) => fromPages.has(path.at(-1) ?? "")).map(({ text }) => text);
  return isInstructionLike(joined.join(" ")) ? "its names read together like an instruction to the model" : null;
}
