import type { Needle } from "./automaton.ts";
import { base64Core, hex, utf8, utf16le } from "./bytes.ts";
import { foldText } from "./fold-text.ts";

/** Whether a value can be told from ordinary text at all. */
export type Redactability = { readonly redactable: true } | { readonly redactable: false; readonly reason: string };

const everyday = new Set([
  "true",
  "false",
  "null",
  "none",
  "undefined",
  "password",
  "passwort",
  "secret",
  "login",
  "user",
  "username",
  "admin",
  "test",
  "name",
  "email",
  "code",
  "token",
  "https",
  "http",
]);

/** At least 4 characters, 6 for digits alone, and no everyday word: masking "true" would destroy every text. */
export function redactability(value: string): Redactability {
  const folded = foldText(value).trim();
  if (folded === "") return { redactable: false, reason: "it is empty" };
  if (everyday.has(folded)) return { redactable: false, reason: "it is an everyday word" };
  if (/^\p{N}+$/u.test(folded)) return folded.length >= 6 ? { redactable: true } : { redactable: false, reason: "fewer than 6 digits occur everywhere" };
  return [...folded].length >= 4 ? { redactable: true } : { redactable: false, reason: "fewer than 4 characters occur everywhere" };
}

/**
 * Everything a value may look like that reading escapes does not undo: itself, reversed, and its bytes (UTF-8 and
 * UTF-16, composed and decomposed) in hex and in base64 at each of the three offsets. Longest first.
 */
export function needlesOf(name: string, value: string): Needle[] {
  if (!redactability(value).redactable) return [];
  const spellings = [...new Set([value, value.normalize("NFC"), value.normalize("NFD"), value.toLowerCase(), value.toUpperCase()])];
  const bytes = spellings.flatMap((spelling) => [utf8(spelling), utf16le(spelling)]);
  const encoded = bytes.flatMap((each) => {
    const base64 = ([0, 1, 2] as const).map((offset) => base64Core(each, offset));
    return [hex(each), ...base64, ...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))];
  });
  const plain = spellings.flatMap((spelling) => [spelling, [...spelling].reverse().join("")]).map((spelling) => foldText(spelling).trim());
  const needles = [...plain, ...encoded.map(foldText).filter((text) => text.length >= 5)];
  return [...new Set(needles)].sort((one, other) => other.length - one.length).map((text) => ({ text, name, needsBoundary: /^\p{N}+$/u.test(text) }));
}

/** Values long enough that their letters, white space aside, stand in a row only where they are meant; longest first. */
const spacelessLength = 8;

/** For a value that a page breaks over lines, columns or boxes: its spellings without white space, to be looked for in a text without any. */
export function spacelessNeedlesOf(name: string, value: string): Needle[] {
  const texts = needlesOf(name, value).map(({ text }) => text.replaceAll(" ", ""));
  const isNumber = (text: string): boolean => /^\p{N}+$/u.test(text);
  return [...new Set(texts)].filter((text) => text.length >= spacelessLength && !isNumber(text)).map((text) => ({ text, name, needsBoundary: false }));
}
