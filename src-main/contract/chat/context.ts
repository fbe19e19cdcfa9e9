import { z } from "zod";

/** Tokens that a conversation's prompt holds, and how many the model's context has room for. */
export const contextUseSchema = z.object({ used: z.number().int().min(0), size: z.number().int().positive() });
export type ContextUse = z.infer<typeof contextUseSchema>;

/** From this share on the user is told that it will soon be full. */
const nearlyFull = 0.8;

/**
 * One compaction of a conversation: its turns up to `throughTurnId` stand in the prompt as `text`. They themselves stay as they are, and it can be undone:
 * then `undoneAt` is set, and they stand in the prompt again.
 */
export const compactionSchema = z.object({
  id: z.string(),
  conversationId: z.string(),
  /** The last turn that it takes in. */
  throughTurnId: z.string(),
  /** How many turns it takes in. */
  turns: z.number().int(),
  text: z.string(),
  tokensBefore: z.number().int(),
  tokensAfter: z.number().int(),
  madeAt: z.number(),
  undoneAt: z.number().nullable(),
});
export type Compaction = z.infer<typeof compactionSchema>;

export function isNearlyFull({ used, size }: ContextUse): boolean {
  return used >= size * nearlyFull;
}

/** "6,600 of 8,192 tokens of context (81 %)". */
export function contextWords({ used, size }: ContextUse): string {
  return `${count(used)} of ${count(size)} tokens of context (${Math.round((used / size) * 100)} %)`;
}

/** What to do about a context that is nearly full; null where nothing is to be done. `act` says how to compact where it is read. */
export function contextAdvice(use: ContextUse, act: string): string | null {
  if (!isNearlyFull(use)) return null;
  return `The context is ${use.used >= use.size ? "full" : "nearly full"}: ${act}, or go on in a new conversation.`;
}

/** "Compacted 6 turns: from 5,210 to 640 tokens". */
export function compactionWords({ turns, tokensBefore, tokensAfter, undoneAt }: Compaction): string {
  const what = `${turns} ${turns === 1 ? "turn" : "turns"}`;
  return undoneAt === null
    ? `Compacted ${what}: the prompt went from ${count(tokensBefore)} to ${count(tokensAfter)} tokens. Everything that was said is kept.`
    : `A compaction of ${what} was undone: they stand in the prompt as they were.`;
}

function count(tokens: number): string {
  return tokens.toLocaleString("en");
}
