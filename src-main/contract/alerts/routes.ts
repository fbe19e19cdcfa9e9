import { oc } from "@orpc/contract";
import { z } from "zod";
import { alertActionSchema, alertSchema } from "./schema.ts";

export const alertRoutes = {
  /** `all` includes resolved ones. */
  list: oc.input(z.object({ all: z.boolean() })).output(z.array(alertSchema)),
  resolve: oc.input(z.object({ id: z.string().min(1).max(64), resolution: z.string().trim().min(1).max(1000) })),
  /** Answers an alert about a skill and settles it. */
  act: oc.input(z.object({ id: z.string().min(1).max(64), action: alertActionSchema })).output(alertSchema),
};
