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

/** What the user asks to have forgotten. */
export interface AskedToForget {
  /** What is meant; empty where nothing that is kept is spoken of. */
  readonly facts: readonly Fact[];
  /** Several fit what was said of one. */
  readonly isUnclear: boolean;
  /** The message asks for nothing besides. */
  readonly isAll: boolean;
}

/** What there is to know before a message is answered. */
export interface KnownForTurn {
  /** Facts near to it that stand in no block, best first. */
  readonly facts: readonly Fact[];
  /** It asks for something about the user: whether anything is known that may answer it; null where it does not ask for that. */
  readonly isKnown: boolean | null;
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
  /** Only what the user's own words ask for; they can take it back for a while. `which` is an id or several, or a description of one fact alone. */
  forget(which: string): readonly Fact[];
  /** What `forget` would forget by this; nothing where it would refuse. */
  meant(which: string): readonly Fact[];
  /** Null where the user asks for nothing of the kind in this task. */
  askedToForget(): AskedToForget | null;
  /** A text of this conversation as a model may read it: without what was let go of. */
  withoutForgotten(text: string): string;
  knownFor(message: string): KnownForTurn;
  /**
   * What needs no model to answer: what is known about the user, or that it is not, and what they only tell or decline to tell; null for everything else.
   * @param kept what was kept of the message
   */
  answerTo(message: string, kept: readonly Fact[]): string | null;
  /** What the user is asked at the end of this answer: their name, place or role, where they just talk and it is due; null where it is not. */
  questionAfter(message: string, answer: string): string | null;
  /** Best first; none of this conversation. */
  searchPast(about: string, limit: number): PastMessage[];
}
