import type { TokenCount } from "#contract/chat/schema.ts";
import { KnackError } from "#contract/errors.ts";
import type { LanguageModel } from "../ports/language-model.ts";
import type { Scene } from "./scene.ts";

/** Keeps count of what the conversation holds of the model's context, and tells it while the turn goes on. */
export interface ContextMeter {
  /** A step was written after the whole conversation was read. */
  read(model: LanguageModel, tokens: TokenCount): void;
  /** These texts came to it without the whole being read again. */
  added(model: LanguageModel, texts: readonly string[]): void;
  /** Passes an error on; where it says that the conversation did not fit, how long it would have been is told first. */
  failed(thrown: unknown): never;
}

export function contextMeter({ world, turn }: Pick<Scene, "world" | "turn">): ContextMeter {
  const { conversations } = world.stores;
  const tell = (used: number, size: number): void => {
    // A model may only estimate its tokens.
    const context = { used: Math.round(used), size };
    conversations.setContext(turn.conversationId, context);
    world.emit({ type: "context-used", turnId: turn.id, context });
  };
  return {
    read: (model, { evaluated, reused, generated }) => tell(evaluated + reused + generated, model.contextSize),
    added(model, texts) {
      const before = conversations.context(turn.conversationId)?.used ?? 0;
      tell(before + texts.reduce((sum, text) => sum + model.countTokens(text), 0), model.contextSize);
    },
    failed(thrown) {
      const { promptTokens, contextSize } = thrown instanceof KnackError && thrown.code === "model.context-full" ? thrown.fields : {};
      if (typeof promptTokens !== "number" || typeof contextSize !== "number") throw thrown;
      tell(promptTokens, contextSize);
      const [needed, there] = [promptTokens.toLocaleString("en"), contextSize.toLocaleString("en")];
      throw new KnackError(
        "model.context-full",
        `This conversation does not fit the model any more: ${needed} tokens, and its context holds ${there}. Compact it, or go on in a new conversation.`,
        { fields: { promptTokens, contextSize }, cause: thrown },
      );
    },
  };
}
