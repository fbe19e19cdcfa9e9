import { eventIterator, oc } from "@orpc/contract";
import { z } from "zod";
import { approvalScopeSchema } from "../approvals/schema.ts";
import { explanationSchema } from "../skills/explain.ts";
import { attachmentSchema, episodeSchema, sendSchema, turnEventSchema } from "./schema.ts";

const identifier = z.string().min(1).max(64);

export const chatRoutes = {
  /** Runs one turn and ends after "turn-finished". Aborting the call stops the turn. */
  send: oc.input(sendSchema).output(eventIterator(turnEventSchema)),
  /** False when that turn is not running. */
  stop: oc.input(z.object({ turnId: identifier })).output(z.boolean()),
  judge: oc.input(z.object({ episodeId: identifier, worked: z.boolean() })).output(episodeSchema),
  /** False when that approval is no longer open. */
  approve: oc.input(z.object({ approvalId: identifier, allow: z.boolean(), scope: approvalScopeSchema.exactOptional() })).output(z.boolean()),
  /** The whole text of a file that came with a message. */
  attachment: oc.input(z.object({ id: identifier })).output(attachmentSchema.extend({ text: z.string() })),
  /** Why a turn had the skill it had, or none. */
  why: oc.input(z.object({ turnId: identifier })).output(explanationSchema),
  answerSuggestion: oc.input(z.object({ turnId: identifier, take: z.boolean() })),
};
