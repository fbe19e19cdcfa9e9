import { z } from "zod";

/** Where an element is on a page, by what a person sees. `within` is text of its row or section that tells equal names apart. May hold {{input}} placeholders in a skill. */
export const targetSchema = z.object({ role: z.string().min(1), name: z.string(), within: z.string().optional() });
export type Target = z.infer<typeof targetSchema>;

export const valueKindSchema = z.enum(["text", "number", "amount", "date", "month", "time", "email", "id", "site"]);
export type ValueKind = z.infer<typeof valueKindSchema>;

export const inputSchema = z.object({
  type: z.literal("string"),
  kind: valueKindSchema,
  description: z.string(),
  examples: z.array(z.string()),
  /** The values there are to choose from, where the page showed them (options of a list, radio buttons). */
  choices: z.array(z.string()).optional(),
  /** Used when the goal names no other value; an input with a default is never asked for (SHO-10). */
  default: z.string().optional(),
});
export type SkillInput = z.infer<typeof inputSchema>;

/** A flat JSON Schema object. */
export const inputsSchema = z.object({
  type: z.literal("object"),
  properties: z.record(z.string(), inputSchema),
  required: z.array(z.string()),
});
export type SkillInputs = z.infer<typeof inputsSchema>;

/** What must be observed after a step. Text fields may hold placeholders; `*` in url and file names stands for any run without "/". */
export const checkSchema = z.union([
  z.object({
    page: z.object({
      heading: z.string().optional(),
      url: z.string().optional(),
      text: z.string().optional(),
      absent: z.string().optional(),
    }),
  }),
  z.object({ file: z.object({ exists: z.string(), contains: z.string().optional() }) }),
  z.object({ result: z.object({ equals: z.string().optional(), matches: z.string().optional() }) }),
  z.object({ prose: z.string() }),
]);
export type Check = z.infer<typeof checkSchema>;

export const callSchema = z.object({ tool: z.string(), args: z.record(z.string(), z.unknown()) });
export type Call = z.infer<typeof callSchema>;

export const skillStepSchema = z.object({
  do: z.string(),
  call: callSchema.optional(),
  check: checkSchema.optional(),
  /** The call is repeated, any number of times from none, until the target of the next step is in sight. */
  repeatUntilNext: z.boolean().optional(),
  onFail: z.string(),
});
export type SkillStep = z.infer<typeof skillStepSchema>;

export const statePredicateSchema = z.object({
  state: z.object({ path: z.string(), op: z.string(), value: z.unknown().optional() }),
});
export type StatePredicate = z.infer<typeof statePredicateSchema>;
export const preconditionSchema = z.union([z.string(), statePredicateSchema]);
export type Precondition = z.infer<typeof preconditionSchema>;

export const capabilitiesSchema = z.object({
  primitives: z.array(z.string()),
  vault: z.array(z.string()),
  /** Origins, e.g. "https://portal.example". */
  destinations: z.array(z.string()),
});
export type Capabilities = z.infer<typeof capabilitiesSchema>;

export const skillStatusSchema = z.enum(["provisional", "active", "disabled", "retired"]);
export type SkillStatus = z.infer<typeof skillStatusSchema>;

/** `human:<name>`, `agent:inline`, `agent:synthesis`, `agent:dreaming`, `authored:<pack>` or `imported`. */
export const authorSchema = z.string().regex(/^(?:human:.+|agent:(?:inline|synthesis|dreaming)|authored:[a-z0-9][a-z0-9-]*|imported)$/u);

/** One earlier goal with the inputs it was bound to. */
export const bindingExampleSchema = z.object({ goal: z.string(), inputs: z.record(z.string(), z.string()) });
export type BindingExample = z.infer<typeof bindingExampleSchema>;

/** What a revision says; immutable once stored (SPEC 3). */
export const revisionContentSchema = z.object({
  summary: z.string().max(200),
  whenToUse: z.string(),
  goal: z.string(),
  /** Other ways to ask for it; recall compares a goal with each of them, best one counts. */
  phrasings: z.array(z.string()),
  inputs: inputsSchema,
  /** Goal → inputs pairs this revision was made from; examples for binding. */
  bindings: z.array(bindingExampleSchema),
  preconditions: z.array(preconditionSchema),
  antiPreconditions: z.array(z.string()),
  steps: z.array(skillStepSchema),
  edgeCases: z.array(z.string()),
  toolsRequired: z.array(z.string()),
  capabilities: capabilitiesSchema,
});
export type RevisionContent = z.infer<typeof revisionContentSchema>;

export const revisionSchema = revisionContentSchema.extend({
  skillId: z.string(),
  number: z.number().int().positive(),
  body: z.string(),
  author: authorSchema,
  /** Episode ids; checked when written, no foreign keys. */
  evidence: z.array(z.string()),
  createdAt: z.number(),
  contentHash: z.string(),
  /** When its text was taken out, because the user erased what it was learned from. */
  emptiedAt: z.number().optional(),
});
export type Revision = z.infer<typeof revisionSchema>;

export const skillSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: skillStatusSchema,
  activeRevision: z.number().int().positive(),
  pinned: z.boolean(),
  /** How it is followed unless a turn says otherwise; a person chooses "assisted" once it is trusted. */
  mode: z.enum(["advisory", "assisted"]),
  supersededBy: z.string().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type Skill = z.infer<typeof skillSchema>;

/** How a skill in charge is followed (SPEC 3.7). */
export const modeSchema = z.enum(["advisory", "assisted", "strict"]);
export type Mode = z.infer<typeof modeSchema>;

export const runOutcomeSchema = z.enum(["success", "claimed_success", "failure", "abandoned", "left"]);
export const runSchema = z.object({
  id: z.string(),
  skillId: z.string(),
  revision: z.number(),
  episodeId: z.string(),
  turnId: z.string(),
  mode: modeSchema,
  inputs: z.record(z.string(), z.string()),
  outcome: runOutcomeSchema.nullable(),
  /** When it failed: "Step 3: expected heading 'Billing', saw 'Sign in'". */
  finding: z.string().nullable(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
});
export type Run = z.infer<typeof runSchema>;

export const ledgerEntrySchema = z.object({
  id: z.string(),
  skillId: z.string(),
  action: z.string(),
  actor: z.string(),
  reason: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Numbers of the revisions in use before and after; hashes alone do not tell two of equal content apart. */
  beforeRevision: z.number().int().positive().optional(),
  afterRevision: z.number().int().positive().optional(),
  /** Id of the entry that this one takes back. */
  undoes: z.string().optional(),
  at: z.number(),
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

/** A revision that waits for a person's yes; nothing changes until it is accepted. */
export const proposalSchema = z.object({
  id: z.string(),
  skillId: z.string(),
  /** Revision it changes. */
  base: z.number().int().positive(),
  /** Who made it; the revision that comes of it is theirs. */
  author: authorSchema,
  content: revisionContentSchema,
  /** Unified diff of the bodies. */
  diff: z.string(),
  /** What it rests on, in a sentence. */
  reason: z.string(),
  /** Episode ids. */
  evidence: z.array(z.string()),
  /** "withdrawn": what it rests on was judged wrong, or taken back. */
  status: z.enum(["open", "accepted", "declined", "withdrawn"]),
  createdAt: z.number(),
  decidedAt: z.number().nullable(),
});
export type Proposal = z.infer<typeof proposalSchema>;

/** One thing wrong with a file, in one line for a person. "error": something could not be read and is left out. */
export const diagnosticSchema = z.object({ code: z.string(), severity: z.enum(["error", "warning", "note"]), message: z.string() });
export type Diagnostic = z.infer<typeof diagnosticSchema>;

/** The SKILL.md a revision was read from, kept with what was wrong with it and what in it is not ours. */
export const skillFileSchema = z.object({
  skillId: z.string(),
  revision: z.number().int().positive(),
  /** "<pack>/<folder>/SKILL.md", or the path as it was imported. */
  path: z.string(),
  /** SHA-256 of its text, in hexadecimal. */
  digest: z.string(),
  /** Keys that are not ours, as text; an export gives them back under `metadata`. */
  extra: z.record(z.string(), z.string()),
  diagnostics: z.array(diagnosticSchema).readonly(),
});
export type SkillFile = z.infer<typeof skillFileSchema>;

/** A file as a person hands it over. */
export const fileTextSchema = z.object({
  /** Relative, "/" separated; its last folder is compared with the skill's name. */
  path: z.string().min(1, "the file has no name").max(1024),
  text: z.string().max(10_000_000, "a file of more than 10 million characters"),
});
export type FileText = z.infer<typeof fileTextSchema>;

/** What became of one imported file. `name` is the skill's, null where none could be read. */
export const importResultSchema = z.object({
  path: z.string(),
  outcome: z.enum(["imported", "unchanged", "refused"]),
  name: z.string().nullable(),
  skillId: z.string().nullable(),
  reason: z.string(),
  diagnostics: z.array(diagnosticSchema).readonly(),
});
export type ImportResult = z.infer<typeof importResultSchema>;

/** Whether a file follows every rule of Agent Skills, also the strict ones; each broken one is an "error". */
export const fileCheckSchema = z.object({
  path: z.string(),
  name: z.string().nullable(),
  valid: z.boolean(),
  diagnostics: z.array(diagnosticSchema).readonly(),
});
export type FileCheck = z.infer<typeof fileCheckSchema>;

/** A skill as a file; it belongs in a folder of the skill's name. */
export const exportedSkillSchema = z.object({ name: z.string(), fileName: z.string(), text: z.string() });
export type ExportedSkill = z.infer<typeof exportedSkillSchema>;

export const contributionPositionSchema = z.enum(["cached", "volatile", "kernel"]);
export type ContributionPosition = z.infer<typeof contributionPositionSchema>;

/** A pack of the data folder with what was found in each of its files. */
export const packSchema = z.object({
  name: z.string(),
  files: z
    .array(
      z.object({
        path: z.string(),
        /** Name of the skill it holds, position of its contribution, or neither: then the diagnostics say why. */
        skill: z.string().nullable(),
        position: contributionPositionSchema.nullable(),
        diagnostics: z.array(diagnosticSchema).readonly(),
      }),
    )
    .readonly(),
});
export type Pack = z.infer<typeof packSchema>;
export type PackFile = Pack["files"][number];

export const trustSchema = z.object({
  trust: z.number(),
  /** Those that were judged. */
  runs: z.number(),
  successes: z.number(),
  /** Runs besides that nobody judged, or that say nothing about the skill; left out where there are none. */
  unjudged: z.number().int().positive().exactOptional(),
  band: z.enum(["offered", "caveat", "retired"]),
  caveat: z.string().nullable(),
});
export type Trust = z.infer<typeof trustSchema>;

/** The record of one revision: each has its own (SPEC 3.5). */
export const recordSchema = trustSchema.extend({ revision: z.number() });
export type RevisionRecord = z.infer<typeof recordSchema>;

/** One skill as a list shows it. */
export const skillSummarySchema = skillSchema.extend({
  summary: z.string(),
  whenToUse: z.string(),
  author: z.string(),
  revisions: z.number(),
  fullyMechanical: z.boolean(),
  trust: trustSchema,
  lastUsedAt: z.number().nullable(),
});
export type SkillSummary = z.infer<typeof skillSummarySchema>;

/** What took a candidate out: its record, one of the checks that code decides, or a condition in words that the model was asked about. */
export const recallCheckSchema = z.enum(["record", "site", "state", "opposite", "declined", "tool", "file", "grant", "condition"]);
export type RecallCheck = z.infer<typeof recallCheckSchema>;

/** A condition in words as it was judged: `probability` of "yes" as it was read, null where it could not be; `holds` null means unknown. */
export const judgedConditionSchema = z.object({
  kind: z.enum(["precondition", "anti-precondition"]),
  text: z.string(),
  probability: z.number().nullable(),
  holds: z.boolean().nullable(),
});
export type JudgedCondition = z.infer<typeof judgedConditionSchema>;

/** One skill that was looked at, through the three stages of SPEC 3.6. */
export const recallCandidateSchema = z.object({
  name: z.string(),
  /** The similarity, and what the form of the goal adds or takes. */
  score: z.number(),
  /** Cosines to the nearest phrasing and to all of them together, in equal parts. */
  similarity: z.number(),
  phrasing: z.string(),
  /** Place by similarity and by shared words, from 1; null where it was not among those searched. */
  vectorRank: z.number().nullable(),
  lexicalRank: z.number().nullable(),
  /** Both places fused by reciprocal rank. */
  fused: z.number(),
  eliminated: z.string().nullable(),
  eliminatedBy: recallCheckSchema.nullable(),
  /** Only those that were asked about. */
  conditions: z.array(judgedConditionSchema),
});
export type RecallCandidate = z.infer<typeof recallCandidateSchema>;

/** Why a skill was or was not recalled (SPEC 3.6); one object for page and CLI. */
export const recallSchema = z.object({
  /** "withheld": it would have been used, and the control chose to do without. */
  verdict: z.enum(["nothing-learned", "below-threshold", "blocked", "suggested", "matched", "withheld"]),
  goal: z.string(),
  skillId: z.string().nullable(),
  skillName: z.string().nullable(),
  revision: z.number().nullable(),
  score: z.number().nullable(),
  /** What the thresholds are compared with: the score, and more the further the runner-up is behind. */
  certainty: z.number().nullable(),
  useThreshold: z.number(),
  suggestThreshold: z.number(),
  runnerUp: z.object({ name: z.string(), score: z.number() }).nullable(),
  blockedBy: z.string().nullable(),
  /** At most five, the best first. */
  candidates: z.array(recallCandidateSchema),
  embedder: z.string(),
  /** What its vectors are kept under. */
  embedderKey: z.string(),
  calibrated: z.boolean(),
  why: z.string(),
  /** Only where a skill would have been used while the control was on: the share it withheld, and whether it did so here. */
  control: z.object({ share: z.number(), isWithheld: z.boolean() }).optional(),
});
export type Recall = z.infer<typeof recallSchema>;
