import { seeded, seedOf } from "#base/seeded.ts";
import { words } from "#base/text.ts";
import type { Embedder } from "#core/ports/index.ts";

/**
 * Stands in for the embedder: each word has a direction of its own, a text the sum of its words', so texts that share words are alike. No model is
 * loaded, and a text asked for again costs nothing.
 */
export function madeEmbedder(dimension: number): Embedder {
  const directions = new Map<string, Float32Array>();
  const known = new Map<string, Float32Array>();
  const directionOf = (word: string): Float32Array => {
    const there = directions.get(word);
    if (there !== undefined) return there;
    const next = seeded(seedOf(word));
    const made = Float32Array.from({ length: dimension }, () => next() - 0.5);
    directions.set(word, made);
    return made;
  };
  const embedOne = (text: string): Float32Array => {
    const there = known.get(text);
    if (there !== undefined) return there;
    const sum = new Float32Array(dimension);
    for (const word of [...words(text), ""]) {
      const direction = directionOf(word);
      for (let at = 0; at < dimension; at += 1) sum[at] = (sum[at] ?? 0) + (direction[at] ?? 0);
    }
    const length = Math.hypot(...sum);
    const unit = sum.map((value) => value / length);
    known.set(text, unit);
    return unit;
  };
  return {
    id: "made",
    key: { modelHash: "made", quantisation: "", dimension, prefixes: "" },
    async embed(texts, _kind, signal) {
      signal.throwIfAborted();
      return texts.map(embedOne);
    },
    async dispose() {},
  };
}
