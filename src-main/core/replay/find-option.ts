import { fold, words } from "#base/text.ts";
import { isLike } from "#base/wildcard.ts";
import { stem, tellingStems } from "../skills/values/index.ts";
import { holdsWhole } from "./whole-words.ts";

/** The option of a list that a filled value means: the same text, else the only one that holds all its words. */
export function findOption(options: readonly string[], wanted: string): string | undefined {
  const same = options.find((option) => fold(option) === fold(wanted));
  if (same !== undefined) return same;
  const wild = wanted.includes("*") ? options.filter((option) => isLike(wanted, option)) : [];
  if (wild.length === 1) return wild[0];
  const holding = options.filter((option) => holdsWhole(option, wanted));
  if (holding.length === 1) return holding[0];
  const loose = options.filter((option) => {
    const own = new Set(words(option).map(stem));
    return tellingStems(wanted).every((word) => own.has(word));
  });
  return loose.length === 1 ? loose[0] : undefined;
}
