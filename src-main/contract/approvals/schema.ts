import { z } from "zod";

/** For how long a yes holds: this one call, every call of its family in this conversation, or every one until it is taken back. */
export const approvalScopeSchema = z.enum(["once", "conversation", "always"]);
export type ApprovalScope = z.infer<typeof approvalScopeSchema>;

/** A yes that holds on. It covers exactly the calls of its family, which `words` describes to a person. */
export const standingApprovalSchema = z.object({
  id: z.string(),
  family: z.string(),
  words: z.string(),
  /** Null where it holds in every conversation. */
  conversationId: z.string().nullable(),
  createdAt: z.number(),
  lastUsedAt: z.number().nullable(),
  by: z.string(),
});
export type StandingApproval = z.infer<typeof standingApprovalSchema>;
