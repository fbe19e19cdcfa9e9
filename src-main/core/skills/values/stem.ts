import { stemmer } from "stemmer";
import { stopWords } from "#base/stop-words.ts";
import { words } from "#base/text.ts";

/** What a word of English has in common with its other forms ("netted" and "nets", "mending" and "mend"); Porter's algorithm, possessives aside. */
export function stem(word: string): string {
  return stemmer(word.replace(/'s?$/u, ""));
}

/** Words that tell one thing from another, in order, by their stems. */
export function tellingStems(text: string): string[] {
  return words(text)
    .filter((word) => !stopWords.has(word))
    .map(stem);
}
