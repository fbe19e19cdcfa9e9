import { z } from "zod";

/** Where a fact was said: the sentence of the user's own message that it quotes. */
export const factProvenanceSchema = z.object({ conversationId: z.string(), messageId: z.string(), sentence: z.string() });
export type FactProvenance = z.infer<typeof factProvenanceSchema>;

/** One thing the user told Knack about themselves. `label` is its prefix group: SOUL, PREFERENCE, FOCUS or NOTE. */
export const factSchema = z.object({
  id: z.string(),
  label: z.enum(["SOUL", "PREFERENCE", "FOCUS", "NOTE"]),
  text: z.string(),
  source: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** Only of what a dream found, until the user words it anew. */
  provenance: factProvenanceSchema.exactOptional(),
});
export type Fact = z.infer<typeof factSchema>;

/** What Knack asks a person about themselves, and they may decline to say. */
export const profileFieldSchema = z.enum(["name", "location", "role"]);
export type ProfileField = z.infer<typeof profileFieldSchema>;
