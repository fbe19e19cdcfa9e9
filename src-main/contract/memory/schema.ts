import { z } from "zod";

/** One thing the user told Knack about themselves. `label` is its prefix group: SOUL, PREFERENCE, FOCUS or NOTE. */
export const factSchema = z.object({
  id: z.string(),
  label: z.enum(["SOUL", "PREFERENCE", "FOCUS", "NOTE"]),
  text: z.string(),
  source: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type Fact = z.infer<typeof factSchema>;
