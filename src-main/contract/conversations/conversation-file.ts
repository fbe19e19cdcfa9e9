import { z } from "zod";
import { compactionSchema } from "../chat/context.ts";
import { attachmentSchema, conversationSchema, episodeSchema, messageSchema, stepSchema, turnSchema } from "../chat/schema.ts";

/** What a conversation that was exported as JSON says of itself. */
export const conversationFormat = "knack-conversation";
export const conversationFileVersion = 1;

const moment = z.number().int().min(0).max(8_640_000_000_000_000);
const id = z.string().min(1).max(64);

/**
 * A conversation as a file, with everything in it: a branch with what it shares. Keys that are not known are kept out of what is stored. The versions of it
 * are counted, so that a file of a newer Knack is told from a damaged one.
 */
export const conversationFileSchema = z.object({
  format: z.literal(conversationFormat),
  version: z.literal(conversationFileVersion),
  exportedAt: moment,
  conversation: conversationSchema.pick({ title: true, createdAt: true, updatedAt: true }).extend({ createdAt: moment, updatedAt: moment }),
  messages: z.array(messageSchema.extend({ id, turnId: id, createdAt: moment })).max(1_000_000),
  turns: z.array(turnSchema.extend({ id, episodeId: id, startedAt: moment, endedAt: moment.nullable() })).max(500_000),
  steps: z.array(stepSchema.extend({ id, turnId: id, episodeId: id, startedAt: moment })).max(2_000_000),
  episodes: z.array(episodeSchema.extend({ id, createdAt: moment, closedAt: moment.nullable() })).max(500_000),
  /** Files that came with messages, whole. */
  attachments: z.array(attachmentSchema.extend({ messageId: id, text: z.string(), excerpt: z.string().nullable() })).max(100_000),
  /** Whole results of steps of which the model read a part. */
  results: z.array(z.object({ stepId: id, text: z.string() })).max(2_000_000),
  compactions: z.array(compactionSchema).max(100_000),
});
export type ConversationFile = z.infer<typeof conversationFileSchema>;
