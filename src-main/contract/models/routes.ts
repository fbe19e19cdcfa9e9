import { eventIterator, oc } from "@orpc/contract";
import { z } from "zod";
import { fetchEventSchema, modelStateSchema, modelUseSchema } from "./schema.ts";

const byId = z.object({ id: z.string().min(1).max(200) });

export const modelRoutes = {
  list: oc.output(z.array(modelStateSchema)),
  /** Aborting the call stops the download; what arrived is kept for the next try. */
  fetch: oc.input(byId).output(eventIterator(fetchEventSchema)),
  verify: oc.input(byId).output(z.object({ ok: z.boolean(), message: z.string() })),
  use: oc.input(byId),
  status: oc.output(modelUseSchema),
  /**
   * Loads the chat model and brings back what the next prompt begins with, while a message is being typed; that of a conversation, or of a new one. Resolves
   * when it is done, or at once where a message is being answered. Rejects with what stands in the way.
   */
  warm: oc.input(z.object({ conversationId: z.string().min(1).max(200).exactOptional() })).output(modelUseSchema),
};
