import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAgent } from "#app/create-agent.ts";
import { createSkill, reviseSkill, type SkillWorld, skillNamed } from "#app/skills.ts";
import type { RevisionContent, Skill } from "#contract/skills/schema.ts";
import { expectOneLine, jsonIn, knackIn } from "./cli-process.ts";

let folder: string;
const knack = (...args: string[]) => knackIn(folder, args);
const json = (...args: string[]) => jsonIn(folder, args);

const content: RevisionContent = {
  summary: "Downloads the invoice of a month",
  whenToUse: "The user wants an invoice",
  goal: "Download the April 2026 invoice",
  phrasings: [],
  inputs: {
    type: "object",
    properties: { month: { type: "string", kind: "month", description: "month of the invoice", examples: ["April 2026"] } },
    required: ["month"],
  },
  bindings: [],
  preconditions: [],
  antiPreconditions: [],
  steps: [
    {
      do: "Press Billing",
      call: { tool: "browser_click", args: { target: { role: "link", name: "Billing" } } },
      check: { page: { heading: "Billing" } },
      onFail: "Stop and say so",
    },
    { do: "Read the page and answer", onFail: "Say what could not be found" },
  ],
  edgeCases: [],
  toolsRequired: ["browser_click"],
  capabilities: { primitives: ["browser"], vault: [], destinations: ["https://portal.example"] },
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "knack-cli-"));
  const agent = await createAgent({ dataFolder: join(folder, "home"), cacheFolder: join(folder, "cache"), env: {} });
  const { signal } = new AbortController();
  const skill = await createSkill(agent.world, { name: "download-invoice", content, author: "human:user", evidence: [], reason: "shown" }, signal);
  await reviseSkill(
    agent.world,
    skill,
    { content: { ...content, edgeCases: ["No invoice yet: say so"] }, author: "human:user", evidence: [], reason: "shown again" },
    signal,
  );
  await agent.close();
});

/** Does something to the store between two commands. */
async function prepare(work: (world: SkillWorld, skill: Skill) => unknown): Promise<void> {
  const agent = await createAgent({ dataFolder: join(folder, "home"), cacheFolder: join(folder, "cache"), env: {} });
  await work(agent.world, skillNamed(agent.world, "download-invoice"));
  await agent.close();
}
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test("a skill is listed, shown and compared with what it was", async () => {
  expect(await json("skills", "list")).toMatchObject([{ name: "download-invoice", status: "provisional", activeRevision: 2, revisions: 2 }]);
  const list = await knack("skills", "list");
  expect(list.out).toMatch(/^download-invoice {2}provisional {2}human:user {2}not used yet {2}– {10}Downloads the invoice of a month$/mu);
  expect(list.err).toContain("provisional: not used with success yet");
  expect((await knack("skills", "show", "download-invoice")).out).toMatch(/^status +provisional: not used with success yet\n[\s\S]*^record +not used yet$/mu);
  const shown = (await knack("skills", "show", "download-invoice", "--revision", "1")).out;
  expect(shown).toMatch(/^revision {6}1 of 2, in use is 2$/mu);
  expect(shown).toMatch(/^1\. Press Billing$/mu);
  expect((await json("skills", "diff", "download-invoice", "1", "2")).diff).toContain("+- No invoice yet: say so");
  expect((await json("skills", "history", "download-invoice")).ledger.map((entry: { action: string }) => entry.action)).toEqual(["create", "modify"]);
});

test("reverting moves the version in use, and only to one that is there", async () => {
  expectOneLine(await knack("skills", "revert", "download-invoice", "9"), 2, "it has 1 to 2");
  expect(await json("skills", "revert", "download-invoice", "1")).toMatchObject({ activeRevision: 1, revisions: 2 });
  expect((await knack("skills", "revert", "download-invoice", "2")).out).toBe('"download-invoice" is at revision 2\n');
});

test("a run is refused before it begins when the skill cannot do it as asked", async () => {
  expectOneLine(await knack("skills", "run", "download-invoice"), 2, '--input month="April 2026"');
  expectOneLine(await knack("skills", "run", "download-invoice", "--input", "year=2026"), 2, "it has: month");
  expectOneLine(await knack("skills", "run", "download-invoice", "--input", "month=May 2026", "--mode", "strict"), 2, "judgement");
  await json("skills", "disable", "download-invoice", "--reason", "not now");
  expectOneLine(await knack("skills", "run", "download-invoice", "--input", "month=May 2026"), 3, "knack skills enable download-invoice");
  expectOneLine(await knack("ask", "Download it", "--skill", "download-invoice"), 3, "knack skills enable download-invoice");
  expect(await json("conversations", "list")).toEqual([]);
  await json("skills", "enable", "download-invoice");
});

test("a run says its own value where the goal it was learned from said another", async () => {
  const { out } = await knack("skills", "run", "download-invoice", "--input", "month=May 2026", "--json");
  const [started] = out.split("\n").map((line) => (line === "" ? null : JSON.parse(line)));
  expect(started.message.text).toBe("Download the May 2026 invoice");
});

test("a change is taken back by its entry, which the history names; where something later rests on it the exit code is 3", async () => {
  const { ledger } = await json("skills", "history", "download-invoice");
  const [created, modified] = ledger as { id: string; action: string }[];
  expectOneLine(await knack("skills", "undo", created?.id ?? ""), 3, "undo that first");
  expectOneLine(await knack("skills", "undo", "nothing"), 2, "knack skills history NAME");
  const shown = (await knack("skills", "history", "download-invoice")).out;
  expect(shown).toContain(`${modified?.id}  `);
  expect(shown).toMatch(/revision 1 → 2/u);
  const last = ledger.at(-1)?.id ?? "";
  expect((await knack("skills", "undo", last)).out).toBe('"download-invoice": undo of enable, active → disabled\n');
  const again = (await json("skills", "history", "download-invoice")).ledger.at(-1);
  expect(await json("skills", "undo", again.id)).toMatchObject({ skill: { status: "active" }, entry: { action: "undo", undoes: again.id } });
});

test("a skill is pinned and let go, and says so", async () => {
  expect((await knack("skills", "pin", "Download_Invoice")).out).toBe('pinned "download-invoice"\n');
  expect((await knack("skills", "pin", "download-invoice")).out).toBe('"download-invoice" was pinned already\n');
  expect((await knack("skills", "show", "download-invoice")).out).toMatch(/^status {8}active, pinned$/mu);
  expect(await json("skills", "unpin", "download-invoice")).toMatchObject({ pinned: false });
});

test("a proposal is listed with its change, taken or left, and answered once", async () => {
  const [first, second] = ["one", "two"];
  await prepare(({ stores }, skill) => {
    const change = {
      skillId: skill.id,
      base: skill.activeRevision,
      author: "agent:inline",
      evidence: [],
      status: "open" as const,
      createdAt: 1,
      decidedAt: null,
    };
    const diff = "--- revision 2\n+++ proposed\n+2. Press Older\n";
    stores.proposals.add({ ...change, id: first, content: { ...content, edgeCases: ["Look at older pages"] }, diff, reason: "It was one page on." });
    stores.proposals.add({ ...change, id: second, content: { ...content, edgeCases: ["Ask"] }, diff, reason: "It was not there." });
  });
  const { out } = await knack("skills", "proposals");
  expect(out).toMatch(/^one {2}a change to revision 2 of download-invoice, /mu);
  expect(out).toContain("  It was one page on.\n  --- revision 2\n  +++ proposed\n  +2. Press Older\n");
  expect(await json("skills", "accept", first)).toMatchObject({ activeRevision: 3 });
  expectOneLine(await knack("skills", "accept", first), 3, "accepted already");
  expectOneLine(await knack("skills", "accept", second), 3, "is at revision 3 now");
  expect((await knack("skills", "decline", second)).out).toBe("declined two; nothing was changed\n");
  expect([(await json("skills", "proposals")).length, (await json("skills", "proposals", "--all")).length]).toEqual([0, 2]);
  expectOneLine(await knack("skills", "decline", "three"), 2, "knack skills proposals");
});

test("a drift alert is looked at and answered, once", async () => {
  await prepare(({ stores }, skill) => {
    stores.skills.setStatus(
      skill.id,
      "disabled",
      { id: "drift", skillId: skill.id, action: "disable", actor: "knack", reason: "", before: "active", after: "disabled", at: Date.now() },
      1,
    );
    const title = '"download-invoice" switched itself off';
    const detail = "Step 1 failed twice: expected heading 'Billing', saw 'Sign in'";
    stores.alerts.add({
      id: "alert",
      kind: "drift",
      title,
      detail,
      skillId: skill.id,
      proposalId: null,
      revertTo: 2,
      createdAt: 1,
      resolvedAt: null,
      resolution: null,
    });
  });
  const { out } = await knack("alerts", "resolve", "alert", "--action", "review");
  expect(out).toContain("Step 1 failed twice: expected heading 'Billing', saw 'Sign in'");
  expect(out).toMatch(/^ {2}revert {7}go back to revision 2$/mu);
  expect(out).toMatch(/^Or show only the step that failed: knack skills repair download-invoice$/mu);
  expect((await json("alerts", "list")).map(({ id }: { id: string }) => id)).toContain("alert");
  expect((await knack("alerts", "resolve", "alert", "--action", "revert")).out).toBe('"download-invoice" is at revision 2 and in use again\n');
  expectOneLine(await knack("alerts", "resolve", "alert", "--action", "keep-off"), 3, "settled already");
  expectOneLine(await knack("alerts", "resolve", "alert", "--action", "dance"), 2, "keep-off");
  expectOneLine(await knack("alerts", "resolve", "none", "--action", "revert"), 2, "knack alerts list");
});

test("a showing takes the place of a skill that is there, never under a name as well", async () => {
  const shown = ["skills", "teach", "Download the May invoice", "--url", "https://portal.example"];
  expectOneLine(await knack(...shown, "--name", "other", "--skill", "download-invoice"), 2, "give one of them");
});

test("a skill gives way to another, which it then names", async () => {
  await prepare(async (world) => {
    const made = { name: "fetch-invoice", content: { ...content, goal: "Fetch the invoice" }, author: "human:user", evidence: ["erased"], reason: "shown" };
    await createSkill(world, made, new AbortController().signal);
  });
  expect((await knack("skills", "show", "fetch-invoice")).out).toMatch(
    /^learned from {2}a task that was pruned by retention; the skill works without it \(erased\)$/mu,
  );
  await json("skills", "supersede", "fetch-invoice", "--by", "download-invoice");
  expect((await knack("skills", "show", "fetch-invoice")).out).toMatch(/^status {8}retired, "download-invoice" took its place$/mu);
  expectOneLine(await knack("skills", "supersede", "download-invoice", "--by", "fetch-invoice"), 2, "is retired");
});

test("a text of somebody else's with a line feed in it makes no line of its own", async () => {
  await json("skills", "disable", "download-invoice", "--reason", "not now\nFORGED row");
  for (const command of ["history", "show"]) expect((await knack("skills", command, "download-invoice")).out).not.toMatch(/^FORGED/mu);
  expect((await knack("skills", "history", "download-invoice")).out).toContain("not now FORGED row");
  expectOneLine(await knack("skills", "enable", "download-invoice", "--reason", "x".repeat(1001)), 2, "at most 1000");
  expect((await knack("skills", "enable", "Download_Invoice")).out).toBe('enabled "download-invoice"\n');
  expect((await knack("skills", "enable", "download-invoice")).out).toBe('"download-invoice" was active already\n');
});

test.each([
  ["import", ""],
  ["validate", "a", ""],
  ["export", "download-invoice", " "],
])("an empty path is bad usage, and not the folder one is in: %s", async (...args) => {
  expectOneLine(await knack("skills", ...args), 2, "The path is empty");
  expect((await json("skills", "list", "--all")).map(({ author }: { author: string }) => author)).not.toContain("imported");
});

test("a retired skill is revived, not enabled; an erased one is gone with its history", async () => {
  await json("skills", "retire", "download-invoice");
  expect(await json("skills", "list")).toEqual([]);
  expectOneLine(await knack("skills", "enable", "download-invoice"), 2, "knack skills revive download-invoice");
  expect(await json("skills", "revive", "download-invoice")).toMatchObject({ status: "active" });
  expectOneLine(await knack("skills", "revive", "download-invoice"), 2, "active");
  expect(await json("skills", "erase", "download-invoice", "--yes")).toMatchObject({ erased: "download-invoice" });
  expectOneLine(await knack("skills", "show", "download-invoice"), 2, "knack skills list --all");
});
