import { stopWords } from "#base/stop-words.ts";
import { escapePattern, standInRow, words } from "#base/text.ts";
import { placeholderNames } from "../skills/index.ts";
import { anyDay, findValues } from "../skills/values/index.ts";

/** Words with which a goal goes on from a name to where or when; "of", "for" and "and" are found inside names. */
const goesOn = new Set(["at", "in", "on", "by", "from"]);

/** Whether a text is nothing but a day, a time, a number or a sum. */
export function isTyped(text: string): boolean {
  const [only, ...more] = findValues(text, anyDay);
  return only !== undefined && more.length === 0 && only.kind !== "text" && only.kind !== "id" && words(only.text).length === words(text).length;
}

/**
 * Whether a text of the page is a value that was read too long out of the goal: "The Salt Road" of "the Salt Road book", "Bread for Bakers" of
 * "Bread for Bakers at Old Town"; but not "War" of "War and Peace".
 */
function isMostOf(said: readonly string[], value: string): boolean {
  const own = words(value);
  if (!standInRow(own, said)) return false;
  if (said.length > 1 && goesOn.has(own[said.length] ?? "") && standInRow(own.slice(0, said.length), said)) return true;
  const left = own.filter((word) => !said.includes(word) && !stopWords.has(word));
  const isName = (word: string): boolean => /\d/u.test(word) || value.includes(`${word[0]?.toUpperCase() ?? ""}${word.slice(1)}`);
  return left.length * 2 < own.length && !left.some(isName);
}

/**
 * The text of the page that a word value means. What the page calls a thing stands above how much of it was read out of the goal: "Oak desk
 * lamp" and not "Oak desk" where the goal says the longer one, "Bread for Bakers" where the reading took in a word too many. Undefined when
 * nothing on the page stands in the goal.
 */
export function groundedText(texts: readonly string[], value: string | undefined, goal: string): string | undefined {
  const inGoal = words(goal);
  const toldInGoal = inGoal.filter((word) => !stopWords.has(word));
  const own = value === undefined ? undefined : words(value);
  let best: { text: string; length: number } | undefined;
  for (const text of texts) {
    const said = words(text);
    const telling = said.filter((word) => !stopWords.has(word));
    // "the evening talk on shipwrecks" is "Evening talk: shipwrecks".
    const isSaid = standInRow(inGoal, said) || (!own && telling.length > 2 && standInRow(toldInGoal, telling));
    if (telling.length === 0 || !isSaid) continue;
    // A lone figure may stand in the goal for anything; "7 to 9" does not.
    // A day or a sum is what another input is for.
    if (!own && isTyped(text)) continue;
    const isTelling = said.length > 2 || (telling.join("").length >= 4 && !/^[\d.,]+$/u.test(telling.join("")));
    if (own ? !(standInRow(said, own) || isMostOf(said, value ?? "")) : !isTelling) continue;
    if (!best || said.length > best.length) best = { text, length: said.length };
  }
  return best?.text;
}

/**
 * The only one of these values that the goal says right after the word that leads to it in the pattern: "L5" for `Book Room {{number}} at {{time}}`
 * where the goal has "Room L5".
 */
export function ledTo(pattern: string, input: string, texts: readonly string[], goal: string): string | undefined {
  const at = pattern.search(new RegExp(`\\{\\{${escapePattern(input)}(?:\\||\\}\\})`, "u"));
  const lead = at < 0 ? undefined : /(\p{L}{2,})\s+$/u.exec(pattern.slice(0, at))?.[1];
  if (lead === undefined || stopWords.has(lead.toLowerCase())) return undefined;
  const inGoal = words(goal);
  const said = new Set(texts.filter((text) => words(text).length > 0 && standInRow(inGoal, words(`${lead} ${text}`))));
  return said.size === 1 ? [...said][0] : undefined;
}

/** What stands where an input's placeholder does, for a name that fits the pattern otherwise. */
export function valueInName(pattern: string, input: string, name: string): string[] {
  let isSeen = false;
  const expression = pattern
    .split(/(\{\{[^}]*\}\}|\*)/u)
    .map((part) => {
      if (part === "*") return ".*?";
      if (!part.startsWith("{{")) return escapePattern(part).replace(/\s+/gu, "\\s+");
      const isIt = !isSeen && placeholderNames(part)[0] === input;
      isSeen ||= isIt;
      return isIt ? "(.+?)" : ".+?";
    })
    .join("");
  const value = new RegExp(`^\\s*${expression}\\s*$`, "iu").exec(name)?.[1]?.trim();
  return value === undefined || value === "" ? [] : [value];
}

/** What stands for the value in a name that fits a pattern; all of it where that cannot be told. */
export function ownValue(pattern: string, name: string): string {
  return valueInName(pattern, placeholderNames(pattern)[0] ?? "", name)[0] ?? name;
}
