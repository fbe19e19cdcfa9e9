import { z } from "zod";
import { factSchema } from "../memory/schema.ts";
import { callSchema, revisionContentSchema, skillStatusSchema, targetSchema } from "../skills/schema.ts";
import { draftEditsSchema } from "./draft-edit.ts";

/** What the recorder keeps of one action of a person. Never the value of a secret field. */
export const shownActionSchema = z.object({
  kind: z.enum(["open", "click", "fill", "select", "press", "download", "call"]),
  target: targetSchema.optional(),
  /** Only of a "call": a tool that works on no page, its arguments, and what it gave. */
  call: callSchema.extend({ result: z.string() }).optional(),
  /** URL opened, text typed, option chosen, key pressed, file name; nothing of a call. */
  value: z.string().optional(),
  secret: z.boolean(),
  /** Only of a secret: the form it stands in was sent with it. */
  isSent: z.literal(true).exactOptional(),
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

/** What was to be seen after a step of a draft: what a check may be made of. */
export const observationSchema = z.object({
  heading: z.string(),
  /** Path of the address. */
  url: z.string(),
  /** Lines of the page that were not there before the step. */
  lines: z.array(z.string()),
  /** Name of the field that a secret was typed into, for which a vault entry is to be chosen; null for other steps. */
  secretField: z.string().nullable(),
});
export type Observation = z.infer<typeof observationSchema>;

/** What becomes of a showing: a skill of its own, the common procedure of all showings and good runs of a skill, or a skill mended from one step on. */
export const showingAimSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("new") }),
  z.object({ kind: z.literal("together"), skillId: z.string() }),
  z.object({
    kind: z.literal("repair"),
    skillId: z.string(),
    revision: z.number().int().positive(),
    /** The first step that a person shows, from 1. */
    step: z.number().int().positive(),
    /** How many of the actions were carried out for the person, to bring the window there. */
    replayed: z.number().int().nonnegative(),
    /** After what was shown it goes on as before; false where all was shown to its end. */
    asBefore: z.boolean(),
  }),
]);
export type ShowingAim = z.infer<typeof showingAimSchema>;

export const draftSchema = z.object({
  showingId: z.string(),
  name: z.string(),
  content: revisionContentSchema,
  body: z.string(),
  /** What the draft leaves out and what is constant, said to the person. */
  notes: z.array(z.string()),
  /** Where the words of a step that was edited say something else than it does; left out where they do not. */
  warnings: z.array(z.string()).exactOptional(),
  /** For each step what was to be seen after it; null where nothing was. */
  observed: z.array(observationSchema.nullable()),
  /** The edits that made it of what was shown. */
  edits: draftEditsSchema,
  /** Steps, from 1, that need judgement; none of them: it can run without the model. */
  needJudgement: z.array(z.number().int().positive()),
  /** The skill this becomes a revision of, with the diff of the two bodies; null for a new one. */
  revises: z.object({ skill: z.string(), revision: z.number().int().positive(), diff: z.string() }).nullable(),
  /** A skill of showings that seems to be the same routine; null where there is none, and where it becomes a revision already. */
  alike: z.object({ skill: z.string(), goal: z.string() }).nullable(),
  /** The skill that means the same already: the draft can become its next revision. */
  sameAs: z.object({ name: z.string(), status: skillStatusSchema, revision: z.number().int().positive() }).exactOptional(),
});
export type Draft = z.infer<typeof draftSchema>;

export const showingSchema = z.object({
  id: z.string(),
  goal: z.string(),
  url: z.string(),
  /** "broken": its window, its page or its host went away before it was finished. */
  status: z.enum(["recording", "draft", "confirmed", "dropped", "broken"]),
  actions: z.array(shownActionSchema),
  createdAt: z.number(),
  aim: showingAimSchema,
  /** What was derived from it, without edits; null until it was finished. */
  base: draftSchema.nullable(),
  edits: draftEditsSchema,
  /** The skill it was kept as, or as a revision of; null until then. */
  skillId: z.string().nullable(),
  /** The episode of a conversation that stands for a showing; none where a person did it in the window. */
  episodeId: z.string().exactOptional(),
});
export type Showing = z.infer<typeof showingSchema>;

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
