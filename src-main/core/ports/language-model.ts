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

export interface GenerateRequest {
  /** Begins with the system message; ends with a user message. */
  readonly messages: readonly PromptMessage[];
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
  dispose(): Promise<void>;
}
