import { eventIterator, oc } from "@orpc/contract";
import { z } from "zod";
import { skillDetailSchema } from "../skills/routes.ts";
import { draftSchema, passReportSchema, showingSchema, shownActionSchema } from "./schema.ts";

const byId = z.object({ id: z.string().min(1).max(64) });

/** "showing-started" comes first and once; the stream ends when the recording does, whoever ended it. */
export const showingEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("showing-started"), showing: showingSchema }),
  z.object({ type: z.literal("action-shown"), action: shownActionSchema }),
]);
export type ShowingEvent = z.infer<typeof showingEventSchema>;

export const learningRoutes = {
  /** Without `apply` a dry run: the report says what would be learned. */
  induce: oc.input(z.object({ apply: z.boolean() })).output(passReportSchema),
  reports: oc.output(z.array(passReportSchema)),
  /** Leaving the stream early does not end the recording: finish or drop it. */
  startShowing: oc
    .input(
      z.object({
        goal: z.string().trim().min(1, "say what the showing is for").max(2000),
        url: z.url({ protocol: /^https?$/u, error: "expected an address that starts with http:// or https://" }),
      }),
    )
    .output(eventIterator(showingEventSchema)),
  finishShowing: oc.input(byId).output(draftSchema),
  /** With `skill` the draft becomes the next revision of that skill, and it is switched on; else a new skill, called `name` where one is given. */
  confirmShowing: oc
    .input(byId.extend({ name: z.string().trim().min(1).max(200).optional(), skill: z.string().trim().min(1).max(200).optional() }))
    .output(skillDetailSchema),
  dropShowing: oc.input(byId),
  /**
   * The draft of a skill from the newest task of a conversation that went well, to be confirmed or dropped as one that was shown. `worked` is the user's
   * word, said now, that its newest task went well.
   */
  learnFrom: oc.input(z.object({ conversation: z.string().min(1).max(64), worked: z.boolean().exactOptional() })).output(draftSchema),
  showings: oc.output(z.array(showingSchema)),
};
