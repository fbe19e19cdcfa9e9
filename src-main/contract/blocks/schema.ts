import { z } from "zod";

/** In descending authority. Platform and operating are authored and stand verbatim; profile and session are learned and stand as untrusted data. */
export const blockTierSchema = z.enum(["platform", "operating", "profile", "session"]);
export type BlockTier = z.infer<typeof blockTierSchema>;

/** L1 is evaluated once and stays; L2 stands in the newest turn. L0 is the kernel's alone. */
export const blockLayerSchema = z.enum(["L1", "L2"]);
export type BlockLayer = z.infer<typeof blockLayerSchema>;

/** Both are the user's: to read a block, and to write its text anew. Nothing else can be permitted. */
export const blockPermissionSchema = z.enum(["read", "edit"]);
export type BlockPermission = z.infer<typeof blockPermissionSchema>;

/** What a turn does when a source cannot be read; `last_known_good` is what this process read last, and `fail_closed` where it never read any. */
export const failurePolicySchema = z.enum(["fail_closed", "omit", "last_known_good"]);
export type FailurePolicy = z.infer<typeof failurePolicySchema>;

export const blockSourceKindSchema = z.enum(["static", "file", "computed", "memory"]);
export type BlockSourceKind = z.infer<typeof blockSourceKindSchema>;

/** `empty`: there is nothing to say. `gated`: its condition does not hold. `omitted`: its source failed and it is left out. `failed`: turns fail until it is mended. */
export const blockStateSchema = z.enum(["rendered", "empty", "gated", "omitted", "failed"]);
export type BlockState = z.infer<typeof blockStateSchema>;

/** Facts that are not in the text: over 200 of them, or over 500 characters. */
export const droppedFactsSchema = z.object({ tooMany: z.number().int(), tooLong: z.number().int() });
export type DroppedFacts = z.infer<typeof droppedFactsSchema>;

/** The blocks whose text is a file of the user's. */
export const editableBlockSchema = z.enum(["IDENTITY", "RULES"]);
export type EditableBlock = z.infer<typeof editableBlockSchema>;

/** Characters of a text that a person or a file gives; what is longer is refused whole, never cut. */
export const longestBlock = 2000;

/** What Knack asks a new user, and what their answer became. */
export const profileStateSchema = z.enum(["unknown", "known", "declined"]);

/** One block as the next turn has it. */
export const blockSchema = z.object({
  name: z.string(),
  tier: blockTierSchema,
  layer: blockLayerSchema,
  order: z.number().int(),
  source: blockSourceKindSchema,
  /** The file of a file source; null for others. */
  file: z.string().nullable(),
  permissions: z.array(blockPermissionSchema),
  /** Whether an agent that this one starts is given it. */
  inherit: z.boolean(),
  onSourceFailure: failurePolicySchema,
  state: blockStateSchema,
  /** Why it failed, was omitted or stands as it was read before; null otherwise. */
  problem: z.string().nullable(),
  /** Of its source; null where it was not read. */
  revision: z.string().nullable(),
  /** UTF-8 bytes of `text`. */
  bytes: z.number().int(),
  /** Counted by the model that is loaded; null while none is. */
  tokens: z.number().int().nullable(),
  dropped: droppedFactsSchema,
  /** As it stands in the prompt; "" where it does not. */
  text: z.string(),
  /** Of an editable block: what its file says, or the text used in its place; null for others, and where the file cannot be read. */
  written: z.string().nullable(),
  /** Whether there is a file of the user's. */
  isOwn: z.boolean(),
});
export type Block = z.infer<typeof blockSchema>;

export const standingContextSchema = z.object({
  /** In the order of the prompt. */
  blocks: z.array(blockSchema),
  profile: z.object({ name: profileStateSchema, location: profileStateSchema, role: profileStateSchema }),
  /** Bytes and tokens of everything ahead of the conversation: kernel, blocks, enforced rules and texts of packs. */
  prefix: z.object({ bytes: z.number().int(), tokens: z.number().int().nullable() }),
});
export type StandingContext = z.infer<typeof standingContextSchema>;
