import { z } from "zod";

export const catalogueEntrySchema = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(["chat", "embedding", "test"]),
  /** "default" entries are taken when the user chose nothing; in this order. */
  preference: z.number().int(),
  file: z.string(),
  bytes: z.number().int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/u),
  licence: z.string(),
  contextTokens: z.number().int().positive(),
  minimumMemoryGb: z.number().positive(),
  dimension: z.number().int().positive().optional(),
  prefixes: z.object({ query: z.string(), document: z.string(), clustering: z.string() }).optional(),
  hub: z.object({ repository: z.string(), revision: z.string(), file: z.string() }).optional(),
  packages: z.object({ names: z.array(z.string()).min(1), version: z.string(), member: z.string(), convert: z.enum(["join", "minilm-gguf"]) }).optional(),
});
export type CatalogueEntry = z.infer<typeof catalogueEntrySchema>;

export const modelStateSchema = catalogueEntrySchema.extend({
  state: z.enum(["present", "partial", "absent", "damaged"]),
  inUse: z.boolean(),
  fit: z.enum(["fits", "may-be-slow", "will-not-fit"]),
  path: z.string().nullable(),
  recommended: z.boolean(),
});
export type ModelState = z.infer<typeof modelStateSchema>;

export const fetchEventSchema = z.object({
  model: z.string(),
  phase: z.enum(["checking", "downloading", "joining", "converting", "verifying", "done", "failed"]),
  source: z.string(),
  bytes: z.number(),
  of: z.number(),
  message: z.string(),
});
export type FetchEvent = z.infer<typeof fetchEventSchema>;
