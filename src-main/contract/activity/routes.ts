import { oc } from "@orpc/contract";
import { z } from "zod";
import { contactPageSchema, contactQuerySchema, contactSchema } from "./schema.ts";

export const activityRoutes = {
  /** What anything talked to, newest first. */
  list: oc.input(contactQuerySchema).output(contactPageSchema),
  get: oc.input(z.object({ id: z.string().min(1).max(64) })).output(contactSchema),
};
