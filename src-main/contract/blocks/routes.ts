import { oc } from "@orpc/contract";
import { z } from "zod";
import { stripInvisible } from "#base/invisible.ts";
import { profileFieldSchema } from "../memory/schema.ts";
import { editableBlockSchema, longestBlock, standingContextSchema } from "./schema.ts";

const named = z.object({ name: editableBlockSchema });
const field = z.object({ field: profileFieldSchema });
const text = z
  .string()
  .refine((value) => stripInvisible(value).trim() !== "", "the text is empty; to go back to what Knack comes with, reset the block")
  .refine((value) => value.length <= longestBlock, `the text has more than ${longestBlock} characters; it stands in every prompt, so shorten it`);

/** Every change answers with what the next turn has. */
export const blockRoutes = {
  list: oc.output(standingContextSchema),
  set: oc.input(named.extend({ text })).output(standingContextSchema),
  /** Takes the user's file away: back to what Knack comes with. */
  reset: oc.input(named).output(standingContextSchema),
  /** The user would rather not say it. */
  decline: oc.input(field).output(standingContextSchema),
  /** It may be asked for again. */
  askAgain: oc.input(field).output(standingContextSchema),
};
