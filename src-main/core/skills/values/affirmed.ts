import { quotedIn } from "./find-values.ts";
import { overlap } from "./spans.ts";

/** Words that take out what follows them; a verb that is denied ("is not working", "do not call") takes out nothing that could be a value. */
const denies =
  /(?:(?<!\b(?:do|does|did|is|are|was|were|am|can|could|will|would|should|shall|must|may|might|has|have|had|if|or|why|certainly|still)\s)\bnot\b(?!\s+(?:only\b|(?:more|less|later|earlier|fewer|longer)\s+than\b))|\b(?:is|was|are|were)\s+not(?=\s+(?:on|for|from|at)\b)|\bexcept(?:\s+for)?\b|\bother\s+than\b|\bapart\s+from\b|\bexcluding\b|\b(?:anything|everything|anyone|everyone|all|any)\s+but\b|(?<=\bevery\s+\p{L}+\s+)but\b)(?<rest>(?:\s+(?!(?:but|and|or|please|i|we|then|instead)\b)[^\s,;.!?]+(?:\.\d+)?){1,7})/giu;

/**
 * A goal without what it says it does not mean ("…, not that of 3 May", "everything but Moss"), blanked out so that offsets stay. What is quoted
 * stands as it is.
 */
export function affirmed(goal: string): string {
  const quoted = quotedIn(goal);
  return goal.replace(denies, (denied, ...more) => {
    const start = more.find((part) => typeof part === "number") as number;
    return quoted.some((quote) => overlap(quote, { start, end: start + denied.length })) ? denied : " ".repeat(denied.length);
  });
}
