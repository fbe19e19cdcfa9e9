import { oc } from "@orpc/contract";
import { z } from "zod";
import { grantLimitsSchema, grantSchema } from "./schema.ts";

export const grantRoutes = {
  list: oc.output(z.array(grantSchema)),
  /** `what` is a URL or host, a primitive's name, or a folder. */
  add: oc.input(z.object({ what: z.string().trim().min(1, "say what is granted").max(4000), limits: grantLimitsSchema.exactOptional() })).output(grantSchema),
  revoke: oc.input(z.object({ id: z.string().min(1).max(64) })),
};
