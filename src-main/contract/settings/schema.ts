import { z } from "zod";

/** The user's switches. Unknown keys are kept and reported. */
export const settingsSchema = z.object({
  memory: z.boolean().default(true),
  learning: z.boolean().default(true),
  chatModel: z.string().nullable().default(null),
  embeddingModel: z.string().nullable().default(null),
  theme: z.enum(["light", "dark", "system"]).default("system"),
  reviewBeforeActive: z.boolean().default(false),
  askBeforeSubmit: z.boolean().default(false),
  askBeforeDownload: z.boolean().default(false),
  askBeforeWrite: z.boolean().default(false),
});
export type Settings = z.infer<typeof settingsSchema>;
