import { z } from "zod";

export const alertSchema = z.object({
  id: z.string(),
  kind: z.enum(["drift", "refused", "damage", "proposal", "notice"]),
  title: z.string(),
  detail: z.string(),
  skillId: z.string().nullable(),
  /** The proposed revision this is about; null for other alerts. */
  proposalId: z.string().nullable(),
  createdAt: z.number(),
  resolvedAt: z.number().nullable(),
  resolution: z.string().nullable(),
});
export type Alert = z.infer<typeof alertSchema>;
