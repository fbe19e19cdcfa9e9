export type EmbeddingKind = "query" | "document" | "clustering";

/** Vectors are comparable only when every field is equal (SPEC 4, "Thresholds belong to an embedder"). */
export interface EmbedderKey {
  readonly modelHash: string;
  /** How its numbers are kept ("F16", "Q8_0"), "" where the file does not say. */
  readonly quantisation: string;
  readonly dimension: number;
  /** Prefix set in use, "" when the model wants none. */
  readonly prefixes: string;
}

export interface Embedder {
  readonly id: string;
  readonly key: EmbedderKey;
  /** Unit-length vectors, one per text, in order. Throws when the model fails; there is no fall-back. */
  embed(texts: readonly string[], kind: EmbeddingKind, signal: AbortSignal): Promise<Float32Array[]>;
  dispose(): Promise<void>;
}

/** One string for a key, used to store vectors apart. */
export function embedderKeyText(key: EmbedderKey): string {
  return `${key.modelHash}:${key.quantisation}:${key.dimension}:${key.prefixes}`;
}

/** The key under which texts of one kind are kept: goals embedded for clustering are never compared with phrasings, nor with what another prefix made of them. */
export function keyOfKind(key: EmbedderKey, kind: EmbeddingKind): EmbedderKey {
  return { ...key, prefixes: `${kind}:${key.prefixes}` };
}
