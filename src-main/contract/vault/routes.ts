import { oc } from "@orpc/contract";
import { z } from "zod";
import { entryNameSchema, fieldNameSchema, vaultAuditSchema, vaultEntrySchema, vaultStatusSchema } from "./schema.ts";

/** Long enough that trying all of them is no way in; what is longer than a page of text is no passphrase. */
export const passphraseSchema = z.string().min(8, "a passphrase has at least 8 characters").max(1024, "a passphrase has at most 1,024 characters");
const currentSchema = z.string().min(1, "the passphrase is empty").max(1024);
const valueSchema = z.string().min(1, "the value is empty").max(4096, "a value has at most 4,096 characters");
const originsSchema = z.array(z.string().trim().min(1).max(2000)).min(1, "name the site it is for").max(20, "an entry is for at most 20 sites");

/** Values go in by this and by `vaultChangeSchema`; nothing brings one out. */
export const newVaultEntrySchema = z.strictObject({
  name: entryNameSchema,
  origins: originsSchema,
  values: z
    .record(fieldNameSchema, valueSchema)
    .refine((values) => Object.keys(values).length > 0, "an entry has at least one field")
    .refine((values) => Object.keys(values).length <= 32, "an entry has at most 32 fields"),
  /** The user insists on a site of this machine without https. */
  allowHttp: z.boolean().exactOptional(),
});
export type NewVaultEntry = z.infer<typeof newVaultEntrySchema>;

/** Only what is to change; a value of null takes the field out. */
export const vaultChangeSchema = z.strictObject({
  name: entryNameSchema.exactOptional(),
  origins: originsSchema.exactOptional(),
  values: z.record(fieldNameSchema, valueSchema.nullable()).exactOptional(),
  allowHttp: z.boolean().exactOptional(),
});
export type VaultChange = z.infer<typeof vaultChangeSchema>;

export const vaultImportSchema = z.object({
  added: z.array(z.string()),
  /** What was left out, and why. */
  skipped: z.array(z.object({ name: z.string(), reason: z.string() })),
});
export type VaultImport = z.infer<typeof vaultImportSchema>;

export const vaultRoutes = {
  status: oc.output(vaultStatusSchema),
  create: oc.input(z.object({ passphrase: passphraseSchema })).output(vaultStatusSchema),
  unlock: oc.input(z.object({ passphrase: currentSchema })).output(vaultStatusSchema),
  unlockByKeychain: oc.output(vaultStatusSchema),
  lock: oc.output(vaultStatusSchema),
  entries: oc.output(z.array(vaultEntrySchema)),
  add: oc.input(newVaultEntrySchema).output(vaultEntrySchema),
  edit: oc.input(z.object({ name: entryNameSchema, change: vaultChangeSchema })).output(vaultEntrySchema),
  remove: oc.input(z.object({ name: entryNameSchema })),
  changePassphrase: oc.input(z.object({ current: currentSchema, next: passphraseSchema })),
  rotate: oc.input(z.object({ passphrase: currentSchema })),
  audit: oc.input(z.object({ limit: z.number().int().min(1).max(1000) })).output(z.array(vaultAuditSchema)),
  /** An age file that `exportPassphrase` opens; the vault's own passphrase is asked for once more. */
  export: oc
    .input(z.object({ passphrase: currentSchema, exportPassphrase: passphraseSchema }))
    .output(z.object({ text: z.string(), entries: z.number().int() })),
  import: oc.input(z.object({ text: z.string().max(20_000_000), passphrase: currentSchema })).output(vaultImportSchema),
  setKeychain: oc.input(z.object({ on: z.boolean() })).output(vaultStatusSchema),
};
