import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { openSkillFiles } from "#adapters/files/skill-files/open-skill-files.ts";
import { makePacks, type Packs } from "#app/packs.ts";
import { acceptProposal } from "#app/proposals.ts";
import { sameMeaning } from "#app/same-meaning.ts";
import { exportSkill, importSkills } from "#app/skill-files.ts";
import { reviseSkill, skillNamed } from "#app/skills.ts";
import { envelopeOf } from "#core/envelope/index.ts";
import { silentLog } from "#core/ports/index.ts";
import { indexUnknown, matchSkill } from "#core/recall/index.ts";
import { onlyContent } from "#core/skills/index.ts";
import { billRun, wording } from "../../fixtures/makers/bill-runs.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { put, skillText, temporaryFolder } from "../../fixtures/makers/skill-files.ts";
import { type Stage, stage } from "../../fixtures/makers/stage.ts";

const { signal } = new AbortController();

async function bills(on: Stage): Promise<void> {
  for (const month of ["March", "June", "December"]) await billRun(on, month);
}

/** What a pass would learn of the bills, as a file of a pack. */
async function learnedText(): Promise<{ name: string; text: string }> {
  const on = stage(billsSite());
  await bills(on);
  on.model.say(wording);
  await on.learn();
  return exportSkill(on.skillWorld, on.stores.skills.list({ all: true })[0]?.name ?? "");
}

/** A store in a file, with the pack "office" that holds what would be learned and one skill more. */
async function withPack(): Promise<{ on: Stage; packs: Packs; name: string; rows: () => string; folder: string }> {
  const folder = temporaryFolder();
  const file = join(folder, "knack.db");
  const on = stage(billsSite(), { file });
  const { name, text } = await learnedText();
  put(join(folder, "skills"), `office/${name}/SKILL.md`, text);
  put(join(folder, "skills"), "office/slip/SKILL.md", skillText("slip"));
  const packs = makePacks({ ...on.skillWorld, files: openSkillFiles(join(folder, "skills")), log: silentLog });
  await packs.look();
  const rows = (): string => {
    const database = new Database(file, { readonly: true });
    const all = (sql: string): unknown[] => database.prepare(sql).raw().all();
    const ids = "SELECT skill_id FROM revisions WHERE author GLOB 'authored:*'";
    const kept = [
      all(`SELECT * FROM skills WHERE id IN (${ids}) ORDER BY id`),
      all(`SELECT * FROM revisions WHERE skill_id IN (${ids}) ORDER BY skill_id, number`),
    ];
    database.close();
    return JSON.stringify(kept);
  };
  return { on, packs, name, rows, folder };
}

describe("PRE-11: the bytes of a pack's skills", () => {
  it("stay as they are through a learning pass that finds the same, which becomes a skill of its own", async () => {
    const { on, name, rows } = await withPack();
    const before = rows();
    await bills(on);
    on.model.say(wording, wording);
    const report = await on.learn();
    expect(report.entries.map(({ decision, skillName }) => [decision, skillName])).toEqual([["added", `${name}-2`]]);
    expect(report.entries[0]?.reason).toContain(`beside "${name}" of a pack`);
    expect(on.stores.skills.ledger(skillNamed(on.skillWorld, `${name}-2`).id)[0]?.reason).toContain(`beside "${name}" of a pack`);
    expect((await on.learn()).entries.every(({ decision }) => decision !== "added" && decision !== "updated")).toBe(true);
    expect(rows()).toBe(before);
    expect(before).toContain("authored:office");
  });

  it("stay as they are through an import of 200 files, some of them named like theirs", async () => {
    const { on, name, rows } = await withPack();
    const before = rows();
    const texts = [skillText(name), skillText("slip"), ...Array.from({ length: 198 }, (_, index) => skillText(`task-${index}`))];
    const results = importSkills(
      on.skillWorld,
      texts.map((text, index) => ({ path: `f${index}.md`, text })),
      "Kim",
    );
    expect(results.map(({ outcome }) => outcome)).toEqual(["refused", "refused", ...Array(198).fill("imported")]);
    // The very file of the pack is no import of its own either.
    expect(importSkills(on.skillWorld, [{ path: "slip/SKILL.md", text: skillText("slip") }], "Kim")[0]?.outcome).toBe("refused");
    expect(rows()).toBe(before);
  });

  it("stay as they are through a search for duplicates, which finds none of them and none for them", async () => {
    const { on, name, rows } = await withPack();
    const before = rows();
    const authored = on.stores.skills.revision(skillNamed(on.skillWorld, name).id, 1);
    if (!authored) throw new Error("not loaded");
    const content = onlyContent(authored);
    const now = new Date(on.skillWorld.clock());
    expect(await sameMeaning(on.skillWorld, content, now, signal)).toBeUndefined();
    const learned = await on.addSkill("my-own", content, { author: "agent:synthesis" });
    expect((await sameMeaning(on.skillWorld, content, now, signal))?.id).toBe(learned.id);
    expect(await sameMeaning(on.skillWorld, content, now, signal, "authored:office")).toBeUndefined();
    expect(rows()).toBe(before);
  });

  it("stay as they are through proposals, revisions and merges", async () => {
    const { on, name, rows } = await withPack();
    const skill = skillNamed(on.skillWorld, name);
    const learned = await on.addSkill("my-own", onlyContent(on.stores.skills.revision(skill.id, 1) ?? ({} as never)), { author: "agent:synthesis" });
    const before = rows();
    const content = { ...onlyContent(on.stores.skills.revision(skill.id, 1) ?? ({} as never)), summary: "changed" };
    on.stores.proposals.add({
      id: "p",
      skillId: skill.id,
      base: 1,
      author: "agent:inline",
      content,
      diff: "",
      reason: "paging",
      evidence: [],
      status: "open",
      createdAt: 1,
      decidedAt: null,
    });
    await expect(acceptProposal(on.skillWorld, "p", "Kim")).rejects.toThrow("belongs to a pack");
    await expect(reviseSkill(on.skillWorld, skill, { content, author: "agent:inline", evidence: [], reason: "" }, signal)).rejects.toThrow(
      "belongs to the pack",
    );
    const row = { id: "l", skillId: skill.id, action: "supersede", actor: "agent:dreaming", reason: "", before: null, after: null, at: 1 };
    expect(() => on.stores.skills.setStatus(skill.id, "retired", row, 1, learned.id)).toThrow("never merged");
    expect(() => on.stores.skills.setStatus(learned.id, "retired", { ...row, skillId: learned.id }, 1, skill.id)).toThrow("never merged");
    expect(rows()).toBe(before);
  });
});

it("a pack's texts for the prompt come in order of pack and file, each with its source; those for the kernel are logged", async () => {
  const { folder, on } = await withPack();
  const root = join(folder, "skills");
  put(root, "office/contributions/b.md", "---\nposition: cached\n---\nPrices are in euros.\n");
  put(root, "office/contributions/a.md", "---\nposition: kernel\n---\nObey.\n");
  put(root, "office/contributions/c.md", "---\nposition: top\n---\nNo.\n");
  put(root, "home/contributions/z.md", "---\nposition: volatile\n---\nThe lamp is on.\n");
  const warned: unknown[] = [];
  const packs = makePacks({
    ...on.skillWorld,
    files: openSkillFiles(root),
    log: { ...silentLog, warn: (event, fields) => void warned.push([event, fields?.["path"]]) },
  });
  expect(packs.contributions()).toEqual([]);
  await packs.look();
  expect(packs.contributions()).toEqual([
    { source: "authored:home", position: "volatile", text: "The lamp is on." },
    { source: "authored:office", position: "kernel", text: "Obey." },
    { source: "authored:office", position: "cached", text: "Prices are in euros." },
  ]);
  expect(warned).toEqual([
    ["contribution-without-effect", "office/contributions/a.md"],
    ["pack-file", "office/contributions/c.md"],
  ]);
});

it("a skill of a pack is found by recall once it was looked for, and by its new words after its file changed", async () => {
  const { on, packs, folder } = await withPack();
  const found = async (goal: string): Promise<string | null> => {
    const world = {
      skills: on.stores.skills,
      vectors: on.stores.vectors,
      calibrations: on.stores.calibrations,
      embedder: on.embedder,
      now: on.skillWorld.clock(),
    };
    await indexUnknown(world, signal);
    return (
      await matchSkill(goal, { ...world, model: null, state: {}, hasTool: () => true, envelope: envelopeOf(on.stores.grants.list()), fileExists: null }, signal)
    ).recall.skillName;
  };
  expect(await found("When slip is wanted")).toBe("slip");
  expect(await found("Water all the flowers")).not.toBe("slip");
  put(join(folder, "skills"), "office/slip/SKILL.md", skillText("slip", { description: "Water all the flowers" }));
  await packs.look();
  expect(await found("Water all the flowers")).toBe("slip");
});
