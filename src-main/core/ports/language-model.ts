/** One message of a prompt. Text is data: chat-template tokens in it are never parsed as such. */
export interface PromptMessage {
  readonly role: "system" | "user" | "assistant";
  readonly text: string;
}

/** One way an answer may begin, or all of it. */
export interface Choice {
  readonly text: string;
  /** The answer goes on after this beginning, under the request's grammar; else it ends with it. */
  readonly open?: boolean;
}

/** To which conversation a prompt belongs, and how much of it every conversation begins with. */
export interface Keep {
  /** Null for one that has not begun. */
  readonly conversation: string | null;
  /** Leading messages whose bytes stay the same from turn to turn (SPEC 5): L0 and L1. */
  readonly prefix: number;
}

export interface GenerateRequest {
  /** Begins with the system message; ends with a user message. */
  readonly messages: readonly PromptMessage[];
  /** Absent for a short question beside the conversations: it takes nothing of what is kept of them. */
  readonly keep?: Keep;
  /** GBNF; absent means free text until the model ends its message. */
  readonly grammar?: string;
  /**
   * The answer is one of these, or begins with an open one. Only where two of them part is the model asked, so an answer of thirty tokens
   * that leaves three decisions costs three evaluations, not thirty. `grammar` then holds for what follows an open one.
   */
  readonly choices?: readonly Choice[];
  /** Tokens, at most. */
  readonly maxTokens: number;
  /** 0 is greedy and the default. */
  readonly temperature?: number;
  /** Called with each piece of text as it is generated. */
  readonly onText?: (piece: string) => void;
}

export interface Generation {
  readonly text: string;
  /** Prompt tokens that had to be evaluated; generated tokens are not among them. */
  readonly tokensEvaluated: number;
  /** Prompt tokens whose state was still there. */
  readonly tokensReused: number;
  readonly tokensGenerated: number;
  /** "length": maxTokens or the context was reached. */
  readonly stopped: "end" | "length";
  readonly durationMs: number;
}

/** Bytes, as the engine reckons them. */
export interface ModelMemory {
  readonly model: number;
  readonly context: number;
}

/** What a model holds of prompts between calls and between processes. */
export interface PromptKeeper {
  /** Evaluates these messages ahead of the prompt that begins with them, or restores what was kept of them. Aborting rejects with the signal's reason. */
  warm(messages: readonly PromptMessage[], keep: Keep, signal: AbortSignal): Promise<{ readonly evaluated: number; readonly reused: number }>;
  /** A turn of this conversation ended: its state is saved when nothing else is to be done. `note` is kept with it, for whoever takes it up again. */
  rest(conversation: string, note: string): void;
  /** Lets go of what is held of a conversation in memory, or of all; what lies on disk is another's to remove. */
  forget(conversation: string | null): Promise<void>;
  memory(): ModelMemory;
}

/** A chat model. One call at a time; further calls wait their turn. Aborting rejects with the signal's reason. */
export interface LanguageModel {
  /** Catalogue id, or the file name of a model the user brought. */
  readonly id: string;
  /** SHA-256 of the file. */
  readonly hash: string;
  /** Tokens the context really holds, read back after creation. */
  readonly contextSize: number;
  generate(request: GenerateRequest, signal: AbortSignal): Promise<Generation>;
  /** Probability of each answer's first token as the next text after `messages`, normalised over the answers. */
  likelihood(messages: readonly PromptMessage[], answers: readonly string[], signal: AbortSignal): Promise<number[]>;
  countTokens(text: string): number;
  /** Absent where nothing is kept beyond a call. */
  readonly keeper?: PromptKeeper;
  /** Ends running and waiting calls; what was not yet saved of a conversation is saved first. */
  dispose(): Promise<void>;
}
