import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createRouterClient } from "@orpc/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAgent, type HostedAgent } from "#app/create-agent.ts";
import { handlers } from "#app/handlers/index.ts";
import { createSkill, reviseSkill } from "#app/skills.ts";
import { switchedOnAt } from "#core/skills/index.ts";
import { procedure } from "../../fixtures/makers/content.ts";
import { put, skillText, temporaryFolder } from "../../fixtures/makers/skill-files.ts";

const { signal } = new AbortController();

/** The real agent over a data folder, with no model on the machine. */
async function agentIn(folder: string): Promise<HostedAgent> {
  const agent = await createAgent({ dataFolder: join(folder, "home"), cacheFolder: join(folder, "cache"), env: {} });
  onTestFinished(() => agent.close());
  return agent;
}
const packs = (folder: string): string => join(folder, "home/skills");
const statuses = (agent: HostedAgent): string[] => agent.skills(true).map(({ name, status, author }) => `${name} ${status} ${author}`);
const actions = (agent: HostedAgent, name: string): string[] => agent.skill(name).ledger.map(({ action, actor }) => `${action} by ${actor}`);
const codes = async (agent: HostedAgent): Promise<string[]> =>
  (await agent.packs()).flatMap(({ files }) => files.flatMap(({ path, diagnostics }) => diagnostics.map(({ code }) => `${path} ${code}`)));

describe("skills of packs", () => {
  it("are loaded at start, active, authored by their pack, and once", async () => {
    const folder = temporaryFolder();
    put(packs(folder), "office/bill/SKILL.md", skillText("bill"));
    put(packs(folder), "home/lamp/SKILL.md", skillText("lamp"));
    const first = await agentIn(folder);
    expect(statuses(first)).toEqual(["bill active authored:office", "lamp active authored:home"]);
    expect(first.skill("bill")).toMatchObject({ revision: { number: 1, evidence: [] }, file: { path: "office/bill/SKILL.md", diagnostics: [] } });
    await first.close();
    const again = await agentIn(folder);
    expect([statuses(again), actions(again, "bill")]).toEqual([["bill active authored:office", "lamp active authored:home"], ["create by authored:office"]]);
    expect(statSync(packs(folder)).mode & 0o777).toBe(0o700);
  });

  it("take a revision when their file says something else, and none when it says the same", async () => {
    const folder = temporaryFolder();
    put(packs(folder), "office/bill/SKILL.md", skillText("bill"));
    const agent = await agentIn(folder);
    put(packs(folder), "office/bill/SKILL.md", skillText("bill", { body: "# Bill\n\n1. Press Invoices\n" }));
    await agent.packs();
    put(packs(folder), "office/bill/SKILL.md", skillText("bill", { body: "# Bill\n\n1. Press Invoices\n<!-- a remark -->\n" }));
    await agent.packs();
    const { skill, revisions, file } = agent.skill("bill");
    expect([skill.activeRevision, revisions.length, actions(agent, "bill")]).toEqual([2, 2, ["create by authored:office", "modify by authored:office"]]);
    expect(file?.diagnostics.map(({ code }) => code)).toEqual(["html-comment"]);
    for (const model of ["big", "small"]) {
      put(packs(folder), "office/bill/SKILL.md", skillText("bill", { front: `model: ${model}\n`, body: "# Bill\n\n1. Press Invoices\n" }));
      await agent.packs();
      expect([agent.skill("bill").revisions.length, agent.skill("bill").file?.extra]).toEqual([2, { model }]);
    }
  });

  it("are looked at before every turn", async () => {
    const folder = temporaryFolder();
    const agent = await agentIn(folder);
    put(packs(folder), "office/bill/SKILL.md", skillText("bill"));
    expect(statuses(agent)).toEqual([]);
    for await (const event of agent.send({ text: "hello" }, signal)) if (event.type === "turn-started") break;
    expect(statuses(agent)).toEqual(["bill active authored:office"]);
  });

  it("are there for a page, which hands over texts and gets them back", async () => {
    const folder = temporaryFolder();
    const agent = await agentIn(folder);
    const { skills } = createRouterClient(handlers, { context: { agent, by: "Kim" } });
    put(packs(folder), "office/bill/SKILL.md", skillText("bill"));
    expect((await skills.list({ all: false })).map(({ name }) => name)).toEqual(["bill"]);
    expect(await skills.packs()).toMatchObject([{ name: "office", files: [{ path: "office/bill/SKILL.md", skill: "bill", position: null, diagnostics: [] }] }]);
    const files = [{ path: "slip/SKILL.md", text: skillText("slip", { front: "model: big\n" }) }];
    expect(await skills.validate({ files })).toMatchObject([{ name: "slip", valid: false, diagnostics: [{ code: "keys-extra", severity: "error" }] }]);
    expect(await skills.import({ files })).toMatchObject([{ outcome: "imported", name: "slip", diagnostics: [{ code: "keys-extra" }] }]);
    expect(await skills.get({ name: "slip" })).toMatchObject({ skill: { status: "disabled" }, ledger: [{ actor: "Kim" }], file: { extra: { model: "big" } } });
    const { text } = await skills.export({ name: "slip" });
    expect(await skills.validate({ files: [{ path: "slip/SKILL.md", text }] })).toMatchObject([{ valid: true }]);
    await expect(skills.import({ files: [] })).rejects.toThrow("no file was given");
  });

  it("are retired when their file goes, and come back with it as they were", async () => {
    const folder = temporaryFolder();
    put(packs(folder), "office/bill/SKILL.md", skillText("bill"));
    put(packs(folder), "office/slip/SKILL.md", skillText("slip"));
    put(packs(folder), "office/note/SKILL.md", skillText("note"));
    const agent = await agentIn(folder);
    agent.setSkillStatus("slip", "disabled", "Kim", "not now");
    agent.setSkillStatus("note", "retired", "Kim", "never");
    renameSync(join(packs(folder), "office"), join(folder, "office"));
    await agent.packs();
    expect(statuses(agent)).toEqual(["bill retired authored:office", "note retired authored:office", "slip retired authored:office"]);
    expect(() => agent.setSkillStatus("bill", "active", "Kim", "")).toThrow("is gone from its pack");
    const withdrawn = agent.skill("bill").ledger.at(-1)?.id ?? "";
    await expect(agent.undoSkillChange(withdrawn, "Kim")).rejects.toThrow("comes and goes with its file");
    renameSync(join(folder, "office"), join(packs(folder), "office"));
    await agent.packs();
    expect(statuses(agent)).toEqual(["bill active authored:office", "note retired authored:office", "slip disabled authored:office"]);
    expect([agent.skill("bill").revisions.length, actions(agent, "bill")]).toEqual([
      1,
      ["create by authored:office", "withdraw by authored:office", "return by authored:office"],
    ]);
    expect(actions(agent, "note")).toEqual(["create by authored:office", "remove by Kim", "withdraw by authored:office", "return by authored:office"]);
  });

  it("that a person changed before their file went are theirs to take back when it is there again, and not before", async () => {
    const folder = temporaryFolder();
    put(packs(folder), "office/bill/SKILL.md", skillText("bill"));
    put(packs(folder), "office/slip/SKILL.md", skillText("slip"));
    const agent = await agentIn(folder);
    agent.setSkillStatus("bill", "disabled", "Kim", "not now");
    agent.setSkillStatus("slip", "retired", "Kim", "never");
    const changes = ["bill", "slip"].map((name) => agent.skill(name).ledger.at(-1)?.id ?? "");
    renameSync(join(packs(folder), "office"), join(folder, "office"));
    await agent.packs();
    for (const change of changes) await expect(agent.undoSkillChange(change, "Kim")).rejects.toThrow("is gone from its pack; put it back first");
    expect(() => agent.setSkillStatus("slip", "active", "Kim", "")).toThrow("is gone from its pack");
    renameSync(join(folder, "office"), join(packs(folder), "office"));
    await agent.packs();
    for (const change of changes) await agent.undoSkillChange(change, "Kim");
    expect(statuses(agent)).toEqual(["bill active authored:office", "slip active authored:office"]);
  });

  it("are forgiven nothing because their file was away for a while", async () => {
    const folder = temporaryFolder();
    put(packs(folder), "office/bill/SKILL.md", skillText("bill"));
    const agent = await agentIn(folder);
    const { skill } = agent.skill("bill");
    for (const id of ["a", "b"]) {
      const run = {
        id,
        skillId: skill.id,
        revision: 1,
        episodeId: "e",
        turnId: id,
        mode: "advisory",
        inputs: {},
        finding: "odd",
        startedAt: 1,
        endedAt: 2,
      } as const;
      agent.world.stores.skills.addRun({ ...run, outcome: "failure" });
    }
    renameSync(join(packs(folder), "office"), join(folder, "office"));
    await agent.packs();
    renameSync(join(folder, "office"), join(packs(folder), "office"));
    await agent.packs();
    const { ledger } = agent.skill("bill");
    expect([agent.skill("bill").skill.trust.runs, switchedOnAt(ledger)]).toEqual([2, 0]);
  });

  it("come in once the skill that had their name is erased, though their file did not change", async () => {
    const folder = temporaryFolder();
    const agent = await agentIn(folder);
    await createSkill(agent.world, { name: "bill", content: procedure("My bill"), author: "human:Kim", evidence: [], reason: "" }, signal);
    put(packs(folder), "office/bill/SKILL.md", skillText("bill"));
    expect(await codes(agent)).toEqual(["office/bill/SKILL.md skill.name-taken"]);
    await agent.eraseSkill("bill");
    expect([await codes(agent), statuses(agent)]).toEqual([[], ["bill active authored:office"]]);
  });

  it("take no revision at each start for half a character in their file, which no store can hold", async () => {
    const folder = temporaryFolder();
    const steps = JSON.stringify(JSON.stringify([{ do: "Press \ud800", onFail: "Stop" }]));
    put(packs(folder), "office/bill/SKILL.md", skillText("bill", { front: `metadata:\n  version: "1.0.0"\n  steps: ${steps}\n` }));
    for (let start = 0; start < 3; start += 1) {
      const agent = await agentIn(folder);
      expect([agent.skill("bill").revisions.length, agent.skill("bill").revision.steps[0]?.do]).toEqual([1, "Press \ufffd"]);
      await agent.close();
    }
  });

  it("have no part in one skill giving way to another, in either place", async () => {
    const folder = temporaryFolder();
    put(packs(folder), "office/bill/SKILL.md", skillText("bill"));
    const agent = await agentIn(folder);
    await createSkill(agent.world, { name: "own", content: procedure("My bill"), author: "human:Kim", evidence: [], reason: "" }, signal);
    for (const [name, other] of [
      ["bill", "own"],
      ["own", "bill"],
    ] as const)
      expect(() => agent.supersedeSkill(name, other, "Kim")).toThrow(
        expect.objectContaining({ code: "skill.authored", exit: 3, message: expect.stringContaining('"bill" belongs to a pack') as string }) as Error,
      );
    expect(statuses(agent)).toEqual(["bill active authored:office", "own provisional human:Kim"]);
  });

  it("keep the status, pin and version the user gave them when they are loaded again", async () => {
    const folder = temporaryFolder();
    put(packs(folder), "office/bill/SKILL.md", skillText("bill"));
    const agent = await agentIn(folder);
    put(packs(folder), "office/bill/SKILL.md", skillText("bill", { body: "# Bill\n\n1. Press Invoices\n" }));
    await agent.packs();
    agent.setSkillStatus("bill", "disabled", "Kim", "");
    agent.setSkillPinned("bill", true, "Kim");
    await agent.revertSkill("bill", 1, "Kim");
    await agent.close();
    const again = await agentIn(folder);
    expect(again.skill("bill").skill).toMatchObject({ status: "disabled", pinned: true, activeRevision: 1, revisions: 2 });
  });

  it("whose name a learned one has are refused, naming it; the others load", async () => {
    const folder = temporaryFolder();
    const agent = await agentIn(folder);
    const learned = await createSkill(agent.world, { name: "bill", content: procedure("My bill"), author: "human:Kim", evidence: [], reason: "" }, signal);
    put(packs(folder), "office/bill/SKILL.md", skillText("bill"));
    put(packs(folder), "office/slip/SKILL.md", skillText("slip"));
    put(packs(folder), "office/twin/SKILL.md", skillText("slip"));
    const [pack] = await agent.packs();
    expect(pack?.files.map(({ path, skill, diagnostics }) => [path, skill, diagnostics[0]?.message])).toEqual([
      ["office/bill/SKILL.md", null, expect.stringContaining(`"bill" (${learned.id})`)],
      ["office/slip/SKILL.md", "slip", undefined],
      ["office/twin/SKILL.md", null, expect.stringContaining("office/slip/SKILL.md")],
    ]);
    expect(statuses(agent)).toEqual(["bill provisional human:Kim", "slip active authored:office"]);
  });

  it("FIL-04: a file that cannot be read stops no other, is told, and leaves the skill it held as it was", async () => {
    const folder = temporaryFolder();
    put(packs(folder), "office/bill/SKILL.md", skillText("bill"));
    put(packs(folder), "office/slip/SKILL.md", skillText("slip"));
    const agent = await agentIn(folder);
    put(packs(folder), "office/bill/SKILL.md", "x".repeat(5_000_000));
    put(packs(folder), "office/path/SKILL.md", skillText("../../evil"));
    put(packs(folder), "office/note/SKILL.md", skillText("note"));
    put(packs(folder), "Bad Name/lamp/SKILL.md", skillText("lamp"));
    symlinkSync(folder, join(packs(folder), "linked"));
    expect(await codes(agent)).toEqual(["Bad Name pack-name", "linked link", "office/bill/SKILL.md too-large", "office/path/SKILL.md name-path"]);
    expect(statuses(agent)).toEqual(["bill active authored:office", "note active authored:office", "slip active authored:office"]);
    expect(readdirSync(folder)).toEqual(["home"]);
    rmSync(join(packs(folder), "office/bill/SKILL.md"));
    expect(await codes(agent)).toContain("office/bill no-skill");
    expect(statuses(agent)[0]).toBe("bill retired authored:office");
  });

  it("of a pack with thousands of files: the first thousand are read, the rest is said in one line, and no skill goes for it", async () => {
    const folder = temporaryFolder();
    put(packs(folder), "office/zebra/SKILL.md", skillText("zebra"));
    const agent = await agentIn(folder);
    for (let index = 0; index < 1200; index += 1) mkdirSync(join(packs(folder), `office/empty-${index}`));
    put(packs(folder), "office/bill/SKILL.md", skillText("bill"));
    const [pack] = await agent.packs();
    expect([pack?.files.length, pack?.files.at(-1)]).toMatchObject([1001, { path: "office", diagnostics: [{ code: "too-many" }] }]);
    expect(statuses(agent)).toEqual(["bill active authored:office", "zebra active authored:office"]);
  });

  it("FIL-04: pipes, folders and links in a file's place, and names that differ in case alone, hold up nothing", async () => {
    const folder = temporaryFolder();
    for (const name of ["Bill", "bill"]) put(packs(folder), `office/${name}/SKILL.md`, skillText("bill"));
    for (const name of ["pipe", "link", "folder/SKILL.md"]) mkdirSync(join(packs(folder), "office", name), { recursive: true });
    execFileSync("mkfifo", [join(packs(folder), "office/pipe/SKILL.md")]);
    symlinkSync("/etc/passwd", join(packs(folder), "office/link/SKILL.md"));
    const agent = await agentIn(folder);
    expect(await codes(agent)).toEqual([
      "office/Bill/SKILL.md folder-differs",
      "office/bill/SKILL.md skill.name-taken",
      "office/folder/SKILL.md not-file",
      "office/link/SKILL.md link",
      "office/pipe/SKILL.md not-file",
    ]);
    expect(statuses(agent)).toEqual(["bill active authored:office"]);
  });

  it("PRE-12: a pack's name that is none is refused as a source, and nothing of it is stored", async () => {
    const folder = temporaryFolder();
    for (const name of ["Office", "an office", "-a", "büro", "authored:x"]) put(packs(folder), `${name}/bill/SKILL.md`, skillText("bill"));
    const agent = await agentIn(folder);
    expect(new Set((await codes(agent)).map((text) => text.split(" ").at(-1)))).toEqual(new Set(["pack-name"]));
    expect(agent.skills(true)).toEqual([]);
  });

  it("are changed by their pack alone", async () => {
    const folder = temporaryFolder();
    put(packs(folder), "office/bill/SKILL.md", skillText("bill"));
    const agent = await agentIn(folder);
    const skill = agent.skill("bill").skill;
    for (const author of ["human:Kim", "agent:inline", "agent:synthesis", "authored:other"])
      await expect(reviseSkill(agent.world, skill, { content: procedure("Mine"), author, evidence: [], reason: "" }, signal)).rejects.toThrow(
        'belongs to the pack "office"',
      );
    expect(agent.skill("bill").revisions).toHaveLength(1);
  });

  it("are erased only once their file is gone", async () => {
    const folder = temporaryFolder();
    put(packs(folder), "office/bill/SKILL.md", skillText("bill"));
    const agent = await agentIn(folder);
    await expect(agent.eraseSkill("bill")).rejects.toThrow("office/bill/SKILL.md");
    rmSync(join(packs(folder), "office"), { recursive: true });
    await agent.packs();
    await agent.eraseSkill("bill");
    expect(agent.skills(true)).toEqual([]);
  });

  it("stay when the folder of packs cannot be read", async () => {
    const folder = temporaryFolder();
    put(packs(folder), "office/bill/SKILL.md", skillText("bill"));
    const agent = await agentIn(folder);
    renameSync(packs(folder), join(folder, "aside"));
    put(folder, "home/skills", "a file in its place");
    expect(await agent.packs()).toHaveLength(1);
    expect(statuses(agent)).toEqual(["bill active authored:office"]);
  });
});
