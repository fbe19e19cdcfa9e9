import { argon2id } from "hash-wasm";
import { keyBytes } from "./sealed.ts";

/** What a passphrase costs to try. */
export interface Cost {
  /** KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly lanes: number;
}

/** RFC 9106, the second of its recommendations: for machines that have no 2 GiB to spare. */
export const usualCost: Cost = { memory: 65_536, passes: 3, lanes: 4 };

/** A file may ask for less than usual, down to what still is argon2id, and not for more than a laptop has. */
const bounds = { memory: [8 * 1024, 1024 * 1024], passes: [1, 16], lanes: [1, 16] } as const;
/** KiB times passes: what would take a minute is no vault's. */
const mostWork = 4 * 1024 * 1024;

export function isBearable(cost: Cost): boolean {
  const fits = (["memory", "passes", "lanes"] as const).every((name) => cost[name] >= bounds[name][0] && cost[name] <= bounds[name][1]);
  return fits && cost.memory * cost.passes <= mostWork;
}

/** The key a passphrase stands for (argon2id, RFC 9106). The caller zeroes both. */
export function deriveKey(passphrase: Uint8Array, salt: Uint8Array, { memory, passes, lanes }: Cost): Promise<Uint8Array> {
  return argon2id({ password: passphrase, salt, memorySize: memory, iterations: passes, parallelism: lanes, hashLength: keyBytes, outputType: "binary" });
}
