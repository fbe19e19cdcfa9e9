import { randomBytes } from "node:crypto";
import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";

export const keyBytes = 32;
export const nonceBytes = 24;
export const tagBytes = 16;

/** What a ciphertext stands for. It opens only under the same words, so that none can stand in for another. */
export type Place = readonly (string | number | Uint8Array)[];

/** A random nonce and the XChaCha20-Poly1305 ciphertext of `plain` in its place (draft-irtf-cfrg-xchacha-03). */
export function seal(key: Uint8Array, plain: Uint8Array, place: Place): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  return joined(nonce, xchacha20poly1305(key, nonce, placeBytes(place)).encrypt(plain));
}

/** The reverse. Throws where anything was altered, or belongs in another place; nothing is decrypted then. */
export function unseal(key: Uint8Array, sealed: Uint8Array, place: Place): Uint8Array {
  return xchacha20poly1305(key, sealed.subarray(0, nonceBytes), placeBytes(place)).decrypt(sealed.subarray(nonceBytes));
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Each part behind its length, so that no two places are written alike. */
function placeBytes(place: Place): Uint8Array {
  return joined(
    ...place.flatMap((part) => {
      const bytes = part instanceof Uint8Array ? part : new TextEncoder().encode(String(part));
      return [uint32(bytes.length), bytes];
    }),
  );
}

export function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}
