import { oc } from "@orpc/contract";
import { z } from "zod";
import { erasureSchema } from "../conversations/erasure.ts";
import { factChangeSchema, factDetailSchema, factLabelSchema, factSchema, importedFactSchema, keptFactSchema } from "./schema.ts";

/** An id, the beginning or end of one, or what a fact says. */
const which = z.string().trim().min(1).max(500);

export const memoryRoutes = {
  list: oc.output(z.array(factSchema)),
  show: oc.input(z.object({ id: which })).output(factDetailSchema),
  add: oc.input(z.object({ text: z.string().trim().min(1, "the fact is empty").max(4000), label: factLabelSchema.exactOptional() })).output(keptFactSchema),
  edit: oc.input(z.object({ id: which, change: factChangeSchema })).output(factSchema),
  /** Takes it out at once, and erases it for good at `erasedAt`; until then it can be taken back. */
  letGo: oc.input(z.object({ id: which })).output(z.object({ fact: factSchema, erasedAt: z.number() })),
  takeBack: oc.input(z.object({ id: z.string().min(1).max(64) })).output(factSchema),
  /** Erases it for good at once; with `backups` from the copies of the store as well. */
  forget: oc.input(z.object({ id: which, backups: z.boolean().exactOptional() })).output(erasureSchema),
  /** A file that another Knack takes in. */
  export: oc.output(z.string()),
  /** Such a file, or a plain text with one fact on each line. */
  import: oc.input(z.object({ text: z.string().max(2_000_000) })).output(z.array(importedFactSchema)),
};
