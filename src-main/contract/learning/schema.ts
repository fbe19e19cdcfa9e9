import { z } from "zod";
import { revisionContentSchema, targetSchema } from "../skills/schema.ts";

/** What the recorder keeps of one action of a person. Never the value of a secret field. */
export const shownActionSchema = z.object({
  kind: z.enum(["open", "click", "fill", "select", "press", "download"]),
  target: targetSchema.optional(),
  /** URL opened, text typed, option chosen, key pressed, file name. */
  value: z.string().optional(),
  secret: z.boolean(),
  /** Names of the elements of the same role on the page before the action; they show which part of a name is a pattern. */
  siblings: z.array(z.string()),
  /** Options of a list, in order. */
  options: z.array(z.string()).optional(),
  /** Landmark the target sits in ("navigation", "main" …), "" when none. */
  landmark: z.string(),
  /** Text of the row or section around the target. */
  context: z.string(),
  /** The page once the action has settled. */
  after: z.object({ url: z.string(), title: z.string(), heading: z.string(), text: z.string() }),
  at: z.number(),
});
export type ShownAction = z.infer<typeof shownActionSchema>;

export const showingSchema = z.object({
  id: z.string(),
  goal: z.string(),
  url: z.string(),
  status: z.enum(["recording", "draft", "confirmed", "dropped", "broken"]),
  actions: z.array(shownActionSchema),
  createdAt: z.number(),
  /** The skill that was kept of it. */
  skillId: z.string().optional(),
});
export type Showing = z.infer<typeof showingSchema>;

export const draftSchema = z.object({
  showingId: z.string(),
  name: z.string(),
  content: revisionContentSchema,
  body: z.string(),
  /** What the draft leaves out and what is constant, said to the person. */
  notes: z.array(z.string()),
});
export type Draft = z.infer<typeof draftSchema>;

export const passEntrySchema = z.object({
  goal: z.string(),
  episodes: z.array(z.string()),
  decision: z.enum(["added", "updated", "unchanged", "skipped"]),
  reason: z.string(),
  skillName: z.string().nullable(),
});
export const passReportSchema = z.object({
  id: z.string(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  dryRun: z.boolean(),
  episodesRead: z.number(),
  entries: z.array(passEntrySchema),
  note: z.string(),
});
export type PassEntry = z.infer<typeof passEntrySchema>;
export type PassReport = z.infer<typeof passReportSchema>;
