import { oc } from "@orpc/contract";
import { z } from "zod";
import { standingApprovalSchema } from "./schema.ts";

export const approvalRoutes = {
  /** Those that hold in every conversation and those of one, oldest first. */
  list: oc.output(z.array(standingApprovalSchema)),
  /** From the next call on it is asked again. */
  revoke: oc.input(z.object({ id: z.string().min(1).max(64) })),
};
