import { eventIterator, oc } from "@orpc/contract";
import { z } from "zod";
import { fetchEventSchema, modelStateSchema } from "./schema.ts";

const byId = z.object({ id: z.string().min(1).max(200) });

export const modelRoutes = {
  list: oc.output(z.array(modelStateSchema)),
  /** Aborting the call stops the download; what arrived is kept for the next try. */
  fetch: oc.input(byId).output(eventIterator(fetchEventSchema)),
  verify: oc.input(byId).output(z.object({ ok: z.boolean(), message: z.string() })),
  use: oc.input(byId),
};
