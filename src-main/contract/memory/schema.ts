import { z } from "zod";

/** Where a fact was said: the sentence of the user's own message that it quotes. */
export const factProvenanceSchema = z.object({ conversationId: z.string(), messageId: z.string(), sentence: z.string() });
export type FactProvenance = z.infer<typeof factProvenanceSchema>;

/** Where a fact belongs: who the user is, how they like things, what they are at now, and what is none of these. */
export const factLabelSchema = z.enum(["SOUL", "PREFERENCE", "FOCUS", "NOTE"]);

/** One thing the user told Knack about themselves. `label` is its prefix group: SOUL, PREFERENCE, FOCUS or NOTE. */
export const factSchema = z.object({
  id: z.string(),
  label: factLabelSchema,
  text: z.string(),
  /** Who wrote it down: "user", "imported", "conversation" (asked for in one) or "agent:dreaming". The first two are the user's own. */
  source: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** Only of what was said in a conversation, until the user words it anew. */
  provenance: factProvenanceSchema.exactOptional(),
});
export type Fact = z.infer<typeof factSchema>;

/** What a fact said before a later word took its place. */
export const factVersionSchema = factSchema
  .pick({ label: true, text: true, source: true, updatedAt: true, provenance: true })
  .extend({ replacedAt: z.number() });
export type FactVersion = z.infer<typeof factVersionSchema>;

/** What Knack asks a person about themselves, and they may decline to say. */
export const profileFieldSchema = z.enum(["name", "location", "role"]);
export type ProfileField = z.infer<typeof profileFieldSchema>;

/** What the user changes about a fact; it is theirs from then on. */
export const factChangeSchema = z.strictObject({ text: z.string().max(4000).exactOptional(), label: factLabelSchema.exactOptional() });
export type FactChange = z.infer<typeof factChangeSchema>;

/** A fact the user wrote down, and what became of it: new, known already, or in the place of what it said before. */
export const keptFactSchema = factSchema.extend({ became: z.enum(["added", "known", "renewed"]), before: z.string().nullable() });
export type KeptFact = z.infer<typeof keptFactSchema>;

/** A fact with where it was said, and what it said before, newest first. */
export const factDetailSchema = z.object({
  fact: factSchema,
  history: z.array(factVersionSchema),
  /** Title of the conversation it was said in; null where it was in none, or in one that is gone. */
  conversation: z.string().nullable(),
  saidAt: z.number().nullable(),
});
export type FactDetail = z.infer<typeof factDetailSchema>;

/** What became of one line or entry that was taken in. The text of a secret is not repeated. */
export const importedFactSchema = z.union([
  z.object({ text: z.string(), became: z.enum(["added", "known"]) }),
  z.object({ text: z.string(), problem: z.string() }),
]);
export type ImportedFact = z.infer<typeof importedFactSchema>;
