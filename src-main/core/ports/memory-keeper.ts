import type { Fact } from "#contract/memory/schema.ts";

/** What became of what the model asked to have kept. */
export interface KeptInTurn {
  readonly fact: Fact;
  readonly became: "added" | "known" | "renewed";
  /** What the fact said before, where it was renewed. */
  readonly before: string | null;
}

/** A message of another conversation, as far as it is shown. */
export interface PastMessage {
  readonly messageId: string;
  readonly conversationId: string;
  readonly title: string;
  readonly role: "user" | "assistant";
  readonly at: number;
  /** Around what was looked for, in one line. */
  readonly snippet: string;
}

/**
 * Memory as the model may use it in a turn (SPEC 6): it keeps what the user said in this conversation, in their words, and changes nothing that the user
 * wrote down themselves. Each refusal is a KnackError with a reason that the model can read.
 */
export interface MemoryKeeper {
  remember(text: string): KeptInTurn;
  /** Best first. */
  recall(about: string, limit: number): Fact[];
  /** `which` is an id, or a description of one fact alone. */
  update(which: string, text: string): KeptInTurn;
  /** Only where the user asks for it in this turn; they can take it back for a while. */
  forget(which: string): Fact;
  /** Best first; none of this conversation. */
  searchPast(about: string, limit: number): PastMessage[];
}
