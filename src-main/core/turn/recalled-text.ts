import { languageOf, learnedText } from "../prompt/index.ts";
import type { Scene } from "./scene.ts";

/**
 * What memory has to say to the newest message, for L2 of its turn: facts near to it that stand in no block, as data, and whether what is asked about the
 * user is known at all. "" where nothing is near, and with memory off.
 */
export function recalledText({ world, turn, input, charge, kept }: Scene): string {
  if (charge !== null || !world.settings().memory) return "";
  const { facts, isKnown } = world.keepMemory(turn).knownFor(input.text);
  return [facts.length === 0 ? "" : learnedText("RECALLED", facts), isKnown === null ? "" : isKnown ? told : unknown, kept.length === 0 ? "" : keptLine]
    .filter((text) => text !== "")
    .join("\n");
}

const told = 'Answer with what the user told about themselves, as "you …". What they did not tell, you do not know.';
const unknown = 'The user never told this. Reply: "I do not know that yet."';
const keptLine = 'The user tells this about themselves, not about you, and it is kept. Greet them in one short sentence that says "you".';

/** One line where the newest message is not in English: a small model answers in the language of its prompt. "" for English, and where it cannot be told. */
export function languageLine(text: string): string {
  const language = languageOf(text);
  return language === null ? "" : `Answer in ${language}.`;
}
