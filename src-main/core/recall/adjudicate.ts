import { squash } from "#base/text.ts";
import type { JudgedCondition, Revision } from "#contract/skills/schema.ts";
import type { LanguageModel } from "../ports/language-model.ts";
import { inertText } from "../prompt/index.ts";
import { parsePreflight } from "../skills/index.ts";

/** Probability of "yes" from which a condition holds, and up to which it does not; between the two nobody knows. */
const holdsFrom = 0.8;
const failsTo = 0.2;

export interface Adjudicated {
  /** Why the skill is blocked, in words that follow "it fits, but"; null where nothing speaks against it. */
  readonly blocked: string | null;
  readonly conditions: readonly JudgedCondition[];
}

/**
 * The conditions in words (SPEC 3.6, 3): one question each, read from the probability of the answer's first token, up to the first that blocks. Unknown
 * is not met for a precondition, and blocked for what must not be. A bare tool id is no condition in words: a call meets it, and its gate asks for that.
 */
export async function adjudicate(revision: Revision, goal: string, model: (() => Promise<LanguageModel>) | null, signal: AbortSignal): Promise<Adjudicated> {
  const conditions: JudgedCondition[] = [];
  const judge = async (kind: JudgedCondition["kind"], text: string): Promise<boolean | null> => {
    const probability = await probabilityOf(text, goal, model, signal);
    const holds = probability === null ? null : probability >= holdsFrom ? true : probability <= failsTo ? false : null;
    conditions.push({ kind, text, probability, holds });
    return holds;
  };
  for (const rule of revision.preconditions) {
    if (typeof rule !== "string" || parsePreflight(rule) !== null) continue;
    if ((await judge("precondition", rule)) !== true) return { blocked: `it is not certain that ${rule}`, conditions };
  }
  for (const rule of revision.antiPreconditions) {
    if ((await judge("anti-precondition", rule)) !== false) return { blocked: `it may be that ${rule}`, conditions };
  }
  return { blocked: null, conditions };
}

/** Null where there is no model, it fails, or what it says is no probability. */
async function probabilityOf(condition: string, goal: string, model: (() => Promise<LanguageModel>) | null, signal: AbortSignal): Promise<number | null> {
  if (!model) return null;
  try {
    const [yes] = await (await model()).likelihood(
      [
        { role: "system", text: "You judge whether a condition holds for a request. Answer Yes or No." },
        { role: "user", text: inertText(`Request: ${goal}\nCondition: ${squash(condition)}\nDoes the condition hold? Yes or No.`, "") },
      ],
      ["Yes", "No"],
      signal,
    );
    return yes !== undefined && yes >= 0 && yes <= 1 ? yes : null;
  } catch {
    // A model that is missing or fails leaves the condition unread, which blocks; being stopped is another matter.
    signal.throwIfAborted();
    return null;
  }
}
