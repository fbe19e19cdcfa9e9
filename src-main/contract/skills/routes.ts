import { oc } from "@orpc/contract";
import { z } from "zod";
import { erasureSchema } from "../conversations/erasure.ts";
import { evidenceSchema } from "./explain.ts";
import { liftSchema } from "./lift.ts";
import {
  exportedSkillSchema,
  fileCheckSchema,
  fileTextSchema,
  importResultSchema,
  ledgerEntrySchema,
  packSchema,
  proposalSchema,
  recallSchema,
  recordSchema,
  revisionSchema,
  runSchema,
  skillFileSchema,
  skillSchema,
  skillStatusSchema,
  skillSummarySchema,
} from "./schema.ts";

const name = z.string().trim().min(1, "the skill's name is empty").max(200);
const files = z.object({ files: z.array(fileTextSchema).min(1, "no file was given").max(5000) });
const number = z.number().int().positive();

export const skillDetailSchema = z.object({
  skill: skillSummarySchema,
  revision: revisionSchema,
  revisions: z.array(revisionSchema).readonly(),
  runs: z.array(runSchema).readonly(),
  /** How each revision did, oldest first. */
  records: z.array(recordSchema).readonly(),
  ledger: z.array(ledgerEntrySchema).readonly(),
  /** Where it was learned: dangling evidence has no conversation. */
  evidence: z.array(evidenceSchema.readonly()).readonly(),
  /** The file the revision was read from, with what was wrong with it; null for one that was learned, shown or written here. */
  file: skillFileSchema.nullable(),
});
export type SkillDetail = z.infer<typeof skillDetailSchema>;

export const skillRoutes = {
  /** `all` includes disabled and retired ones. */
  list: oc.input(z.object({ all: z.boolean() })).output(z.array(skillSummarySchema)),
  get: oc.input(z.object({ name, revision: number.optional() })).output(skillDetailSchema),
  /** Unified diff of two revisions' bodies. */
  diff: oc.input(z.object({ name, a: number, b: number })).output(z.string()),
  revert: oc.input(z.object({ name, revision: number })).output(skillDetailSchema),
  /** "active" enables, "disabled" switches off, "retired" removes. */
  setStatus: oc.input(z.object({ name, status: skillStatusSchema, reason: z.string().max(1000) })).output(skillDetailSchema),
  /** Retires a skill because another one does the same; nothing of the two is united. */
  supersede: oc.input(z.object({ name, by: name })).output(skillDetailSchema),
  /** A pinned skill is never suggested for archiving. */
  setPinned: oc.input(z.object({ name, pinned: z.boolean() })).output(skillDetailSchema),
  /** "assisted" needs trust of 0.7 or more. */
  setMode: oc.input(z.object({ name, mode: skillSchema.shape.mode })).output(skillDetailSchema),
  /** Takes back one entry of the ledger; refused where something later rests on it. */
  undo: oc.input(z.object({ entryId: z.string().min(1).max(64) })).output(skillDetailSchema),
  /** Open proposals; `all` includes decided ones. */
  proposals: oc.input(z.object({ all: z.boolean(), name: name.optional() })).output(z.array(proposalSchema)),
  acceptProposal: oc.input(z.object({ id: z.string().min(1).max(64) })).output(skillDetailSchema),
  declineProposal: oc.input(z.object({ id: z.string().min(1).max(64) })),
  erase: oc.input(z.object({ name, backups: z.boolean().optional() })).output(erasureSchema),
  /** What skills were worth by the control: one, or all together. */
  lift: oc.input(z.object({ name: name.optional() })).output(liftSchema),
  /** Lands disabled; one result per file, in the order given. */
  import: oc.input(files).output(z.array(importResultSchema)),
  export: oc.input(z.object({ name })).output(exportedSkillSchema),
  /** Stores nothing. */
  validate: oc.input(files).output(z.array(fileCheckSchema)),
  /** Looks at the packs' folders first. */
  packs: oc.output(z.array(packSchema)),
  match: oc.input(z.object({ goal: z.string().trim().min(1, "the goal is empty").max(20_000) })).output(recallSchema),
};
