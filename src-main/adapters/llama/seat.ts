import { type ControlledEvaluateInputItem, type LlamaContextSequence, type LlamaModel, type Token, TokenBias } from "node-llama-cpp";
import { badInput, KnackError } from "#contract/errors.ts";
import type { ThreadThrottle } from "./thread-throttle.ts";

/** One sequence of an engine and what is done with it, in tokens. */
export interface Seat {
  readonly sequence: LlamaContextSequence;
  readonly contextSize: number;
  /** Tokens it may hold. One cell stays free: the library would shift the context, and so forget its beginning, to make room. */
  readonly room: number;
  /** Lets go of what does not begin like this prompt. Returns how many of its tokens are still there: all but one at most, for the next one is read off the last. */
  keepShared(prompt: readonly Token[]): Promise<number>;
  /** Evaluates in pieces and looks at the signal between two. */
  evaluate(tokens: readonly Token[], signal: AbortSignal): Promise<void>;
  /**
   * Evaluates these tokens and says which of `ways` is likeliest to come next. All ways are lifted above every other token, by as much each, and the
   * first of all taken: 180 ms where reading the probabilities of the whole vocabulary takes 300 (8 tokens, 2 cores).
   */
  likeliestOf(ways: readonly Token[], tokens: readonly Token[]): Promise<Token>;
  /** Evaluates these tokens and says how likely each token is to come next. */
  probabilitiesAfter(tokens: readonly Token[]): Promise<Map<Token, number>>;
}

/** Prompt tokens evaluated between two looks at the signal. */
export const promptPiece = 64;
/** Added to the logits of the tokens that may come next; those of a model stay far below. */
const lift = 1000;

export function makeSeat(id: string, model: LlamaModel, sequence: LlamaContextSequence, contextSize: number, throttle: ThreadThrottle): Seat {
  const room = contextSize - 1;

  function requireRoom(tokens: readonly Token[]): void {
    if (sequence.nextTokenIndex + tokens.length > room) throw contextFull(id, sequence.nextTokenIndex + tokens.length, contextSize);
  }

  return {
    sequence,
    contextSize,
    room,
    async keepShared(prompt) {
      const held = sequence.contextTokens;
      const shared = Math.min(sharedLength(held, prompt), prompt.length - 1);
      if (shared < held.length) await sequence.eraseContextTokenRanges([{ start: shared, end: held.length }]);
      // Some architectures can only go back to where they kept a mark.
      return Math.min(shared, sequence.nextTokenIndex);
    },
    async evaluate(tokens, signal) {
      for (let at = 0; at < tokens.length; at += promptPiece) {
        signal.throwIfAborted();
        await throttle.measure(() => sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + promptPiece)));
      }
    },
    async likeliestOf(ways, tokens) {
      requireRoom(tokens);
      const tokenBias = new TokenBias(model.tokenizer);
      for (const token of ways) tokenBias.set([token], { logit: lift });
      const next = sequence.evaluate([...tokens], { temperature: 0, tokenBias });
      try {
        const { value, done } = await throttle.measure(() => next.next());
        if (done === true) throw new KnackError("model.failed", `The model ${id} chose nothing.`, { fields: { model: id } });
        return value;
      } finally {
        await next.return();
      }
    },
    async probabilitiesAfter(tokens) {
      requireRoom(tokens);
      const [last, ...before] = [...tokens].reverse();
      if (last === undefined) throw badInput("Nothing to evaluate.");
      // Controlled evaluation takes its tokens one by one; only the last one needs it, the rest goes as a batch (240 tokens: 8.4 s one by one, see README).
      if (before.length > 0) await throttle.measure(() => sequence.evaluateWithoutGeneratingNewTokens(before.reverse()));
      const asked: ControlledEvaluateInputItem[] = [[last, { generateNext: { probabilities: true } }]];
      // Not measured: reading the probabilities of a whole vocabulary is half of it, and that on one thread.
      const outputs = await sequence.controlledEvaluate(asked);
      const next = outputs[0]?.next.probabilities;
      if (next === undefined) throw new KnackError("model.failed", `The model ${id} gave no probabilities.`, { fields: { model: id } });
      return next;
    },
  };
}

export function sharedLength(a: readonly Token[], b: readonly Token[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

export function contextFull(id: string, promptLength: number, contextSize: number): KnackError {
  return new KnackError(
    "model.context-full",
    `The conversation is too long for the model ${id}: ${promptLength} tokens, and its context holds ${contextSize}. Start a new conversation, or raise the context size in the settings.`,
    {
      fields: { model: id, promptTokens: promptLength, contextSize },
    },
  );
}
