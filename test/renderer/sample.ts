import type { Contact } from "#contract/activity/schema.ts";
import type { Alert } from "#contract/alerts/schema.ts";
import type { Block, StandingContext } from "#contract/blocks/schema.ts";
import type { Compaction } from "#contract/chat/context.ts";
import type { Conversation, Episode, Message, Step, Turn } from "#contract/chat/schema.ts";
import type { Erasure } from "#contract/conversations/erasure.ts";
import type { ConversationDetail, Folder, FoundMessage } from "#contract/conversations/routes.ts";
import type { Grant } from "#contract/grants/schema.ts";
import type { Draft, PassReport, Showing, ShownAction } from "#contract/learning/schema.ts";
import type { Fact } from "#contract/memory/schema.ts";
import type { ModelState, ModelUse } from "#contract/models/schema.ts";
import { type Settings, settingsSchema } from "#contract/settings/schema.ts";
import type { Explanation } from "#contract/skills/explain.ts";
import type { Lift } from "#contract/skills/lift.ts";
import type { SkillDetail } from "#contract/skills/routes.ts";
import type { ImportResult, Pack, Proposal, Recall, Revision, RevisionContent, SkillSummary } from "#contract/skills/schema.ts";
import type { Status } from "#contract/status/routes.ts";
import type { VaultAudit, VaultEntry, VaultStatus } from "#contract/vault/schema.ts";

/** What a host might hold after a week of use; tests and the preview start from it. */
export const NOW = Date.UTC(2026, 10, 29, 12, 0, 0);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const none = { evaluated: 0, reused: 0, generated: 0 };

export const recallMatched: Recall = {
  verdict: "matched",
  goal: "Download the May 2026 invoice from https://portal.example",
  skillId: "s1",
  skillName: "portal-invoice",
  revision: 2,
  score: 0.913,
  certainty: 0.988,
  useThreshold: 0.86,
  suggestThreshold: 0.78,
  runnerUp: { name: "library-renew", score: 0.412 },
  blockedBy: null,
  candidates: [
    {
      name: "portal-invoice",
      score: 0.913,
      similarity: 0.823,
      phrasing: "Download the April 2026 invoice",
      vectorRank: 1,
      lexicalRank: 1,
      fused: 2 / 61,
      eliminated: null,
      eliminatedBy: null,
      conditions: [{ kind: "precondition", text: "the user is a customer", probability: 0.93, holds: true }],
    },
    {
      name: "library-renew",
      score: 0.412,
      similarity: 0.402,
      phrasing: "Renew the loan of a book",
      vectorRank: 2,
      lexicalRank: null,
      fused: 1 / 62,
      eliminated: "the goal names portal.example, which this skill does not use",
      eliminatedBy: "site",
      conditions: [],
    },
  ],
  embedder: "nomic-embed-text-v1.5",
  embedderKey: "aa:F16:384:",
  calibrated: true,
  why: "Your goal is close to “Download the April 2026 invoice”, and all conditions hold.",
};

export const recallSuggested: Recall = {
  ...recallMatched,
  verdict: "suggested",
  score: 0.81,
  skillName: "visitor-permit",
  skillId: "s3",
  revision: 1,
  goal: "Get a parking permit for my guest",
  why: "Close to “Order a visitor permit”, but not close enough to use without asking.",
  candidates: [
    {
      name: "visitor-permit",
      score: 0.81,
      similarity: 0.77,
      phrasing: "Order a visitor permit",
      vectorRank: 1,
      lexicalRank: 2,
      fused: 1 / 61 + 1 / 62,
      eliminated: null,
      eliminatedBy: null,
      conditions: [],
    },
  ],
  runnerUp: null,
};

export const recallNothing: Recall = {
  ...recallMatched,
  verdict: "below-threshold",
  score: 0.512,
  skillId: null,
  skillName: null,
  revision: null,
  calibrated: false,
  embedder: "all-MiniLM-L6-v2",
  why: "The closest skill scores 0.512, below 0.780.",
};

export function conversation(id: string, title: string, age: number): Conversation {
  return { id, title, createdAt: NOW - age, updatedAt: NOW - age };
}

export function turn(id: string, conversationId: string, part: Partial<Turn> = {}): Turn {
  return {
    id,
    conversationId,
    episodeId: `e-${id}`,
    status: "done",
    skillId: null,
    revision: null,
    mode: null,
    recall: null,
    startedAt: NOW - 40 * MINUTE,
    endedAt: NOW - 40 * MINUTE + 18_400,
    tokens: { evaluated: 1204, reused: 3410, generated: 186 },
    ...part,
  };
}

export function message(turnId: string, conversationId: string, role: Message["role"], text: string, part: Partial<Message> = {}): Message {
  return { id: `${role}-${turnId}`, conversationId, turnId, role, text, status: "complete", createdAt: NOW - 40 * MINUTE, ...part };
}

export function step(id: string, turnId: string, index: number, tool: string, args: Record<string, unknown>, part: Partial<Step> = {}): Step {
  return {
    id,
    turnId,
    episodeId: `e-${turnId}`,
    index,
    tool,
    args,
    status: "ok",
    text: 'heading "Statements"\nlink "Download April 2026 invoice"\nlink "Download May 2026 invoice"',
    details: {},
    startedAt: NOW - 40 * MINUTE,
    durationMs: 1240,
    tokens: { evaluated: 212, reused: 1840, generated: 14 },
    ...part,
  };
}

export function episode(turnId: string, conversationId: string, part: Partial<Episode> = {}): Episode {
  return {
    id: `e-${turnId}`,
    conversationId,
    goal: "Download the May 2026 invoice",
    outcome: "claimed_success",
    reason: "the model says so",
    open: false,
    createdAt: NOW - 40 * MINUTE,
    closedAt: NOW - 39 * MINUTE,
    ...part,
  };
}

export const conversations: Conversation[] = [
  conversation("c1", "May invoice from the portal", 40 * MINUTE),
  conversation("c2", "Parking permit for a guest", 3 * 60 * MINUTE),
  conversation("c3", "Renew the library books that are due next week, all of them", DAY),
  conversation("c4", "Where is my parcel?", 4 * DAY),
  conversation("c9", "March invoice", 2 * DAY),
];

const answer = `The **May 2026 invoice** is downloaded: \`invoice-may-2026.pdf\`.

| Field | Value |
|---|---|
| Amount | 48.20 € |
| Due | 14 June 2026 |

It came from [the statements page](https://portal.example/billing/statements). ![pixel](https://tracker.example/p.png)`;

export const compaction: Compaction = {
  id: "k1",
  conversationId: "c1",
  throughTurnId: "t0",
  turns: 1,
  text: "- The user asked: Download the May invoice",
  tokensBefore: 6900,
  tokensAfter: 640,
  madeAt: NOW,
  undoneAt: null,
};

export const longResult = Array.from({ length: 300 }, (_, index) => `line ${index + 1} of the report`).join("\n");

const atRest = { context: { used: 2310, size: 8192 }, compactions: [] };

export const details: Record<string, ConversationDetail> = {
  c1: {
    conversation: conversations[0]!,
    ...atRest,
    turns: [
      turn("t0", "c1", { status: "interrupted", startedAt: NOW - 60 * MINUTE, endedAt: null, tokens: none, recall: recallNothing }),
      turn("t1", "c1", { skillId: "s1", revision: 2, mode: "advisory", recall: recallMatched }),
    ],
    messages: [
      message("t0", "c1", "user", "Download the May invoice"),
      message("t0", "c1", "assistant", "I am looking for the bill", { status: "interrupted" }),
      message("t1", "c1", "user", "Download the May 2026 invoice from https://portal.example"),
      message("t1", "c1", "assistant", answer),
    ],
    steps: [
      step("x1", "t1", 0, "browser_open", { url: "https://portal.example" }, { durationMs: 2310 }),
      step("x2", "t1", 1, "browser_click", { target: { role: "link", name: "My account" } }),
      step(
        "x3",
        "t1",
        2,
        "browser_click",
        { target: { role: "link", name: "Offers" } },
        { status: "refused", text: "Refused: “offers.portal.example” is not granted (grant.destination)." },
      ),
      step("x4", "t1", 3, "browser_click", { target: { role: "link", name: "Billing" } }),
      step("x5", "t1", 4, "browser_download", { target: { role: "link", name: "Download May 2026 invoice", within: "May 2026" } }, { durationMs: 640 }),
    ],
    episodes: [episode("t0", "c1", { outcome: "abandoned", reason: null }), episode("t1", "c1")],
  },
  c2: {
    conversation: conversations[1]!,
    ...atRest,
    turns: [turn("t2", "c2", { recall: recallSuggested, tokens: { evaluated: 640, reused: 1200, generated: 66 } })],
    messages: [
      message("t2", "c2", "user", "Get a parking permit for my guest"),
      message("t2", "c2", "assistant", "Which day is the permit for, and what is the number plate?"),
    ],
    steps: [],
    episodes: [episode("t2", "c2", { outcome: null, reason: null, open: true })],
  },
  c5: {
    conversation: conversation("c5", "June invoice", DAY),
    ...atRest,
    turns: [turn("t5", "c5")],
    messages: [
      message("t5", "c5", "user", "By the way, I prefer aisle seats. Download the June 2026 invoice from https://portal.example"),
      message("t5", "c5", "assistant", "The June invoice is downloaded."),
    ],
    steps: [
      step("z1", "t5", 0, "browser_open", { url: "https://portal.example" }),
      step("z2", "t5", 1, "browser_click", { target: { role: "link", name: "Billing" } }),
      step("z3", "t5", 2, "browser_click", { target: { role: "button", name: "Download June 2026 invoice" } }),
    ],
    episodes: [episode("t5", "c5", { outcome: "claimed_success", reason: null })],
  },
  c9: {
    conversation: conversations[4]!,
    ...atRest,
    turns: [turn("t9", "c9", { status: "failed", skillId: "s1", revision: 1, mode: "strict", tokens: none })],
    messages: [
      message("t9", "c9", "user", "Get my bill for March 2026"),
      message("t9", "c9", "assistant", "Step 3 did not do what it should: expected heading 'Billing', saw 'Sign in'. stop and report"),
    ],
    steps: [
      step("h1", "t9", 0, "browser_open", { url: "https://portal.example" }, { tokens: none }),
      step("h2", "t9", 1, "browser_click", { target: { role: "link", name: "My account" } }, { tokens: none }),
    ],
    episodes: [
      episode("t9", "c9", { goal: "Download the March 2026 invoice", outcome: "failure", reason: "Step 3: expected heading 'Billing', saw 'Sign in'" }),
    ],
  },
};

const content: RevisionContent = {
  summary: "Downloads the invoice of one month from the customer portal",
  whenToUse: "Use it when an invoice of a given month is wanted from portal.example.",
  goal: "Download the {{month}} invoice",
  phrasings: ["Get my bill for {{month}}", "Save the {{month}} statement as PDF", "Fetch the invoice of {{month}}"],
  inputs: {
    type: "object",
    properties: { month: { type: "string", kind: "month", description: "Month of the invoice", examples: ["April 2026", "May 2026"] } },
    required: ["month"],
  },
  bindings: [{ goal: "Download the April 2026 invoice", inputs: { month: "April 2026" } }],
  preconditions: [],
  antiPreconditions: ["The invoice of another company is wanted"],
  steps: [
    {
      do: "Open the portal",
      call: { tool: "browser_open", args: { url: "https://portal.example" } },
      check: { page: { heading: "Welcome" } },
      onFail: "stop and report",
    },
    {
      do: "Go to My account",
      call: { tool: "browser_click", args: { target: { role: "link", name: "My account" } } },
      check: { page: { heading: "My account" } },
      onFail: "stop and report",
    },
    {
      do: "Go to the next page",
      call: { tool: "browser_click", args: { target: { role: "link", name: "Older statements" } } },
      repeatUntilNext: true,
      onFail: "stop and report",
    },
    {
      do: "Download the invoice of {{month}}",
      call: { tool: "browser_download", args: { target: { role: "link", name: "Download {{month}} invoice" } } },
      check: { file: { exists: "invoice-*.pdf" } },
      onFail: "stop and report",
    },
  ],
  edgeCases: ["The invoice may be on an older page."],
  toolsRequired: ["browser_open", "browser_click", "browser_download"],
  capabilities: { primitives: ["browser"], vault: [], destinations: ["https://portal.example"] },
};

export function skill(id: string, name: string, part: Partial<SkillSummary> = {}): SkillSummary {
  return {
    id,
    name,
    status: "active",
    activeRevision: 1,
    pinned: false,
    mode: "advisory",
    supersededBy: null,
    createdAt: NOW - 6 * DAY,
    updatedAt: NOW - DAY,
    summary: content.summary,
    whenToUse: content.whenToUse,
    author: "human:ana",
    revisions: 1,
    fullyMechanical: false,
    trust: { trust: 0.5, runs: 0, successes: 0, band: "offered", caveat: null },
    lastUsedAt: null,
    ...part,
  };
}

export const skills: SkillSummary[] = [
  skill("s1", "portal-invoice", {
    activeRevision: 2,
    revisions: 3,
    fullyMechanical: true,
    lastUsedAt: NOW - 40 * MINUTE,
    trust: { trust: 0.86, runs: 5, successes: 5, band: "offered", caveat: null },
  }),
  skill("s2", "library-renew", {
    author: "agent:synthesis",
    summary: "Renews every loan that is due within a week",
    lastUsedAt: NOW - 2 * DAY,
    trust: { trust: 0.5, runs: 6, successes: 3, band: "caveat", caveat: "This worked 3 of 6 times. Verify each step." },
  }),
  skill("s3", "visitor-permit", { status: "provisional", summary: "Orders a parking permit for a visitor" }),
  skill("s4", "parcel-status", {
    status: "disabled",
    author: "agent:dreaming",
    summary: "Reads where a parcel is",
    lastUsedAt: NOW - 3 * DAY,
    trust: { trust: 0.42, runs: 7, successes: 3, band: "caveat", caveat: null },
  }),
  skill("s5", "expense-report", { author: "authored:office", pinned: true, summary: "Files the expenses of a month with the accountant" }),
  skill("s6", "weekly-digest", { status: "disabled", author: "imported", summary: "Puts the week's notes into one page" }),
  skill("s7", "old-timetable", {
    status: "retired",
    author: "agent:synthesis",
    summary: "Looked up the bus that no longer runs",
    lastUsedAt: NOW - 40 * DAY,
    trust: { trust: 0.2, runs: 6, successes: 0, band: "retired", caveat: null },
  }),
];

function revision(number: number, part: Partial<Revision> = {}): Revision {
  return {
    ...content,
    skillId: "s1",
    number,
    body: "…",
    author: "human:ana",
    evidence: ["e-t1"],
    createdAt: NOW - (7 - number) * DAY,
    contentHash: `hash${number}`,
    ...part,
  };
}

const second = revision(2, {
  author: "agent:synthesis",
  preconditions: ["check_session(site: portal)", { state: { path: "portal.region", op: "eq", value: "EU" } }],
  capabilities: { primitives: ["browser"], vault: ["portal-login"], destinations: ["https://portal.example", "https://files.portal.example"] },
});

export const skillDetail: SkillDetail = {
  file: null,
  skill: skills[0]!,
  revision: second,
  revisions: [revision(1), second, revision(3, { author: "agent:inline", evidence: [] })],
  runs: [
    {
      id: "r1",
      skillId: "s1",
      revision: 2,
      episodeId: "e-t1",
      turnId: "t1",
      mode: "advisory",
      inputs: { month: "May 2026" },
      outcome: "success",
      finding: null,
      startedAt: NOW - 40 * MINUTE,
      endedAt: NOW - 39 * MINUTE,
    },
    {
      id: "r2",
      skillId: "s1",
      revision: 1,
      episodeId: "e-t9",
      turnId: "t9",
      mode: "strict",
      inputs: { month: "March 2026" },
      outcome: "failure",
      finding: "Step 3: expected heading 'Billing', saw 'Sign in'",
      startedAt: NOW - 2 * DAY,
      endedAt: NOW - 2 * DAY,
    },
  ],
  records: [
    { revision: 1, trust: 0.33, runs: 1, successes: 0, band: "caveat", caveat: "This worked 0 of 1 times. Verify each step." },
    { revision: 2, trust: 0.67, runs: 1, successes: 1, band: "caveat", caveat: "This worked 1 of 1 times. Verify each step." },
    { revision: 3, trust: 0.5, runs: 0, successes: 0, band: "offered", caveat: null },
  ],
  ledger: [
    { id: "l1", skillId: "s1", action: "create", actor: "human:ana", reason: "shown once", before: null, after: "hash1", at: NOW - 6 * DAY },
    {
      id: "l2",
      skillId: "s1",
      action: "modify",
      actor: "ana",
      reason: "accepted: older pages are looked through",
      before: "hash1",
      after: "hash2",
      at: NOW - DAY,
    },
  ],
  evidence: [
    { episodeId: "e-t1", goal: "Download the April 2026 invoice", conversationId: "c1", at: NOW - 60 * MINUTE, fate: "kept" },
    { episodeId: "e-gone", goal: null, conversationId: null, at: null, fate: "pruned" },
    { episodeId: "e-erased", goal: null, conversationId: null, at: NOW - 30 * MINUTE, fate: "erased" },
  ],
};

export const diff = `--- revision 1
+++ revision 2
@@ -3,4 +3,5 @@
 2. Go to My account (confirm: heading "My account")
-3. Download the invoice of {{month}}
+3. Go to the next page, until the invoice of {{month}} is in sight
+4. Download the invoice of {{month}}
`;

export const proposals: Proposal[] = [
  {
    id: "q1",
    skillId: "s1",
    base: 2,
    author: "agent:inline",
    content,
    diff,
    reason: "The model found the invoice two pages on, after the check of step 3 had failed.",
    evidence: ["e-t1"],
    status: "open",
    createdAt: NOW - 39 * MINUTE,
    decidedAt: null,
  },
  {
    id: "q0",
    skillId: "s1",
    base: 1,
    author: "agent:inline",
    content,
    diff,
    reason: "The link is called “Billing” now.",
    evidence: [],
    status: "declined",
    createdAt: NOW - 3 * DAY,
    decidedAt: NOW - 2 * DAY,
  },
];

export const imported: ImportResult = {
  path: "weekly-digest/SKILL.md",
  outcome: "imported",
  name: "weekly-digest",
  skillId: "s6",
  reason: "",
  diagnostics: [
    { code: "extra-key", severity: "note", message: "“version” is not ours; it is kept and exported again." },
    { code: "hidden-characters", severity: "warning", message: "3 invisible characters were taken out." },
  ],
};

export const packs: Pack[] = [
  {
    name: "office",
    files: [
      { path: "office/expense-report/SKILL.md", skill: "expense-report", position: null, diagnostics: [] },
      { path: "office/house-rules.md", skill: null, position: "cached", diagnostics: [] },
      {
        path: "office/broken/SKILL.md",
        skill: null,
        position: null,
        diagnostics: [{ code: "front-matter-missing", severity: "error", message: "The file has no front matter, so it has no name." }],
      },
    ],
  },
];

export const alerts: Alert[] = [
  {
    id: "a1",
    kind: "drift",
    title: "“parcel-status” stopped working and is off",
    detail: "Step 3 failed twice: expected heading 'Where is it', saw 'Sign in'.",
    skillId: "s4",
    proposalId: null,
    revertTo: 1,
    createdAt: NOW - 3 * 60 * MINUTE,
    resolvedAt: null,
    resolution: null,
  },
  {
    id: "a2",
    kind: "refused",
    title: "A page tried to reach another site",
    detail: "offers.portal.example is not granted; nothing was sent to it.",
    skillId: null,
    proposalId: null,
    revertTo: null,
    createdAt: NOW - DAY,
    resolvedAt: null,
    resolution: null,
  },
  {
    id: "a3",
    kind: "proposal",
    title: "A change to “portal-invoice” is proposed",
    detail: "The model found the invoice two pages on, after the check of step 3 had failed.",
    skillId: "s1",
    proposalId: "q1",
    revertTo: null,
    createdAt: NOW - 39 * MINUTE,
    resolvedAt: null,
    resolution: null,
  },
  {
    id: "a4",
    kind: "notice",
    title: "“old-timetable” has not been used for 40 days",
    detail: "It may be archived; nothing is done about it by itself.",
    skillId: "s7",
    proposalId: null,
    revertTo: null,
    createdAt: NOW - 2 * DAY,
    resolvedAt: null,
    resolution: null,
  },
  {
    id: "a5",
    kind: "drift",
    title: "“library-renew” stopped working and is off",
    detail: "Step 2 failed twice: expected heading 'Loans', saw 'Maintenance'.",
    skillId: "s2",
    proposalId: null,
    revertTo: 1,
    createdAt: NOW - 5 * DAY,
    resolvedAt: NOW - 4 * DAY,
    resolution: "went back to revision 1",
  },
];

const model = (id: string, name: string, part: Partial<ModelState>): ModelState => ({
  id,
  name,
  role: "chat",
  preference: 1,
  file: `${id}.gguf`,
  bytes: 1_117_320_768,
  sha256: "0".repeat(64),
  licence: "Apache-2.0",
  contextTokens: 32_768,
  minimumMemoryGb: 4,
  state: "present",
  inUse: false,
  fit: "fits",
  path: null,
  recommended: false,
  ...part,
});

export const models: ModelState[] = [
  model("qwen2.5-coder-1.5b-instruct", "Qwen2.5-Coder 1.5B Instruct", { inUse: true, recommended: true }),
  model("qwen2.5-7b-instruct", "Qwen2.5 7B Instruct", { preference: 2, bytes: 4_683_073_952, minimumMemoryGb: 10, state: "partial", fit: "may-be-slow" }),
  model("qwen2.5-32b-instruct", "Qwen2.5 32B Instruct", { preference: 3, bytes: 19_851_336_256, minimumMemoryGb: 32, state: "absent", fit: "will-not-fit" }),
  model("nomic-embed-text-v1.5", "nomic-embed-text v1.5", { role: "embedding", bytes: 84_106_624, minimumMemoryGb: 1, contextTokens: 2048, state: "damaged" }),
  model("all-minilm-l6-v2", "all-MiniLM-L6-v2", { role: "embedding", preference: 2, bytes: 24_800_000, minimumMemoryGb: 1, contextTokens: 512, inUse: true }),
];

export const facts: Fact[] = [
  { id: "f1", label: "SOUL", text: "My name is Ana and I live in Lisbon.", source: "conversation", createdAt: NOW - 5 * DAY, updatedAt: NOW - 5 * DAY },
  { id: "f2", label: "PREFERENCE", text: "I prefer invoices as PDF.", source: "conversation", createdAt: NOW - 2 * DAY, updatedAt: NOW - 2 * DAY },
];

export function contact(id: string, host: string, change: Partial<Contact> = {}): Contact {
  return {
    id,
    at: NOW - 5 * MINUTE,
    endedAt: NOW - 4 * MINUTE,
    means: "browser",
    allowed: true,
    code: "ok",
    scheme: "https",
    host,
    port: 443,
    resolved: ["93.184.215.10", "93.184.215.11"],
    address: "93.184.215.10",
    grant: `https://${host}`,
    grantId: "g1",
    conversationId: "c1",
    turnId: "t1",
    sent: 1_800,
    received: 254_000,
    times: 1,
    ...change,
  };
}

const refusedContact = { allowed: false, address: "", resolved: [], grant: null, grantId: null, sent: 0, received: 0 } as const;

export const contacts: Contact[] = [
  contact("k1", "portal.example"),
  contact("k2", "tracker.example", { ...refusedContact, code: "dest.host", times: 14 }),
  contact("k3", "nas.home", { scheme: "http", port: 8080, code: "dial.failed", received: 0, at: NOW - 120 * MINUTE }),
  contact("k4", "huggingface.co", { means: "models", grant: null, grantId: null, conversationId: null, turnId: null, received: 1_100_000_000, at: NOW - DAY }),
  contact("k5", "", { ...refusedContact, code: "url.parse", scheme: "", port: 0, at: NOW - DAY }),
];

export const grants: Grant[] = [
  {
    id: "g1",
    kind: "destination",
    destination: { scheme: "https", host: "portal.example", port: 443, use: "navigate", allowPrivate: false },
    createdAt: NOW - 6 * DAY,
    by: "ana",
  },
  {
    id: "g2",
    kind: "destination",
    destination: { scheme: "http", host: "nas.home", port: 8080, use: "navigate", allowPrivate: true },
    createdAt: NOW - 3 * DAY,
    by: "ana",
  },
  { id: "g3", kind: "workspace", folder: "/home/ana/Documents/Bills", createdAt: NOW - DAY, by: "ana" },
  { id: "g4", kind: "primitive", primitive: "browser", createdAt: NOW - 6 * DAY, by: "set-up" },
];

export const settings: Settings = settingsSchema.parse({ askBeforeWrite: true });

export const vaultEntry: VaultEntry = {
  name: "portal",
  origins: ["https://portal.example"],
  fields: ["username", "password"],
  unmasked: [],
  createdAt: 1,
  updatedAt: 1,
};

export const vaultStatus: VaultStatus = {
  state: "unlocked",
  entries: 1,
  locksAt: 1,
  failures: 0,
  waitMs: 0,
  keychain: { state: "off", message: "the keychain can keep the key." },
  auditProblem: null,
};

export const vaultAudit: readonly VaultAudit[] = [
  { seq: 2, at: 2, action: "release", entry: "portal", origin: "https://portal.example", decision: "ok", masks: 1 },
  { seq: 1, at: 1, action: "create", entry: "", origin: "", decision: "ok", masks: 0 },
];

export const status: Status = {
  version: "0.1.0",
  dataFolder: "/home/ana/.local/share/knack",
  model: { id: "qwen2.5-coder-1.5b-instruct", state: "ready", message: "ready", contextSize: 8192, contextAsked: 8192 },
  embedder: { id: "all-minilm-l6-v2", calibrated: false },
  browser: { found: "/usr/bin/chromium", message: "Chromium 140" },
  offline: false,
};

export const modelUse: ModelUse = {
  chat: { id: "qwen2.5-coder-1.5b", state: "ready", message: "qwen2.5-coder-1.5b is loaded", contextSize: 8192 },
  memory: { process: 2_340_000_000, model: 1_110_000_000, context: 552_000_000 },
  unloadsAt: NOW + 8 * MINUTE,
  states: { files: 3, bytes: 131_000_000, limitBytes: 2_000_000_000 },
};

export const report: PassReport = {
  id: "p1",
  startedAt: NOW - 30 * MINUTE,
  endedAt: NOW - 29 * MINUTE,
  dryRun: false,
  episodesRead: 14,
  note: "",
  entries: [
    {
      goal: "Renew the books that are due",
      episodes: ["e1", "e2", "e3"],
      decision: "added",
      reason: "three successes in three conversations",
      skillName: "library-renew",
    },
    { goal: "Where is my parcel?", episodes: ["e4", "e5"], decision: "skipped", reason: "two of the three episodes that are needed", skillName: null },
  ],
};

export const dreamtFact: Fact = {
  id: "f9",
  label: "PREFERENCE",
  text: "I prefer aisle seats",
  source: "agent:dreaming",
  createdAt: NOW - 20 * MINUTE,
  updatedAt: NOW - 20 * MINUTE,
  provenance: { conversationId: "c1", messageId: "t1-user", sentence: "By the way, I prefer aisle seats; book nothing yet." },
};

const said = (messageId: string) => [{ conversationId: "c1", title: "Download the April 2026 invoice", messageId }];
const gone = { conversationId: null, title: null };

export const dream: PassReport = {
  id: "p2",
  startedAt: NOW - 20 * MINUTE,
  endedAt: NOW - 20 * MINUTE,
  dryRun: false,
  episodesRead: 3,
  note: "",
  dream: {
    conversations: [
      { id: "c1", title: "Download the April 2026 invoice" },
      { id: "c0", title: null },
    ],
    messagesRead: 7,
  },
  entries: [
    {
      goal: "",
      episodes: [],
      decision: "added",
      reason: "in your own words",
      skillName: null,
      fact: { id: "f9", conversationId: "c1", messageId: "t1-user" },
      now: { sources: said("t1-user"), skillStatus: null, fact: dreamtFact },
    },
    {
      goal: "Download the May 2026 invoice",
      episodes: ["e1", "e2", "e3"],
      decision: "added",
      reason: "learned from 3 successful runs, 4 steps",
      skillName: "invoice-of-month",
      now: { sources: [{ conversationId: "c1", title: "Download the April 2026 invoice" }, gone], skillStatus: "provisional", fact: null },
    },
    {
      goal: "",
      episodes: [],
      decision: "skipped",
      reason: "left out: it holds something that looks like a secret",
      skillName: null,
      fact: { id: null, conversationId: "c0", messageId: "m0" },
      now: { sources: [gone], skillStatus: null, fact: null },
    },
    {
      goal: "",
      episodes: ["e8"],
      decision: "skipped",
      reason: "only 1 episodes",
      skillName: null,
      now: { sources: [gone], skillStatus: null, fact: null },
    },
  ],
};

export const showing: Showing = {
  id: "w1",
  goal: "Download the April 2026 invoice",
  url: "https://portal.example",
  status: "recording",
  actions: [],
  createdAt: NOW,
  aim: { kind: "new" },
  base: null,
  edits: [],
  skillId: null,
};

const after = (heading: string) => ({ url: "https://portal.example", title: `${heading} · Portal`, heading, text: "" });
export const shownActions: ShownAction[] = [
  { kind: "open", value: "https://portal.example", secret: false, siblings: [], landmark: "", context: "", after: after("Welcome"), at: NOW },
  { kind: "fill", target: { role: "textbox", name: "Password" }, secret: true, siblings: [], landmark: "main", context: "", after: after("Welcome"), at: NOW },
  {
    kind: "click",
    target: { role: "link", name: "My account" },
    secret: false,
    siblings: ["Offers"],
    landmark: "navigation",
    context: "",
    after: after("My account"),
    at: NOW,
  },
  {
    kind: "download",
    target: { role: "link", name: "Download April 2026 invoice" },
    value: "invoice-april-2026.pdf",
    secret: false,
    siblings: [],
    landmark: "main",
    context: "",
    after: after("Statements"),
    at: NOW,
  },
];

export const draft: Draft = {
  showingId: "w1",
  name: "portal-invoice",
  content,
  body: "…",
  observed: content.steps.map((step) => ({
    heading: "Statements",
    url: "/statements/*",
    lines: ["Your statements", "{{month|MMMM YYYY}} is ready"],
    secretField: step.call === undefined ? "Password" : null,
  })),
  edits: [],
  needJudgement: content.steps.flatMap((step, index) => (step.call === undefined || step.check === undefined ? [index + 1] : [])),
  revises: null,
  alike: null,
  notes: ["“April 2026” occurs in the goal and became the input “month”.", "The password was not kept; this step is left out."],
};

export const erasure: Erasure = { skills: [{ name: "portal-invoice", became: "derived-again" }], backups: 7, backupsErased: 0 };

const arm = { tasks: 46, judged: 40, successes: 38, claimed: 6, steps: 3.1, seconds: 4.2 };
export const lift: Lift = {
  share: 0.1,
  needed: 10,
  used: arm,
  withheld: { tasks: 12, judged: 11, successes: 8, claimed: 1, steps: 7.5, seconds: 31.4 },
  success: { difference: 0.223, low: 0.02, high: 0.49 },
  steps: { difference: -4.4, low: -5.6, high: -3.2 },
  seconds: { difference: -27.2, low: -35, high: -19.4 },
};
const block = (name: string, part: Partial<Block>): Block => ({
  name,
  tier: "operating",
  layer: "L1",
  order: 10,
  source: "static",
  file: null,
  permissions: ["read"],
  inherit: true,
  onSourceFailure: "fail_closed",
  state: "rendered",
  problem: null,
  revision: "sha256:0123456789abcdef0123456789abcdef",
  bytes: 60,
  tokens: 15,
  dropped: { tooMany: 0, tooLong: 0 },
  text: `${name}\nAs it stands in the prompt.`,
  written: null,
  isOwn: false,
  ...part,
});

export const standingContext: StandingContext = {
  blocks: [
    block("BOUNDARIES", { tier: "platform" }),
    block("IDENTITY", {
      tier: "platform",
      source: "file",
      file: "/home/ana/.local/share/knack/blocks/IDENTITY.md",
      permissions: ["read", "edit"],
      text: "IDENTITY\nYou are friendly.",
      written: "You are friendly.",
    }),
    block("RULES", {
      source: "file",
      file: "/home/ana/.local/share/knack/blocks/RULES.md",
      permissions: ["read", "edit"],
      state: "empty",
      text: "",
      bytes: 0,
      tokens: 0,
      written: "",
    }),
    block("USER_PROFILE", { tier: "profile", source: "memory", revision: "mem:205:7", dropped: { tooMany: 4, tooLong: 1 } }),
    block("ONBOARDING", { source: "computed", state: "gated", revision: null, text: "", bytes: 0, tokens: 0 }),
    block("FOCUS", { tier: "session", layer: "L2", source: "memory", state: "omitted", problem: "The store is locked.", text: "", bytes: 0, tokens: 0 }),
  ],
  profile: { name: "known", location: "declined", role: "unknown" },
  prefix: { bytes: 1450, tokens: 362 },
};

export const noLift: Lift = {
  share: 0,
  needed: 10,
  used: { tasks: 0, judged: 0, successes: 0, claimed: 0, steps: null, seconds: null },
  withheld: { tasks: 0, judged: 0, successes: 0, claimed: 0, steps: null, seconds: null },
  success: null,
  steps: null,
  seconds: null,
};

export const explanation: Explanation = {
  turnId: "t1",
  answer: recallMatched.why,
  lines: [
    "Its run, advisory, failed: corrected by the user.",
    'Kept as no task for "portal-invoice": "Show the invoice". It is not recalled for the like again.',
  ],
  recall: recallMatched,
};

export const folders: readonly Folder[] = [{ id: "f1", name: "Household", createdAt: NOW }];

/** What the host finds in the sample: every message that holds the query, with that marked. */
export function found(query: string): FoundMessage[] {
  return Object.values(details).flatMap(({ conversation, messages }) =>
    messages.flatMap((one) => {
      const at = one.text.toLowerCase().indexOf(query.toLowerCase());
      if (at < 0) return [];
      const parts = [one.text.slice(0, at), one.text.slice(at, at + query.length), one.text.slice(at + query.length)];
      return [{ ...one, title: conversation.title, excerpt: parts.map((text, index) => ({ text, isHit: index === 1 })).filter(({ text }) => text !== "") }];
    }),
  );
}
