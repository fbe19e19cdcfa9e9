import { z } from "zod";
import { revisionContentSchema, valueKindSchema } from "../skills/schema.ts";

const step = z.number().int().min(1, "steps are counted from 1").max(1000);
const said = (what: string, most: number) => z.string().trim().min(1, `${what} is empty`).max(most, `${what} has more than ${most} characters`);
/** What a value is called inside {{ }}. */
export const inputNameSchema = z
  .string()
  .trim()
  .regex(/^[a-z][a-z0-9_-]{0,39}$/u, "an input's name is 1 to 40 lower-case letters, digits and hyphens and starts with a letter");

/** Where in a step a text stands: the control's name, the row it is in, what is typed or chosen, the address that is opened. */
export const placeSchema = z.enum(["name", "within", "value", "url"]);
export type DraftPlace = z.infer<typeof placeSchema>;

/**
 * One change of a draft before it is kept. Steps are counted from 1 in the draft as the edits before this one left it, so a list of edits is read from
 * the first to the last.
 */
export const draftEditSchema = z.discriminatedUnion("edit", [
  z.object({ edit: z.literal("say-step"), step, do: said("what the step says", 1000) }),
  z.object({ edit: z.literal("drop-step"), step }),
  /** Has every place of the input say the value that was shown. */
  z.object({ edit: z.literal("fix-input"), input: inputNameSchema }),
  /** Makes a constant an input. `text` is the part of what stands in that place which is the value; the whole where it is left out. */
  z.object({
    edit: z.literal("open-value"),
    step,
    place: placeSchema,
    text: said("the value", 2000).optional(),
    name: inputNameSchema,
    kind: valueKindSchema,
  }),
  z.object({ edit: z.literal("rename-input"), input: inputNameSchema, name: inputNameSchema }),
  /** A default makes an input optional; null makes it required. */
  z.object({ edit: z.literal("set-default"), input: inputNameSchema, default: said("the default", 2000).nullable() }),
  /** Looks for a part of the page after the step; null takes that part out of what is looked for. */
  z.object({ edit: z.literal("look-for"), step, part: z.enum(["heading", "url", "text"]), value: said("what is looked for", 2000).nullable() }),
  /** Leaves the step to judgement. */
  z.object({ edit: z.literal("drop-check"), step }),
  /** Fills the secret of this step in from the vault. */
  z.object({
    edit: z.literal("choose-entry"),
    step,
    entry: z
      .string()
      .trim()
      .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._@:/-]{0,99}$/u, "the name of a vault entry is 1 to 100 letters, digits and . _ @ : / -"),
  }),
  /** The draft as a person wrote it in a file. */
  z.object({ edit: z.literal("rewrite"), name: z.string().min(1).max(64), content: revisionContentSchema }),
]);
export type DraftEdit = z.infer<typeof draftEditSchema>;

/** More than anybody makes by hand. */
export const mostEdits = 500;
export const draftEditsSchema = z.array(draftEditSchema).max(mostEdits, `a draft takes at most ${mostEdits} edits`);
