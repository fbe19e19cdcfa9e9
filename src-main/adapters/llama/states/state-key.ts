import { createHash } from "node:crypto";

/** Everything a saved state must agree with before an engine may read it: another value of any of these may crash the process. */
export interface StateKey {
  /** SHA-256 of the model file. */
  readonly model: string;
  /** Version of node-llama-cpp, and the llama.cpp build within it. */
  readonly library: string;
  readonly engine: string;
  /** What the numbers were computed on: processor architecture and GPU. */
  readonly machine: string;
  /** Tokens. */
  readonly contextSize: number;
  readonly batchSize: number;
  readonly flashAttention: string;
  readonly keyType: string;
  readonly valueType: string;
}

/** Of a key, or of a key with tokens: lower-case hex. */
export function hashOf(key: StateKey, tokens: readonly number[] = []): string {
  return createHash("sha256").update(textOf(key)).update("\n").update(Int32Array.from(tokens)).digest("hex");
}

export function isSameKey(a: StateKey, b: StateKey): boolean {
  return textOf(a) === textOf(b);
}

/** In one order, whatever order a file had it in. */
function textOf({ model, library, engine, machine, contextSize, batchSize, flashAttention, keyType, valueType }: StateKey): string {
  return JSON.stringify([model, library, engine, machine, contextSize, batchSize, flashAttention, keyType, valueType]);
}
