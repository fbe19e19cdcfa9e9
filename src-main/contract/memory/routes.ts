import { oc } from "@orpc/contract";
import { z } from "zod";
import { factSchema } from "./schema.ts";

export const memoryRoutes = {
  list: oc.output(z.array(factSchema)),
  add: oc.input(z.object({ text: z.string().trim().min(1, "the fact is empty").max(4000) })).output(factSchema),
  forget: oc.input(z.object({ id: z.string().min(1).max(64) })),
};
