import { z } from "zod";
import { factSchema } from "../memory/schema.ts";
import { revisionContentSchema, skillStatusSchema, targetSchema } from "../skills/schema.ts";

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
  /** The episode of a conversation that stands for a showing; none where a person did it in the window. */
  episodeId: z.string().exactOptional(),
});
export type Showing = z.infer<typeof showingSchema>;

export const draftSchema = z.object({
  showingId: z.string(),
  name: z.string(),
  content: revisionContentSchema,
  body: z.string(),
  /** What the draft leaves out and what is constant, said to the person. */
  notes: z.array(z.string()),
  /** The skill that means the same already: the draft can become its next revision. */
  sameAs: z.object({ name: z.string(), status: skillStatusSchema, revision: z.number().int().positive() }).exactOptional(),
});
export type Draft = z.infer<typeof draftSchema>;

/** A conversation something rests on, as it is now; both null once it was erased. */
export const reportSourceSchema = z.object({ conversationId: z.string().nullable(), title: z.string().nullable(), messageId: z.string().exactOptional() });
export type ReportSource = z.infer<typeof reportSourceSchema>;

export const passEntrySchema = z.object({
  /** "" where the conversation it was said in was erased, and for facts. */
  goal: z.string(),
  episodes: z.array(z.string()),
  decision: z.enum(["added", "updated", "unchanged", "skipped"]),
  reason: z.string(),
  skillName: z.string().nullable(),
  /** What a dream found about the user. What was said is kept with the fact and its message alone, so that it goes with them; `id` is null where none was made. */
  fact: z.object({ id: z.string().nullable(), conversationId: z.string(), messageId: z.string() }).exactOptional(),
  /** How things stand when the report is read; never stored. */
  now: z
    .object({
      sources: z.array(reportSourceSchema),
      /** Null where no skill was made, or it was erased. */
      skillStatus: skillStatusSchema.nullable(),
      /** Null where no fact was made, or it was forgotten. */
      fact: factSchema.nullable(),
    })
    .exactOptional(),
});
export const passReportSchema = z.object({
  id: z.string(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  dryRun: z.boolean(),
  episodesRead: z.number(),
  entries: z.array(passEntrySchema),
  note: z.string(),
  /** Only of a dream: the conversations that were looked at, with their titles as they are now (null once erased; never stored), and how many messages of the user's. */
  dream: z
    .object({ conversations: z.array(z.object({ id: z.string(), title: z.string().nullable().exactOptional() })), messagesRead: z.number().int().min(0) })
    .exactOptional(),
});
export type PassEntry = z.infer<typeof passEntrySchema>;
export type PassReport = z.infer<typeof passReportSchema>;
