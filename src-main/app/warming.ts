import type { Keep, LanguageModel, PromptMessage } from "#core/ports/index.ts";

export interface WarmingWorld {
  readonly isResting: () => boolean;
  /** Loads it where it is not. */
  readonly model: () => Promise<LanguageModel>;
  /** What the next prompt of a conversation, or of a new one, begins with; null where there is no such conversation any more. */
  readonly prompt: (conversationId: string | undefined) => Promise<{ readonly messages: readonly PromptMessage[]; readonly keep: Keep } | null>;
}

/** Evaluating ahead of a message. It gives way to whatever is answered, and to whatever is erased. */
export interface Warming {
  /** Resolves as well where it was stopped. Rejects as a turn would where a model or a block cannot be read. */
  warm(conversationId: string | undefined, signal: AbortSignal): Promise<void>;
  /** Ends what is under way: nothing of it goes to a model from now on. */
  stop(): void;
}

export function makeWarming({ isResting, model, prompt }: WarmingWorld): Warming {
  const underWay = new Set<AbortController>();

  async function evaluate(conversationId: string | undefined, signal: AbortSignal): Promise<void> {
    if (!isResting()) return;
    const ready = await model();
    const start = signal.aborted || !isResting() ? null : await prompt(conversationId);
    // Loading takes long enough for a message to come, or for what was to be evaluated to be erased.
    if (start === null || signal.aborted || !isResting()) return;
    await ready.keeper?.warm(start.messages, start.keep, signal);
  }

  return {
    async warm(conversationId, signal) {
      const control = new AbortController();
      underWay.add(control);
      try {
        await evaluate(conversationId, AbortSignal.any([signal, control.signal]));
      } catch (error) {
        if (!control.signal.aborted) throw error;
      } finally {
        underWay.delete(control);
      }
    },
    stop() {
      for (const control of underWay) control.abort(new DOMException("erased", "AbortError"));
    },
  };
}
