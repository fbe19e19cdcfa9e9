import { GgufFileType, type LlamaEmbeddingContext, type LlamaModel } from "node-llama-cpp";
import { KnackError } from "#contract/errors.ts";
import type { Embedder, EmbeddingKind } from "#core/ports/index.ts";
import { llamaInstance, threadsFor, throttleFor } from "./llama-instance.ts";
import { loadError, loadModelFile } from "./load-model-file.ts";
import type { ThreadThrottle } from "./thread-throttle.ts";
import { makeTurnQueue } from "./turn-queue.ts";
import type { ExpectedModelFile } from "./verify-model-file.ts";

export interface EmbedderOptions extends ExpectedModelFile {
  readonly dimension: number;
  /** Put before a text by its kind; absent when the model wants none. */
  readonly prefixes?: Readonly<Record<EmbeddingKind, string>> | undefined;
  readonly threads?: number;
  readonly gpu?: boolean;
}

/** Longer texts are cut: goals and phrasings are a sentence or two. */
const mostTokens = 2048;
/** Room for the two tokens the library puts around a text, and the one it keeps free. */
const framing = 3;

/** Loads an embedding model. Rejects with verifyModelFile's errors, "model.memory", "model.load-failed" or "embedder.dimension". */
export async function loadEmbedder(options: EmbedderOptions): Promise<Embedder> {
  const llama = await llamaInstance(options.gpu ?? true);
  const model = await loadModelFile(llama, options);
  try {
    checkDimension(options, model.embeddingVectorSize);
    const contextSize = Math.min(mostTokens, model.trainContextSize);
    // A text must fit one batch: these models look at all of it at once.
    const threads = threadsFor(llama, options.threads);
    const throttle = throttleFor(llama, threads);
    const context = await throttle.uncapped(() => model.createEmbeddingContext({ contextSize, batchSize: contextSize, threads }));
    return makeEmbedder(options, model, context, contextSize - framing, throttle);
  } catch (error) {
    await model.dispose();
    throw error instanceof KnackError ? error : loadError(options.id, error);
  }
}

/** Tokens; with fewer, one thread has half of the work (measured: 12 tokens 1.4 of 2 processors, 60 tokens 1.7, 240 tokens 1.95). */
const fewestMeasured = 60;

function makeEmbedder(options: EmbedderOptions, model: LlamaModel, context: LlamaEmbeddingContext, roomTokens: number, throttle: ThreadThrottle): Embedder {
  const { id, dimension, prefixes } = options;
  const endMark = model.tokens.sep ?? model.tokens.eos;
  const queue = makeTurnQueue();
  const closing = new AbortController();

  async function embedAll(texts: readonly string[], prefix: string, signal: AbortSignal): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      signal.throwIfAborted();
      const tokens = model.tokenize(prefix + text, false).slice(0, roomTokens);
      // The library gives no vector for no tokens: an empty text is the end mark alone.
      if (tokens.length === 0 && endMark !== null) tokens.push(endMark);
      const embedding = () => context.getEmbeddingFor(tokens);
      const { vector } = await (tokens.length < fewestMeasured ? embedding() : throttle.measure(embedding));
      vectors.push(unit(vector, options));
    }
    return vectors;
  }

  return {
    id,
    key: {
      modelHash: options.hash,
      quantisation: quantisationOf(model),
      dimension,
      prefixes: prefixes === undefined ? "" : `${prefixes.query}|${prefixes.document}|${prefixes.clustering}`,
    },
    embed(texts, kind, signal) {
      const either = AbortSignal.any([signal, closing.signal]);
      return queue.run(either, () => embedAll(texts, prefixes?.[kind] ?? "", either));
    },
    async dispose() {
      closing.abort(new KnackError("model.closed", `The model ${id} was closed.`, { fields: { model: id } }));
      await queue.idle();
      await context.dispose();
      await model.dispose();
    },
  };
}

function quantisationOf(model: LlamaModel): string {
  const type = model.fileInfo.metadata?.general?.file_type;
  return type === undefined ? "" : (GgufFileType[type] ?? String(type)).replace(/^(?:ALL|MOSTLY)_/u, "");
}

/** The library returns raw sums; inner products need length one. */
function unit(vector: readonly number[], options: EmbedderOptions): Float32Array {
  checkDimension(options, vector.length);
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length) || length === 0) {
    throw new KnackError("embedder.failed", `The embedding model ${options.id} gave no usable vector (length ${length}).`, { fields: { model: options.id } });
  }
  return Float32Array.from(vector, (value) => value / length);
}

function checkDimension({ id, dimension }: EmbedderOptions, found: number): void {
  if (found === dimension) return;
  throw new KnackError(
    "embedder.dimension",
    `The embedding model ${id} gives ${found} numbers where ${dimension} were expected. Choose another one with: knack models use <id>`,
    {
      fields: { model: id, expected: dimension, found },
    },
  );
}
