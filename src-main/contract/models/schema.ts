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

/** Said where a context is smaller than the model's usual one; null where it is not. */
export function smallerContextWords({ size, asked }: { readonly size: number | null; readonly asked: number | null }): string | null {
  if (size === null || asked === null || size >= asked) return null;
  return `Its context holds ${size.toLocaleString("en")} tokens instead of ${asked.toLocaleString("en")}, for lack of memory: conversations fill it sooner. Close other programs, or use a smaller model.`;
}

export const fetchEventSchema = z.object({
  model: z.string(),
  phase: z.enum(["checking", "downloading", "joining", "converting", "verifying", "done", "failed"]),
  source: z.string(),
  bytes: z.number(),
  of: z.number(),
  message: z.string(),
});
export type FetchEvent = z.infer<typeof fetchEventSchema>;

/** What the models take of this machine just now. Bytes. */
export const modelUseSchema = z.object({
  chat: z.object({
    id: z.string().nullable(),
    state: z.enum(["ready", "loading", "idle", "missing", "refused"]),
    message: z.string(),
    /** Tokens; null while it is not loaded. */
    contextSize: z.number().nullable(),
  }),
  memory: z.object({
    /** All that the process of the models and the store has in memory. */
    process: z.number(),
    /** Of the chat model and its contexts, as the engine reckons them; 0 while it is not loaded. */
    model: z.number(),
    context: z.number(),
  }),
  /** When the chat model leaves the memory unless it is used; null while it is not loaded, at work, or to stay. */
  unloadsAt: z.number().nullable(),
  /** Saved states of prompts on the disk. */
  states: z.object({ files: z.number().int(), bytes: z.number(), limitBytes: z.number() }),
});
export type ModelUse = z.infer<typeof modelUseSchema>;

const thresholdSchema = z.object({ use: z.number(), suggest: z.number(), margin: z.number() });

/**
 * Where an embedder's similarities begin to mean that a skill is meant (SPEC 4, "Thresholds belong to an embedder"), from the project's own labelled
 * goals. All are cosines, or cosines with what a lead over the next one adds.
 */
export const calibrationSchema = z.object({
  embedder: z.string(),
  /** What its vectors are kept under: model hash, quantisation, dimension and prefixes. */
  key: z.string(),
  goals: z.object({ kinds: z.number(), phrasings: z.number(), outOfScope: z.number() }),
  /** Among all skills, and among the few of a site that the goal names. */
  free: thresholdSchema,
  site: thresholdSchema,
  /** Least mean similarity of the goals of one cluster. */
  cluster: z.number(),
  /** Probability that the best skill is meant: 1 / (1 + e^-(intercept + slope · certainty)); and what was measured on the way. */
  curve: z.object({
    slope: z.number(),
    intercept: z.number(),
    points: z.array(z.object({ threshold: z.number(), precision: z.number(), recall: z.number(), falseRecalls: z.number() })),
  }),
  /** Goals of a kind nearly the same as a skill's that would have used it, by what tells the two apart. */
  nearMisses: z.array(z.object({ class: z.string(), goals: z.number(), recalled: z.number() })),
});
export type Calibration = z.infer<typeof calibrationSchema>;
