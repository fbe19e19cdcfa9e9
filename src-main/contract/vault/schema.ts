import { z } from "zod";

/** A name that is safe to print anywhere, also inside a mask. */
export const entryNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u, "a name has 1 to 64 letters, digits, dots, hyphens or underscores, and begins with a letter or digit");

/** "username", "password", "totp", or a name of the user's own for anything else a form may ask for. */
export const fieldNameSchema = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/u, "a field has 1 to 32 small letters, digits or hyphens, and begins with a letter");

/** What an entry is outside of the vault: names and origins, never a value. */
export const vaultEntrySchema = z.object({
  name: entryNameSchema,
  /** Origins it is bound to, canonical: scheme, host and port are compared exactly. */
  origins: z.array(z.string()).min(1),
  fields: z.array(fieldNameSchema),
  /** Fields too short or too common to be masked in text, should a page repeat them. */
  unmasked: z.array(fieldNameSchema),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type VaultEntry = z.infer<typeof vaultEntrySchema>;

export const vaultStatusSchema = z.object({
  state: z.enum(["none", "locked", "unlocked"]),
  /** How many entries there are; null while it is locked. */
  entries: z.number().int().nullable(),
  /** When it locks by itself; null unless it is unlocked. */
  locksAt: z.number().nullable(),
  /** Wrong passphrases in a row, and milliseconds until the next may be tried. */
  failures: z.number().int(),
  waitMs: z.number(),
  keychain: z.object({ state: z.enum(["off", "on", "unavailable"]), message: z.string() }),
  /** What is wrong with the audit log; null where it is whole. */
  auditProblem: z.string().nullable(),
});
export type VaultStatus = z.infer<typeof vaultStatusSchema>;

export const vaultActionSchema = z.enum([
  "create",
  "unlock",
  "lock",
  "add",
  "edit",
  "remove",
  "release",
  "passphrase",
  "rotate",
  "export",
  "import",
  "keychain-on",
  "keychain-off",
]);
export type VaultAction = z.infer<typeof vaultActionSchema>;

/** One line of the audit log: never a value, its length, or a hash of it. */
export const vaultAuditSchema = z.object({
  seq: z.number().int(),
  at: z.number(),
  action: vaultActionSchema,
  /** "" where it is about the vault as a whole. */
  entry: z.string(),
  /** The origin a value was asked for; "" otherwise. */
  origin: z.string(),
  /** "ok", or the code of the refusal or failure. */
  decision: z.string(),
  /** Values masked in texts since the line before. */
  masks: z.number().int(),
});
export type VaultAudit = z.infer<typeof vaultAuditSchema>;
