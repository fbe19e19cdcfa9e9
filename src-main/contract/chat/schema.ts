import { z } from "zod";
import { modeSchema, recallSchema } from "../skills/schema.ts";
import { contextUseSchema } from "./context.ts";

export const outcomeSchema = z.enum(["success", "claimed_success", "failure", "abandoned"]);
export type Outcome = z.infer<typeof outcomeSchema>;

/**
 * A chat. A branch goes on from another conversation: it shares that one's turns up to `after`, which may be none. Knack learns nothing from one that is
 * temporary, which is gone once it is closed, nor from one that was imported.
 */
export const conversationSchema = z.object({
  id: z.string(),
  title: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  folderId: z.string().exactOptional(),
  branch: z.object({ of: z.string(), after: z.string().nullable() }).exactOptional(),
  isTemporary: z.boolean().exactOptional(),
  isImported: z.boolean().exactOptional(),
});
export type Conversation = z.infer<typeof conversationSchema>;

/** A file that came with a message, as far as a list tells of it. */
export const attachmentSchema = z.object({
  id: z.string(),
  name: z.string(),
  characters: z.number().int(),
  /** How many characters of its beginning the model read; null until it has. */
  read: z.number().int().nullable(),
  /** In the rest it was looked for the words of the message, and what was found was read as well. */
  isSearched: z.boolean(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

export const messageSchema = z.object({
  id: z.string(),
  conversationId: z.string(),
  turnId: z.string(),
  role: z.enum(["user", "assistant"]),
  text: z.string(),
  status: z.enum(["complete", "streaming", "interrupted"]),
  createdAt: z.number(),
  /** Absent where none came with it. */
  attachments: z.array(attachmentSchema).exactOptional(),
});
export type Message = z.infer<typeof messageSchema>;

export const tokenCountSchema = z.object({ evaluated: z.number(), reused: z.number(), generated: z.number() });
export type TokenCount = z.infer<typeof tokenCountSchema>;

export const stepStatusSchema = z.enum(["running", "ok", "error", "refused", "interrupted"]);
/**
 * One tool call of a turn. `text` is what the model read; `details` is for the screen. Where the model read only a part, `details.leftOut` says how many
 * characters are missing, and the whole is had by itself.
 */
export const stepSchema = z.object({
  id: z.string(),
  turnId: z.string(),
  episodeId: z.string(),
  index: z.number().int(),
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  status: stepStatusSchema,
  text: z.string(),
  details: z.record(z.string(), z.unknown()),
  startedAt: z.number(),
  durationMs: z.number().nullable(),
  tokens: tokenCountSchema,
});
export type Step = z.infer<typeof stepSchema>;

/** What a step under a skill keeps in `details.routine`: which step of the routine was due, whether this was it, and what its check found. */
export const routineNoteSchema = z.object({
  /** Index of the revision's own step that was due. */
  at: z.number().int().min(0),
  /** The skill inside this one that the step belongs to, where it is none of its own. */
  inside: z.string().optional(),
  kind: z.enum(["call", "judge", "search", "several"]),
  isDue: z.boolean(),
  check: z.object({ held: z.boolean(), finding: z.string() }).optional(),
});
export type RoutineNote = z.infer<typeof routineNoteSchema>;

/** How a turn came by its skill, or by none. */
export const choiceSchema = z.enum(["recall", "named", "answer", "resumed", "continued", "unwanted", "corrected", "learning-off", "no-embedder"]);
export type Choice = z.infer<typeof choiceSchema>;

export const turnSchema = z.object({
  id: z.string(),
  conversationId: z.string(),
  episodeId: z.string(),
  status: z.enum(["running", "done", "failed", "stopped", "interrupted"]),
  skillId: z.string().nullable(),
  revision: z.number().nullable(),
  /** How the skill in charge was followed; null in a free turn. */
  mode: modeSchema.nullable(),
  recall: recallSchema.nullable(),
  choice: choiceSchema.optional(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  tokens: tokenCountSchema,
});
export type Turn = z.infer<typeof turnSchema>;

export const episodeSchema = z.object({
  id: z.string(),
  conversationId: z.string(),
  goal: z.string(),
  outcome: outcomeSchema.nullable(),
  /** What the outcome rests on, e.g. "confirmed by the user", "last check held". */
  reason: z.string().nullable(),
  open: z.boolean(),
  createdAt: z.number(),
  closedAt: z.number().nullable(),
});
export type Episode = z.infer<typeof episodeSchema>;

/** Everything that happens in a turn, in order; page, CLI and trace read this one stream. */
export const turnEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("turn-started"), turn: turnSchema, message: messageSchema }),
  z.object({ type: z.literal("recall-decided"), turnId: z.string(), recall: recallSchema }),
  z.object({
    type: z.literal("skill-taken"),
    turnId: z.string(),
    skillId: z.string(),
    name: z.string(),
    revision: z.number(),
    mode: modeSchema,
    inputs: z.record(z.string(), z.string()),
  }),
  /** Knack kept something the user said about themselves in this message. Of what is forgotten later nothing remains: no event is stored. */
  z.object({ type: z.literal("fact-kept"), turnId: z.string(), factId: z.string(), text: z.string() }),
  z.object({ type: z.literal("text-delta"), turnId: z.string(), text: z.string() }),
  /** It waits until the model is free: for which conversation, and how many turns are before it. With `ahead` 0 its turn has come. */
  z.object({
    type: z.literal("turn-waiting"),
    turnId: z.string(),
    ahead: z.number().int(),
    behind: z.object({ conversationId: z.string(), title: z.string() }).nullable(),
  }),
  /** How much of the files of its message the model reads. */
  z.object({ type: z.literal("files-read"), turnId: z.string(), attachments: z.array(attachmentSchema) }),
  z.object({ type: z.literal("context-used"), turnId: z.string(), context: contextUseSchema }),
  z.object({ type: z.literal("step-started"), step: stepSchema }),
  z.object({ type: z.literal("step-finished"), step: stepSchema }),
  z.object({ type: z.literal("place-moved"), turnId: z.string(), at: z.number(), of: z.number(), next: z.string() }),
  z.object({
    type: z.literal("approval-requested"),
    turnId: z.string(),
    approvalId: z.string(),
    tool: z.string(),
    args: z.record(z.string(), z.unknown()),
    reason: z.string(),
    /** What it acts on: an address with the control on it, or a file. */
    target: z.string().exactOptional(),
    /** How a file would change, as a unified diff. */
    diff: z.string().exactOptional(),
    /** Which calls a yes that holds on would cover; absent where each call is asked about by itself. */
    family: z.string().exactOptional(),
    /** From this hour on the answer is no. */
    expiresAt: z.number().exactOptional(),
  }),
  z.object({ type: z.literal("alert-raised"), alertId: z.string(), title: z.string() }),
  z.object({
    type: z.literal("turn-finished"),
    turn: turnSchema,
    episode: episodeSchema,
    message: messageSchema.nullable(),
    problem: z.string().nullable(),
    mayResume: z.boolean(),
  }),
]);
export type TurnEvent = z.infer<typeof turnEventSchema>;

/** Most characters of one file that comes with a message, and of all of them together. */
export const longestAttachment = 5_000_000;
export const longestAttachments = 10_000_000;
export const mostAttachments = 8;

/** A text file that goes with a message, or by its id one that went with the message whose place this one takes. */
export const attachedSchema = z.union([
  z.strictObject({ name: z.string().trim().min(1, "the file has no name").max(255), text: z.string().max(longestAttachment, "the file is too long") }),
  z.strictObject({ id: z.string().min(1).max(64) }),
]);
export type Attached = z.infer<typeof attachedSchema>;

export const sendSchema = z.object({
  text: z.string().trim().min(1, "the message is empty").max(20_000),
  conversationId: z.string().optional(),
  /** A person's one-sentence advice on how to do it. */
  hint: z.string().max(4000).optional(),
  /** Take this skill, by name, instead of asking recall. */
  skill: z.string().optional(),
  takeSuggestion: z.boolean().optional(),
  noSkills: z.boolean().optional(),
  mode: modeSchema.optional(),
  inputs: z.record(z.string(), z.string()).optional(),
  /**
   * Goes on where a run without the model halted in this conversation, its browser as it is, or where its last turn was interrupted, from what was written
   * and done. What would begin another run (skill, mode, inputs, advice) cannot stand beside it.
   */
  resume: z.boolean().optional(),
  workspace: z.string().optional(),
  /** The turn whose place this one takes, in a branch of its conversation that begins ahead of it; what was said stays. Not beside `conversationId`. */
  insteadOf: z.string().min(1).max(64).optional(),
  /** The new conversation is gone once it is closed, and nothing is learned from it. */
  temporary: z.boolean().optional(),
  attachments: z
    .array(attachedSchema)
    .max(mostAttachments, `at most ${mostAttachments} files go with a message`)
    .refine(
      (files) => files.reduce((sum, file) => sum + ("text" in file ? file.text.length : 0), 0) <= longestAttachments,
      `the files are longer than ${longestAttachments.toLocaleString("en")} characters together`,
    )
    .optional(),
  maxSteps: z.number().int().min(1).max(100).optional(),
});
export type Send = z.infer<typeof sendSchema>;
