import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAgent } from "#app/create-agent.ts";
import { createSkill, reviseSkill } from "#app/skills.ts";
import type { RevisionContent } from "#contract/skills/schema.ts";
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
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test("a skill is listed, shown and compared with what it was", async () => {
  expect(await json("skills", "list")).toMatchObject([{ name: "download-invoice", status: "provisional", activeRevision: 2, revisions: 2 }]);
  expect((await knack("skills", "list")).out).toMatch(/^download-invoice {2}provisional {2}human:user {7}– {2}– {10}Downloads the invoice of a month$/mu);
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

test("a retired skill is revived, not enabled; an erased one is gone with its history", async () => {
  await json("skills", "retire", "download-invoice");
  expect(await json("skills", "list")).toEqual([]);
  expectOneLine(await knack("skills", "enable", "download-invoice"), 2, "knack skills revive download-invoice");
  expect(await json("skills", "revive", "download-invoice")).toMatchObject({ status: "active" });
  expectOneLine(await knack("skills", "revive", "download-invoice"), 2, "active");
  expect(await json("skills", "erase", "download-invoice", "--yes")).toMatchObject({ erased: "download-invoice" });
  expectOneLine(await knack("skills", "show", "download-invoice"), 2, "knack skills list --all");
});
