import { stopWords } from "#base/stop-words.ts";
import { words } from "#base/text.ts";

const stem = (word: string): string => word.replace(/(?:ies|es|s|ing|ed)$/u, "");

/**
 * The choice a text names: the one whose words all stand in it, longest first; else the only one that shares a telling word with it. Undefined
 * when none or several do.
 */
export function chosenIn(text: string, named: readonly string[]): string | undefined {
  // The same choice told twice is one choice, not two that cannot be told apart.
  const choices = [...new Set(named)];
  const said = new Set(words(text).map(stem));
  const told = (choice: string): string[] =>
    words(choice)
      .filter((word) => !stopWords.has(word))
      .map(stem);
  const whole = choices
    .filter((choice) => told(choice).length > 0 && told(choice).every((word) => said.has(word)))
    .sort((a, b) => told(b).length - told(a).length);
  const [first, second] = whole;
  if (first !== undefined && (second === undefined || told(second).length < told(first).length)) return first;
  if (whole.length > 1) return undefined;
  const telling = choices.filter((choice) => told(choice).some((word) => said.has(word) && choices.filter((other) => told(other).includes(word)).length === 1));
  return telling.length === 1 ? telling[0] : undefined;
}
