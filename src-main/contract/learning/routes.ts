import { eventIterator, oc } from "@orpc/contract";
import { z } from "zod";
import { skillDetailSchema } from "../skills/routes.ts";
import { draftEditsSchema } from "./draft-edit.ts";
import { draftSchema, passReportSchema, showingSchema, shownActionSchema } from "./schema.ts";

const byId = z.object({ id: z.string().min(1).max(64) });
const skillName = z.string().trim().min(1, "the skill's name is empty").max(200);

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
  /** Opens the window where a skill stopped working: the steps before that are carried out. Without `step` it is the one that last failed. */
  startRepair: oc
    .input(z.object({ skill: skillName, goal: z.string().trim().min(1).max(2000).optional(), step: z.number().int().min(1).max(1000).optional() }))
    .output(eventIterator(showingEventSchema)),
  /** With `together` the draft is what all showings and good runs of that skill have in common, null makes it one of its own again; `asBefore` false says that a repair was shown to its end. */
  finishShowing: oc.input(byId.extend({ together: skillName.nullable().optional(), asBefore: z.boolean().optional() })).output(draftSchema),
  /** All edits of the draft, in order; an empty list is the draft as it was shown. Kept with the showing. */
  editDraft: oc.input(byId.extend({ edits: draftEditsSchema })).output(draftSchema),
  /** With `skill` the draft becomes the next revision of that skill, and it is switched on; else a new skill, called `name` where one is given. */
  confirmShowing: oc.input(byId.extend({ name: z.string().trim().min(1).max(200).optional(), skill: skillName.optional() })).output(skillDetailSchema),
  dropShowing: oc.input(byId),
  /**
   * The draft of a skill from the newest task of a conversation that went well, to be confirmed or dropped as one that was shown. `worked` is the user's
   * word, said now, that its newest task went well.
   */
  learnFrom: oc.input(z.object({ conversation: z.string().min(1).max(64), worked: z.boolean().exactOptional() })).output(draftSchema),
  showings: oc.output(z.array(showingSchema)),
};
