import { stopWords } from "#base/stop-words.ts";
import { squash, words } from "#base/text.ts";
import type { LanguageModel } from "../ports/language-model.ts";
import { findValues, withoutUrls } from "../skills/values/index.ts";
import { nameFromGoal } from "./draft.ts";
import { isInstructionLike, isSecretLike } from "./unsafe-text.ts";

/** The model's words for a routine; the structure is not its business. */
export interface Wording {
  readonly name: string;
  readonly whenToUse: string;
  readonly phrasings: readonly string[];
}

/** What the model wrote is no wording; it is not repaired. */
export class UnreadableWording extends Error {
  override readonly name = "UnreadableWording";
}

const grammar = [
  'root ::= "SKIP" | "name: " word ("-" word)? ("-" word)? ("-" word)? "\\nwhen: " sentence "\\n"',
  "word ::= [a-z] [a-z]+",
  "sentence ::= [A-Z] [a-zA-Z0-9 ,.-]+",
  "",
].join("\n");

/**
 * One low-temperature generation that names the routine and says when to use it, or SKIP (SPEC 4.5). It reads the goals without their addresses, else
 * the site's host becomes part of the name. Undefined when the model skips; throws when what it wrote cannot be read: the cluster is then left
 * out, not repaired. Words of a single case are not taken into a name or a when: what the goals have in common stands there instead.
 * @param values what was bound, in any of the runs
 * @param common when the routine is to be used, told without the model
 */
export async function distil(
  goals: readonly string[],
  steps: readonly string[],
  values: readonly string[],
  common: string,
  now: Date,
  model: LanguageModel,
  signal: AbortSignal,
): Promise<Wording | undefined> {
  const answer = await model.generate(
    {
      messages: [
        {
          role: "system",
          text: "You name routines. A name is two to four words joined by hyphens, without the values of a single case. Say in one sentence when the routine is to be used. If the requests below do not ask for the same kind of thing, write SKIP.",
        },
        {
          role: "user",
          text: `Requests:\n${goals.map((goal) => `- ${squash(withoutUrls(goal))}`).join("\n")}\nSteps:\n${steps.map((step, index) => `${index + 1}. ${step}`).join("\n")}\nWrite\nname: …\nwhen: …`,
        },
      ],
      grammar,
      temperature: 0.1,
      maxTokens: 90,
    },
    signal,
  );
  if (answer.text.trim() === "SKIP") return undefined;
  const name = /^name: ([a-z]+(?:-[a-z]+)*)$/mu.exec(answer.text)?.[1];
  const when = /^when: (.+)$/mu.exec(answer.text)?.[1];
  if (!name || !when) throw new UnreadableWording(`the wording could not be read: ${answer.text.slice(0, 120)}`);
  // The model has read names that pages made; what they talked it into is not kept.
  if (isInstructionLike(when) || isSecretLike(when)) throw new UnreadableWording("the wording reads like an instruction or holds a secret");
  const single = wordsOfOneCase(goals, values, now);
  const isOfOneCase = (text: string): boolean => words(text).some((word) => single.has(word));
  const telling = name.includes("-") && name.length <= 64 && !isOfOneCase(name) ? name : nameFromGoal(goals[0] ?? "", values, now);
  return { name: telling, whenToUse: isOfOneCase(when) ? common : when.trim(), phrasings: [] };
}

/** Words of the values, as they are bound and as the goals write them, that do not stand in every goal. */
function wordsOfOneCase(goals: readonly string[], values: readonly string[], now: Date): Set<string> {
  const ofGoals = goals.map((goal) => new Set(words(goal)));
  const written = goals.flatMap((goal) => findValues(goal, now).map(({ start, end }) => goal.slice(start, end)));
  return new Set([...values, ...written].flatMap((value) => words(value)).filter((word) => !stopWords.has(word) && !ofGoals.every((goal) => goal.has(word))));
}
