import { stopWords } from "#base/stop-words.ts";
import { words } from "#base/text.ts";
import { stem } from "./stem.ts";

const isFigure = (word: string): boolean => /^\d/u.test(word);

/** The longest of the choices whose `wanted` words all stand in the text; undefined when none does, null when two are as long. */
function longestSaid(choices: readonly string[], said: ReadonlySet<string>, wanted: (choice: string) => readonly string[]): string | null | undefined {
  const whole = choices
    .map((choice) => ({ choice, of: wanted(choice) }))
    .filter(({ of }) => of.length > 0 && of.every((word) => said.has(word)))
    .sort((a, b) => b.of.length - a.of.length);
  const [first, second] = whole;
  if (first === undefined) return undefined;
  return second !== undefined && second.of.length === first.of.length ? null : first.choice;
}

/**
 * The choice a text names: the one whose words all stand in it, longest first; else the same without figures and what all choices have in common
 * ("Compact" of "Compact £34 a day"); else the only one that shares a telling word with it. Undefined when none or several do.
 */
export function chosenIn(text: string, named: readonly string[]): string | undefined {
  // The same choice told twice is one choice, not two that cannot be told apart.
  const choices = [...new Set(named)];
  const said = new Set(words(text).map(stem));
  const told = (choice: string): string[] =>
    words(choice)
      .filter((word) => !stopWords.has(word))
      .map(stem);
  const whole = longestSaid(choices, said, told);
  if (whole !== undefined) return whole ?? undefined;
  const isShared = (word: string): boolean => choices.length > 1 && choices.every((choice) => told(choice).includes(word));
  const core = longestSaid(choices, said, (choice) => told(choice).filter((word) => !isFigure(word) && !isShared(word)));
  if (core !== undefined) return core ?? undefined;
  const telling = choices.filter((choice) => told(choice).some((word) => said.has(word) && choices.filter((other) => told(other).includes(word)).length === 1));
  return telling.length === 1 ? telling[0] : undefined;
}
