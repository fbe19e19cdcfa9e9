import { loadModelSink, loadRawModel } from "#adapters/llama/index.ts";
import type { PromptMessage } from "#core/ports/index.ts";
import { Redactor, through } from "#core/vault/index.ts";
import { chatOptions, madeText } from "./chat-options.ts";
import { type Times, timesOf } from "./times.ts";

/** By how much our way may be slower than the library alone. */
const mostSlower = 0.03;

export interface RawPairs {
  readonly model: string;
  readonly promptTokens: number;
  readonly generatedTokens: number;
  readonly pairs: number;
  /** Milliseconds from the call to the first token. */
  readonly firstToken: { readonly ours: Times; readonly raw: Times; readonly ratio: number; readonly isWithin: boolean };
  /** After the first. */
  readonly perSecond: { readonly ours: Times; readonly raw: Times; readonly ratio: number; readonly isWithin: boolean };
}

/**
 * Our model against the library alone, without a state to save or to load: the same tokens, all of them evaluated, in pairs whose order alternates. The ratios are
 * medians of the pairs' own, so that what slows the machine for a while slows both.
 */
export async function rawPairs(
  options: {
    readonly cacheFolder: string;
    readonly model?: string;
    readonly promptTokens: number;
    readonly generatedTokens: number;
    readonly pairs: number;
    readonly onNote?: (note: string) => void;
  },
  signal: AbortSignal,
): Promise<RawPairs> {
  const { promptTokens, generatedTokens, pairs } = options;
  const chat = await chatOptions(options.cacheFolder, options.model);
  let evaluated: readonly number[] = [];
  const closed = await loadModelSink({ ...chat, observe: { prompt: (tokens) => void (evaluated = tokens), held: () => undefined } });
  const model = through(closed, new Redactor(Date.now));
  try {
    const raw = await loadRawModel(chat);
    try {
      const ours = { firstMs: [] as number[], perSecond: [] as number[] };
      const theirs = { firstMs: [] as number[], perSecond: [] as number[] };
      // The first of each wakes up what is slow only once.
      for (let pair = -1; pair < pairs; pair += 1) {
        options.onNote?.(pair < 0 ? "warming up" : `pair ${pair + 1} of ${pairs}`);
        const messages: PromptMessage[] = [
          { role: "system", text: madeText(`${pair + 2}${pair + 2}${pair + 2}`, promptTokens, (text) => model.countTokens(text)) },
          { role: "user", text: "Copy the text above, all of it." },
        ];
        const tokens = raw.tokens(messages);
        for (const isOurs of pair % 2 === 0 ? [true, false] : [false, true]) {
          signal.throwIfAborted();
          if (!isOurs) {
            const answer = await raw.answer(tokens, generatedTokens);
            if (pair >= 0) {
              theirs.firstMs.push(answer.firstMs);
              theirs.perSecond.push(answer.perSecond);
            }
            continue;
          }
          const started = performance.now();
          let firstAt: number | undefined;
          let lastAt = started;
          const made = await model.generate(
            {
              messages,
              maxTokens: generatedTokens,
              onText: () => {
                lastAt = performance.now();
                firstAt ??= lastAt;
              },
            },
            signal,
          );
          if (evaluated.length !== tokens.length || evaluated.some((token, index) => token !== tokens[index]))
            throw new Error("the two were given different tokens");
          if (pair < 0) continue;
          ours.firstMs.push((firstAt ?? lastAt) - started);
          ours.perSecond.push((made.tokensGenerated - 1) / ((lastAt - (firstAt ?? started)) / 1000));
        }
      }
      const first = medianRatio(ours.firstMs, theirs.firstMs);
      const speed = medianRatio(ours.perSecond, theirs.perSecond);
      return {
        model: model.id,
        promptTokens: evaluated.length,
        generatedTokens,
        pairs,
        firstToken: { ours: timesOf(ours.firstMs), raw: timesOf(theirs.firstMs), ratio: first, isWithin: first <= 1 + mostSlower },
        perSecond: { ours: timesOf(ours.perSecond), raw: timesOf(theirs.perSecond), ratio: speed, isWithin: speed >= 1 - mostSlower },
      };
    } finally {
      await raw.dispose();
    }
  } finally {
    await model.dispose();
  }
}

function medianRatio(ours: readonly number[], theirs: readonly number[]): number {
  return timesOf(ours.map((value, index) => value / (theirs[index] ?? value))).median;
}
