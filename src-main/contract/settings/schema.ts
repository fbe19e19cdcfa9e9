import { z } from "zod";

/**
 * The layers that enforce what must come before what (SPEC 3.3), each by itself: tools that rules name are offered (router), the gate before a
 * tool runs, the rules as imperatives in L1, texts of packs, code rules, and a grammar in which what may not run yet cannot be written.
 */
export const enforcementSchema = z.object({
  router: z.boolean().default(true),
  gate: z.boolean().default(true),
  imperative: z.boolean().default(true),
  contributions: z.boolean().default(true),
  objectors: z.boolean().default(true),
  grammar: z.boolean().default(true),
});
export type Enforcement = z.infer<typeof enforcementSchema>;

/** The user's switches. Unknown keys are kept and reported. */
export const settingsSchema = z.object({
  memory: z.boolean().default(true),
  learning: z.boolean().default(true),
  /** Learning passes in the background also while the machine is on battery, above a level. */
  learnOnBattery: z.boolean().default(false),
  chatModel: z.string().nullable().default(null),
  embeddingModel: z.string().nullable().default(null),
  theme: z.enum(["light", "dark", "system"]).default("system"),
  reviewBeforeActive: z.boolean().default(false),
  /** A revision by the agent that declares more than the one before it, or more than is granted, waits for a yes. */
  reviewExpansion: z.boolean().default(false),
  askBeforeSubmit: z.boolean().default(false),
  askBeforeDownload: z.boolean().default(false),
  askBeforeWrite: z.boolean().default(false),
  /** Seconds a program may take before it is stopped with all it started. */
  programSeconds: z.number().int().min(1).max(3600, "at most 3600 seconds, an hour").default(60),
  /** Before Knack signs in with a login of the vault. */
  loginApproval: z.boolean().default(false),
  /** Days after which a conversation nobody used is let go of; null keeps all. */
  keepDays: z.number().int().min(1).max(36_500).nullable().default(null),
  /** Days after which it is let go of what anything talked to. */
  activityDays: z.number().int().min(1).max(3650).default(30),
  /** Share of the turns a skill would be used in that go without it, to measure what it is worth (SPEC 4, "A control"). */
  control: z.number().min(0).max(0.5, "at most half of the turns can go without a skill").default(0),
  /** Minutes without use after which the chat model leaves the memory; null keeps it there. */
  idleUnloadMinutes: z.number().int().min(1).max(1440).nullable().default(10),
  /** Megabytes of the disk for saved states of prompts, so that a conversation goes on without being read again; 0 keeps none. */
  stateMegabytes: z.number().int().min(0).max(1_000_000).default(2000),
  /** Minutes without a use after which the vault locks itself. */
  vaultIdleMinutes: z.number().int().min(1).max(720, "at most 720 minutes, half a day").default(10),
  /** The desktop tells of answers, questions and alerts while its window is not looked at. */
  notifications: z.boolean().default(true),
  /** Closing the window leaves the app in the tray. */
  staysInTray: z.boolean().default(false),
  enforcement: enforcementSchema.prefault({}),
});
export type Settings = z.infer<typeof settingsSchema>;
