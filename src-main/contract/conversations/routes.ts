import { oc } from "@orpc/contract";
import { z } from "zod";
import { compactionSchema, contextUseSchema } from "../chat/context.ts";
import { conversationSchema, episodeSchema, messageSchema, stepSchema, turnSchema } from "../chat/schema.ts";
import { erasureSchema } from "./erasure.ts";

const byId = z.object({ id: z.string().min(1).max(64) });
const erasing = byId.extend({ backups: z.boolean().optional() });

export const conversationDetailSchema = z.object({
  conversation: conversationSchema,
  messages: z.array(messageSchema).readonly(),
  turns: z.array(turnSchema).readonly(),
  steps: z.array(stepSchema).readonly(),
  episodes: z.array(episodeSchema).readonly(),
  /** Null until the model has read something of it. */
  context: contextUseSchema.nullable(),
  /** Those that hold and those that were undone, oldest first. */
  compactions: z.array(compactionSchema).readonly(),
});
export type ConversationDetail = z.infer<typeof conversationDetailSchema>;

/** The whole result of a step, of which the model may have read a part. */
export const stepResultSchema = z.object({ stepId: z.string(), text: z.string() });
export type StepResult = z.infer<typeof stepResultSchema>;

export const conversationRoutes = {
  list: oc.output(z.array(conversationSchema)),
  get: oc.input(byId).output(conversationDetailSchema),
  /** With `backups` the copies of the store that hold it go too. */
  delete: oc.input(erasing).output(erasureSchema),
  /** One task of a conversation, by the id of its episode. */
  eraseEpisode: oc.input(erasing).output(erasureSchema),
  rename: oc.input(byId.extend({ title: z.string().trim().min(1, "the title is empty").max(200) })),
  /** Puts a short text in the place of its older turns in the prompt. Refused while it answers, and where there is nothing to shorten. */
  compact: oc.input(byId).output(compactionSchema),
  /** Takes back its newest compaction that holds. */
  undoCompaction: oc.input(byId).output(compactionSchema),
  /** By the id of a step. */
  result: oc.input(byId).output(stepResultSchema),
  search: oc.input(z.object({ query: z.string().trim().min(1, "the query is empty").max(500) })).output(z.array(messageSchema)),
};
