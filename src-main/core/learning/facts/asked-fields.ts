import { fold, squash } from "#base/text.ts";
import type { ProfileField } from "#contract/memory/schema.ts";

/** What may come after a question about a person; anything else makes it one about a flight, a form or a page. */
const ends =
  "(?=\\s*(?:$|[?,;:()–—-]|(?:please|so (?:i|that|we)|bitte|denn|und|if (?:i|you|that|it)|and|or|then|by the way|first|again|currently|now|right now|these days|at the moment|as well|too)\\b))";
const asks = (pattern: string): RegExp => new RegExp(`(?:${pattern})${ends}`, "u");
/** "Is that your name?", "the bill in your name". */
const notOfThat = "(?<!\\b(?:this|that|it|in|under|by|with|of|on|from|for) )";

/** The words by which a person is asked for it about themselves. */
const questions: readonly (readonly [ProfileField, RegExp])[] = [
  [
    "name",
    asks(
      `${notOfThat}\\byour (?:first |full |own )?name(?: is)?|\\b(?:what|how) (?:should|may|can|shall|could|do) i call you|\\b(?:what|how) would you like me to call you|\\bare you called|\\byou(?:'d| would) like to be called|\\bwould you like to be called|\\bwie (?:heißt|heisst) du|\\bwie heißen sie|\\bwie (?:ist|lautet) (?:dein|ihr) name|\\bwie (?:darf|soll|kann) ich (?:dich|sie) (?:nennen|ansprechen)`,
    ),
  ],
  [
    "location",
    asks(
      `\\bwhere (?:do you live|are you(?: (?:based|located|living|at home|from))?|you (?:live|are)(?: based| located)?)|\\b(?:which|what) (?:city|town|country) (?:do you live in|are you (?:in|from|based in|located in|living in))|\\bin (?:which|what) (?:city|town|country) do you live|${notOfThat}\\byour (?:location|home ?town|home city|city|town)|\\bwo (?:wohnst|lebst) du|\\bwo (?:wohnen|leben) sie|\\bin welcher stadt (?:wohnst|lebst) du`,
    ),
  ],
  [
    "role",
    asks(
      `${notOfThat}\\byour (?:current )?(?:role|job|job title|profession|occupation)(?: is)?|\\bwhat (?:kind of work )?do you do(?: for (?:a living|work))?|\\bwhat you do(?: for (?:a living|work))?|\\bwas (?:machst du|machen sie)(?: beruflich| von beruf)|\\bwas (?:arbeitest du|bist du von beruf)|\\bals was arbeitest du|\\bwas ist (?:dein|ihr) beruf`,
    ),
  ],
];

/** Which fields the last question of a text asks a person for, about themselves. Pure. */
export function askedFields(said: string): ProfileField[] {
  const last = fold((squash(said).match(/[^.!?]*\?/gu) ?? []).at(-1) ?? "");
  return questions.flatMap(([field, words]) => (words.test(last) ? [field] : []));
}
