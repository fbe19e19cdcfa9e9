import { stopWords } from "#base/stop-words.ts";
import { fold, words } from "#base/text.ts";

/** What a person erased, as far as something else may have kept it. */
export interface Erased {
  /** Goals of the episodes, and what was said in them. */
  readonly goals: readonly string[];
  /** Values that stood in them: of inputs, of what was found on pages. */
  readonly values: readonly string[];
}

/** Whether a text tells of what was erased. */
export type Tells = (text: string) => boolean;

/** By a word that only the erased goals had, of those and the goals that are left. */
export function tellsByWord({ goals }: Pick<Erased, "goals">, left: readonly string[]): Tells {
  return holdsOne(onlyIn(goals, left));
}

/** By a word of a value that no goal which is left names as well. */
export function tellsByValue({ values }: Pick<Erased, "values">, left: readonly string[]): Tells {
  return holdsOne(onlyIn(values, left));
}

/** By a goal or a value as it was written. */
export function tellsAsWritten({ goals, values }: Erased): Tells {
  const wanted = [...goals, ...values].map(fold).filter((text) => text.length > 2);
  return (text) => {
    const folded = fold(text);
    return wanted.some((one) => folded.includes(one));
  };
}

function onlyIn(erased: readonly string[], left: readonly string[]): ReadonlySet<string> {
  const kept = new Set(left.flatMap(words));
  return new Set(erased.flatMap(words).filter((word) => !kept.has(word) && !stopWords.has(word)));
}

function holdsOne(telling: ReadonlySet<string>): Tells {
  return (text) => words(text).some((word) => telling.has(word));
}
