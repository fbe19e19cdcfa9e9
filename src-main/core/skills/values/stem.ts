import { stemmer } from "stemmer";

/** What a word of English has in common with its other forms ("netted" and "nets", "mending" and "mend"); Porter's algorithm, possessives aside. */
export function stem(word: string): string {
  return stemmer(word.replace(/'s?$/u, ""));
}
