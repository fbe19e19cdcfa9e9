import { z } from "zod";

export const alertSchema = z.object({
  id: z.string(),
  kind: z.enum(["drift", "refused", "damage", "proposal", "notice"]),
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

/** What a person may do about a skill that switched itself off; looking at it changes nothing and is no action (SPEC 3.5). */
export const alertActionSchema = z.enum(["revert", "learn-again", "keep-off"]);
export type AlertAction = z.infer<typeof alertActionSchema>;
