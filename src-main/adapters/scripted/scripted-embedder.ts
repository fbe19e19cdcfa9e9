import type { Embedder, EmbedderKey, EmbeddingKind } from "#core/ports/index.ts";

/** Direction of a text; any length but zero. */
export type TextToVector = (text: string, kind: EmbeddingKind) => readonly number[];

/** An embedder whose vectors are written down, and which keeps what it was asked. */
export interface ScriptedEmbedder extends Embedder {
  readonly asked: readonly { readonly kind: EmbeddingKind; readonly texts: readonly string[] }[];
}

/** Embeds by a rule; what the rule throws is passed on. The id says "scripted", so no calibration is known for it. */
export function scriptedEmbedder(
  vector: TextToVector = wordVector,
  options: { readonly id?: string; readonly key?: Partial<EmbedderKey> } = {},
): ScriptedEmbedder {
  const asked: { kind: EmbeddingKind; texts: readonly string[] }[] = [];
  const dimension = options.key?.dimension ?? vector("a text", "query").length;
  return {
    id: options.id ?? "scripted",
    key: { modelHash: "scripted", quantisation: "", prefixes: "", ...options.key, dimension },
    asked,
    async embed(texts, kind, signal) {
      signal.throwIfAborted();
      asked.push({ kind, texts });
      return texts.map((text) => unit(vector(text, kind)));
    },
    async dispose() {},
  };
}

const wordDimension = 96;

/** The words of a text, each in a direction of its own as far as there are enough: texts with the same words are alike. */
export function wordVector(text: string): number[] {
  const vector = new Array<number>(wordDimension).fill(0);
  vector[0] = 0.05;
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    let hash = 2166136261;
    for (const letter of word) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619);
    const at = 1 + ((hash >>> 0) % (wordDimension - 1));
    vector[at] = (vector[at] ?? 0) + 1;
  }
  return vector;
}

function unit(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => value / length);
}
