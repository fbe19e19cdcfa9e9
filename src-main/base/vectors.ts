import { InvariantError } from "./invariant.ts";

/** The direction of several vectors together: their mean, of length one. A zero vector where they cancel out. */
export function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) for (let index = 0; index < sum.length; index += 1) sum[index] = (sum[index] ?? 0) + (vector[index] ?? 0);
  const length = Math.hypot(...sum);
  return length === 0 ? sum : sum.map((value) => value / length);
}

/** Inner product: the cosine, of vectors of length one. Throws where they are of different dimensions, for then no embedder made both. */
export function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) throw new InvariantError(`A vector of ${a.length} dimensions was compared with one of ${b.length}.`);
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
