import { TOTP, URI } from "otpauth";
import { badInput } from "#contract/errors.ts";

export interface TotpCode {
  readonly code: string;
  /** Milliseconds in which a site may still take it: the rest of its period and one more. */
  readonly validMs: number;
}

/** Reads what a site shows when it sets up codes: an otpauth address or the seed alone, in base32. Returns the address in one form. */
export function readTotp(text: string): string {
  const given = text.trim();
  try {
    if (/^otpauth:/iu.test(given)) {
      const read = URI.parse(given);
      if (!(read instanceof TOTP)) throw badInput("totp: this is a counter (HOTP), not a clock; only codes by time can be used");
      return checked(read).toString();
    }
    return checked(new TOTP({ label: "knack", secret: given.replace(/[\s-]/gu, "").toUpperCase() })).toString();
  } catch (error) {
    if (error instanceof Error && error.name === "KnackError") throw error;
    // What was typed is a secret; it is not repeated.
    throw badInput("totp: expected the address a site shows (otpauth://totp/…), or its seed in base32 (A to Z, 2 to 7)");
  }
}

function checked(totp: TOTP): TOTP {
  if (totp.secret.bytes.length < 10) throw badInput("totp: the seed is too short; at least 16 characters of base32 are expected");
  if (totp.period < 5 || totp.period > 300 || totp.digits < 6 || totp.digits > 10) throw badInput("totp: expected 6 to 10 digits and a period of 5 to 300 s");
  return totp;
}

/** The code of this moment (RFC 6238), from an address that `readTotp` made. */
export function totpCode(address: string, now: number): TotpCode {
  const totp = URI.parse(address) as TOTP;
  return { code: totp.generate({ timestamp: now }), validMs: totp.remaining({ timestamp: now }) + totp.period * 1000 };
}

/** The seed as it would be written down, to be masked wherever it appears. */
export function totpSeed(address: string): string {
  return (URI.parse(address) as TOTP).secret.base32;
}
