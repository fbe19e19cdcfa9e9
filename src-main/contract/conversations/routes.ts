import { oc } from "@orpc/contract";
import { z } from "zod";
import { compactionSchema, contextUseSchema } from "../chat/context.ts";
import { conversationSchema, episodeSchema, messageSchema, stepSchema, turnSchema } from "../chat/schema.ts";
import { erasureSchema } from "./erasure.ts";

const byId = z.object({ id: z.string().min(1).max(64) });
const erasing = byId.extend({ backups: z.boolean().optional() });

/** Where several conversations of a family go on differently: for the same place each with its turn there, oldest first. */
export const forkSchema = z.object({ turnId: z.string(), among: z.array(z.object({ conversationId: z.string(), turnId: z.string() })).readonly() });
export type Fork = z.infer<typeof forkSchema>;

/** A conversation with the turns that a branch shares in front of its own. */
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
  /** How many turns there are before those told of; 0 where all are. */
  earlier: z.number().int().exactOptional(),
  /** Of the turns told of those that have others in their place elsewhere. */
  forks: z.array(forkSchema).readonly().exactOptional(),
});
export type ConversationDetail = z.infer<typeof conversationDetailSchema>;

/** The whole result of a step, of which the model may have read a part. */
export const stepResultSchema = z.object({ stepId: z.string(), text: z.string() });
export type StepResult = z.infer<typeof stepResultSchema>;

/** A folder that conversations are put into; each is in one at most. */
export const folderSchema = z.object({ id: z.string(), name: z.string(), createdAt: z.number() });
export type Folder = z.infer<typeof folderSchema>;
const folderName = z.string().trim().min(1, "the name is empty").max(100);

/** A message that was found, with the place: parts of its text around what was looked for, in order. */
export const foundMessageSchema = messageSchema.extend({
  title: z.string(),
  excerpt: z.array(z.object({ text: z.string(), isHit: z.boolean() })).readonly(),
});
export type FoundMessage = z.infer<typeof foundMessageSchema>;

export const exportFormSchema = z.enum(["markdown", "json"]);
export type ExportForm = z.infer<typeof exportFormSchema>;

/** Which turns are read: the newest `last`, or those before a turn, or all from the turn of a message or from a turn on. */
const pageSchema = {
  last: z.number().int().min(1).max(1000).exactOptional(),
  before: z.string().min(1).max(64).exactOptional(),
  from: z.string().min(1).max(64).exactOptional(),
};
export interface TurnPage {
  readonly last?: number;
  readonly before?: string;
  readonly from?: string;
}

export const conversationRoutes = {
  /** Newest first; temporary ones are in no list. */
  list: oc.output(z.array(conversationSchema)),
  get: oc.input(byId.extend(pageSchema)).output(conversationDetailSchema),
  folders: oc.output(z.array(folderSchema)),
  addFolder: oc.input(z.object({ name: folderName })).output(folderSchema),
  renameFolder: oc.input(byId.extend({ name: folderName })).output(folderSchema),
  /** What is in it stays, in no folder. */
  removeFolder: oc.input(byId),
  /** Null takes it out of its folder. */
  move: oc.input(byId.extend({ folderId: z.string().min(1).max(64).nullable() })).output(conversationSchema),
  /** Ends a temporary conversation: nothing of it is left. False where it is gone already. */
  close: oc.input(byId).output(z.boolean()),
  export: oc.input(byId.extend({ form: exportFormSchema })).output(z.object({ fileName: z.string(), text: z.string() })),
  /** The text of a file that was exported as JSON, made a new conversation. What is no such file is refused, and nothing of it is kept. */
  import: oc.input(z.object({ text: z.string().min(1, "the file is empty").max(64_000_000, "the file is too long") })).output(conversationSchema),
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
  search: oc.input(z.object({ query: z.string().trim().min(1, "the query is empty").max(500) })).output(z.array(foundMessageSchema)),
};
