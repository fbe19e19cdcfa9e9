import { z } from "zod";

export const alertSchema = z.object({
  id: z.string(),
  kind: z.enum(["drift", "refused", "damage", "proposal", "review", "notice"]),
  title: z.string(),
  detail: z.string(),
  skillId: z.string().nullable(),
  /** The proposed revision this is about; null for other alerts. */
  proposalId: z.string().nullable(),
  /** A drift alert: the revision there is to go back to, the last one that worked, else the one before; null where there is none, and for other alerts. */
  revertTo: z.number().int().positive().nullable(),
  createdAt: z.number(),
  resolvedAt: z.number().nullable(),
  resolution: z.string().nullable(),
});
export type Alert = z.infer<typeof alertSchema>;

/**
 * What a person may do: about a skill that switched itself off (SPEC 3.5), or about what waits for their yes, a proposed change or a skill that was
 * learned: take it or decline it. Looking at it changes nothing and is no action.
 */
export const alertActionSchema = z.enum(["revert", "learn-again", "keep-off", "accept", "decline"]);
export type AlertAction = z.infer<typeof alertActionSchema>;
