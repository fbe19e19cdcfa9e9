import type { Brand } from "#base/brand.ts";

/** A vault entry as everything but `vault/fill` knows it: a name without a value. */
export type EntryName = Brand<string, "EntryName">;

/** The parts of an entry that can be filled into a page. */
export type VaultField = "user" | "password" | "totp";

/** What is known of an entry outside the vault. */
export interface VaultHandle {
  readonly name: EntryName;
  readonly fields: readonly VaultField[];
  /** Origins it is bound to: scheme, host and port compared exactly. */
  readonly origins: readonly string[];
}

/** A name that is safe to print anywhere: letters, digits, dot, hyphen, underscore; 1–64 characters. undefined for any other. */
export function entryName(text: string): EntryName | undefined {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u.test(text) ? (text as EntryName) : undefined;
}
