import { oc } from "@orpc/contract";
import { z } from "zod";

export const statusSchema = z.object({
  version: z.string(),
  dataFolder: z.string(),
  /** What stands between the user and a first answer: "ready", or one line that says what is missing and the way on. */
  model: z
    .object({
      id: z.string().nullable(),
      state: z.enum(["ready", "loading", "idle", "missing", "refused"]),
      message: z.string(),
      /** Tokens its context holds, now or when it was loaded last; null where it never was. */
      contextSize: z.number().nullable(),
      /** Tokens that were wanted then. */
      contextAsked: z.number().nullable(),
    })
    .readonly(),
  embedder: z.object({ id: z.string().nullable(), calibrated: z.boolean() }).readonly(),
  browser: z.object({ found: z.string().nullable(), message: z.string() }).readonly(),
  offline: z.boolean(),
});
export type Status = z.infer<typeof statusSchema>;

export const statusRoute = oc.output(statusSchema);
/** Asked first: a page that speaks another protocol says so instead of guessing. */
export const versionRoute = oc.output(z.object({ protocol: z.number().int() }));
