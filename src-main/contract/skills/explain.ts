import { z } from "zod";
import type { Choice, Turn } from "../chat/schema.ts";
import { type LedgerEntry, type Recall, type Revision, type Run, recallSchema } from "./schema.ts";

/** Why a turn had the skill it had, or none; the same sentences wherever it is asked. */
export const explanationSchema = z.object({
  turnId: z.string(),
  /** One sentence. */
  answer: z.string(),
  /** What stands behind it: scores, what came of the run, what was kept of the user's answer. */
  lines: z.array(z.string()),
  recall: recallSchema.nullable(),
});
export type Explanation = z.infer<typeof explanationSchema>;

/** What recall decided, in a word or two. */
export const verdictWords: Readonly<Record<Recall["verdict"], string>> = {
  "nothing-learned": "nothing learned yet",
  "below-threshold": "below the threshold",
  blocked: "blocked",
  suggested: "suggested",
  matched: "matched",
  withheld: "withheld by the control",
};

/** What is known of a turn that is to be explained. */
export interface ExplainedTurn {
  readonly turn: Pick<Turn, "id" | "skillId" | "choice" | "recall">;
  /** The skill in charge; null where there was none, or it was erased since. */
  readonly skillName: string | null;
  readonly run: Pick<Run, "outcome" | "finding" | "mode"> | null;
  /** What was kept of what the user answered in its episode. */
  readonly kept: readonly { readonly skillName: string; readonly text: string; readonly counter: boolean }[];
}

export function explainTurn({ turn, skillName, run, kept }: ExplainedTurn): Explanation {
  const { recall } = turn;
  return {
    turnId: turn.id,
    answer: turn.skillId === null ? whyNone(turn) : whyThis(turn, skillName === null ? "a skill that has been erased" : `"${skillName}"`),
    lines: [
      ...(recall === null || turn.choice === "answer" ? [] : [scoreWords(recall)]),
      ...(run === null ? [] : [runWords(run)]),
      ...kept.map(({ skillName: name, text, counter }) =>
        counter ? `Kept as no task for "${name}": "${text}". It is not recalled for the like again.` : `Kept as a way to ask for "${name}": "${text}".`,
      ),
    ],
    recall,
  };
}

const none: Readonly<Record<Exclude<Choice, "recall">, string>> = {
  unwanted: "You asked for no skill.",
  corrected: "You said that the last try was wrong, so this went on without a skill.",
  "learning-off": "Learning is switched off, so no skill is used.",
  "no-embedder": "No embedding model is there, so nothing could be recalled.",
  named: "The skill you named was not put in charge.",
  answer: "The skill that had asked is not in use any more.",
  resumed: "The run that had halted could not be gone on with.",
  continued: "This went on with a turn that had been interrupted, and that one had no skill, or one that has changed since.",
};

function whyNone({ choice, recall }: ExplainedTurn["turn"]): string {
  if (choice !== undefined && choice !== "recall") return none[choice];
  if (recall === null) return "Recall was not asked, or came to no end.";
  const said = verdictWords[recall.verdict];
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}. ${recall.why}`;
}

function whyThis({ choice, recall }: ExplainedTurn["turn"], name: string): string {
  if (choice === "named") return `You asked for ${name} by name.`;
  if (choice === "answer") return `This answers what ${name} had asked, so it went on.`;
  if (choice === "continued") return `This went on with a turn that had been interrupted while ${name} was in charge.`;
  if (choice === "resumed") return `This went on where a run of ${name} had halted.`;
  if (recall === null) return `${name} was in charge.`;
  return recall.verdict === "suggested" ? `You took the suggestion. ${recall.why}` : recall.why;
}

/** "Score 0.61, 0.68 with its lead; used from 0.79, suggested from 0.42; next is "y" with 0.40. Compared by …". */
export function scoreWords({ score, certainty, useThreshold, suggestThreshold, runnerUp, embedder, calibrated }: Recall): string {
  const next = runnerUp === null ? "" : `; next is "${runnerUp.name}" with ${runnerUp.score.toFixed(2)}`;
  const by = calibrated ? embedder : `${embedder}, which has not been calibrated on this machine: the thresholds are general ones`;
  return `${score === null ? "No score" : `Score ${score.toFixed(2)}${certainty === null ? "" : `, ${certainty.toFixed(2)} with its lead`}`}; used from ${useThreshold.toFixed(2)}, suggested from ${suggestThreshold.toFixed(2)}${next}. Compared by ${by}.`;
}

const ends: Readonly<Record<NonNullable<Run["outcome"]>, string>> = {
  success: "worked",
  claimed_success: "worked, by what the model said; nobody confirmed it",
  failure: "failed",
  abandoned: "was given up and counts for nothing",
  left: "was left by the model and counts for nothing",
};

function runWords({ outcome, finding, mode }: NonNullable<ExplainedTurn["run"]>): string {
  if (outcome === null) return `Its run, ${mode}, has not ended.`;
  return `Its run, ${mode}, ${ends[outcome]}${finding === null || finding === "" ? "" : `: ${finding}`}.`;
}

/** One episode, or one showing by a person, that a revision rests on, as far as it is still there. */
export const evidenceSchema = z.object({
  episodeId: z.string(),
  goal: z.string().nullable(),
  conversationId: z.string().nullable(),
  /** When it began; when it went, where it is gone. */
  at: z.number().nullable(),
  /** "erased" by the user, or "pruned" by retention. */
  fate: z.enum(["kept", "erased", "pruned"]),
  /** A person showed it in the window: `episodeId` is the showing's, and there is no conversation. */
  isShown: z.literal(true).exactOptional(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

export function evidenceWords({ goal, fate, isShown }: Pick<Evidence, "goal" | "fate" | "isShown">): string {
  if (isShown && goal !== null) return `${goal} (shown)`;
  if (fate === "kept" && goal !== null) return goal;
  return fate === "erased" ? "a task that you erased" : "a task that was pruned by retention; the skill works without it";
}

/** Why there is a revision, who made it so and when; undefined where its history does not tell. */
export function originOf({ number }: Pick<Revision, "number">, ledger: readonly LedgerEntry[]): Pick<LedgerEntry, "actor" | "at" | "reason"> | undefined {
  return ledger.find(({ action, afterRevision }) => (action === "create" || action === "modify") && (afterRevision ?? 1) === number);
}
