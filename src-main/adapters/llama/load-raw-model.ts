import type { Token } from "node-llama-cpp";
import type { PromptMessage } from "#core/ports/index.ts";
import { makeChatFormat } from "./chat-format.ts";
import { llamaInstance, threadsFor, throttleFor } from "./llama-instance.ts";
import { type LanguageModelOptions, promptTokens } from "./load-language-model.ts";
import { loadError, loadModelFile } from "./load-model-file.ts";
import { makeReplyTokens } from "./reply-tokens.ts";

/** The library as it is, with the same file, context and threads as ours: what our own way is held against. */
export interface RawModel {
  /** As our model would put them, the opening of the answer included. */
  tokens(messages: readonly PromptMessage[]): number[];
  /** Evaluates all of these and generates, greedily; milliseconds until the first token, and tokens a second after it. */
  answer(tokens: readonly number[], generated: number): Promise<{ readonly firstMs: number; readonly perSecond: number; readonly tokens: readonly number[] }>;
  dispose(): Promise<void>;
}

/** Rejects as `loadLanguageModel` does. */
export async function loadRawModel(options: LanguageModelOptions): Promise<RawModel> {
  const llama = await llamaInstance(options.gpu ?? true);
  const model = await loadModelFile(llama, options);
  try {
    const threads = threadsFor(llama, options.threads);
    const throttle = throttleFor(llama, threads);
    const context = await throttle.uncapped(() => model.createContext({ contextSize: { min: 1, max: options.contextSize }, threads }));
    const sequence = context.getSequence();
    const format = makeChatFormat(model, options.format);
    return {
      tokens: (messages) => [...promptTokens(messages, format, makeReplyTokens(), [], model), ...format.head("assistant")],
      // The cap is the engine's, for all its models: what ours lowered would slow this one.
      answer: (tokens, generated) =>
        throttle.uncapped(async () => {
          await sequence.clearHistory();
          const started = performance.now();
          let firstAt = started;
          let lastAt = started;
          const said: number[] = [];
          for await (const token of sequence.evaluate(tokens as Token[], { temperature: 0 })) {
            // The mark that ends a message is nothing anybody waits for.
            if (model.isSpecialToken(token)) break;
            lastAt = performance.now();
            if (said.length === 0) firstAt = lastAt;
            said.push(token);
            if (said.length >= generated) break;
          }
          const seconds = (lastAt - firstAt) / 1000;
          return { firstMs: firstAt - started, perSecond: seconds > 0 ? (said.length - 1) / seconds : 0, tokens: said };
        }),
      dispose: () => model.dispose(),
    };
  } catch (error) {
    await model.dispose();
    throw loadError(options.id, error);
  }
}
