import { type Cost, isBearable } from "./derive-key.ts";
import { joined, keyBytes, nonceBytes, type Place, tagBytes, uint32 } from "./sealed.ts";

/**
 * The head of a vault file, 128 bytes; numbers are little-endian:
 *
 *      0  8   "KNACKVLT"
 *      8  2   version of the format, 1
 *     10  1   how the passphrase becomes a key: 1, argon2id
 *     11  1   lanes of argon2id
 *     12  4   its memory in KiB
 *     16  4   its passes
 *     20 16   salt
 *     36 16   id of the vault
 *     52  4   epoch: which data key this is, counted from 1
 *     56 72   the data key, sealed by the passphrase's key in the place of bytes 0 to 55
 *
 * Behind it stand the index, sealed by the data key, and the entries in the index's order, each: length in 4 bytes, 24 bytes of nonce, ciphertext with tag.
 */
export interface Header {
  readonly cost: Cost;
  readonly salt: Uint8Array;
  readonly vaultId: Uint8Array;
  readonly epoch: number;
  readonly wrappedKey: Uint8Array;
}

export const saltBytes = 16;
export const idBytes = 16;
const magic = new TextEncoder().encode("KNACKVLT");
const version = 1;
const argon2 = 1;
const openBytes = 56;
export const headerBytes = openBytes + nonceBytes + keyBytes + tagBytes;

export function writeHeader({ wrappedKey, ...open }: Header): Uint8Array {
  return joined(writeOpenPart(open), wrappedKey);
}

function writeOpenPart({ cost, salt, vaultId, epoch }: Omit<Header, "wrappedKey">): Uint8Array {
  return joined(magic, Uint8Array.of(version, 0, argon2, cost.lanes), uint32(cost.memory), uint32(cost.passes), salt, vaultId, uint32(epoch));
}

/** The head of a file; null for what is none, or asks for more work than any vault does. "newer" is a format of a later Knack. */
export function readHeader(file: Uint8Array): Header | "newer" | null {
  if (file.length < headerBytes || magic.some((byte, at) => file[at] !== byte)) return null;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (view.getUint16(8, true) > version) return "newer";
  if (view.getUint16(8, true) !== version || view.getUint8(10) !== argon2) return null;
  const cost = { lanes: view.getUint8(11), memory: view.getUint32(12, true), passes: view.getUint32(16, true) };
  if (!isBearable(cost)) return null;
  return {
    cost,
    salt: file.slice(20, 20 + saltBytes),
    vaultId: file.slice(36, 36 + idBytes),
    epoch: view.getUint32(52, true),
    wrappedKey: file.slice(openBytes, headerBytes),
  };
}

/** Everything about the file that a passphrase vouches for. */
export function placeOfKey(open: Omit<Header, "wrappedKey">): Place {
  return ["knack vault key", writeOpenPart(open)];
}
