import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAgent } from "#app/create-agent.ts";
import type { Showing } from "#contract/learning/schema.ts";
import { billsSite } from "../fixtures/makers/made-site.ts";
import { showOn } from "../fixtures/makers/show-on.ts";
import { expectOneLine, jsonIn, knackIn } from "./cli-process.ts";

let folder: string;
const knack = (...args: string[]) => knackIn(folder, args);
const json = (...args: string[]) => jsonIn(folder, args);

/** Showings whose host ended before they were finished. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "knack-cli-"));
  const agent = await createAgent({ dataFolder: join(folder, "home"), cacheFolder: join(folder, "cache"), env: {} });
  const actions = await showOn(billsSite(), [
    ["open", "https://portal.example/"],
    ["click", "link", "Bills"],
    ["click", "button", "Download December 2026 bill"],
  ]);
  for (const [index, id] of ["first", "second", "third"].entries()) {
    const showing: Showing = {
      id,
      goal: "Download the December 2026 bill from https://portal.example/",
      url: "https://portal.example/",
      status: "broken",
      actions,
      createdAt: Date.UTC(2027, 0, 10) + index,
      aim: { kind: "new" },
      base: null,
      edits: [],
      skillId: null,
    };
    agent.world.stores.learning.putShowing(showing);
  }
  await agent.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("what was shown and left is listed, and can be forgotten", async () => {
  expect((await json("skills", "showings")).map(({ id }: Showing) => id)).toEqual(["third", "second", "first"]);
  expect((await knack("skills", "showings")).out).toMatch(/^third +broken .* 4 actions +Download the December/mu);
  expect(await json("skills", "teach", "--drop", "third")).toEqual({ dropped: "third" });
  expect((await json("skills", "showings")).map(({ id }: Showing) => id)).toEqual(["second", "first"]);
  expectOneLine(await knack("skills", "teach", "--drop", "nothing"), 2, "There is no showing nothing");
});

test("what can be judged beforehand is judged before anything is shown", async () => {
  const there = join(folder, "there.md");
  await writeFile(there, "mine");
  const script = join(folder, "script.json");
  await writeFile(script, '[["click", "link", "Bills"]]');
  const shown = ["Download it", "--url", "https://portal.example/", "--script", script];
  const before = await json("skills", "showings");
  const cases: [string[], string][] = [
    [["teach", ...shown, "--draft-to", there], "There is a file"],
    [["teach", ...shown, "--draft-to", join(folder, "nowhere/draft.md")], "There is no folder"],
    [["teach", ...shown, "--draft-to", join(folder, "new.md"), "--yes"], "--yes keeps the draft"],
    [["teach", ...shown, "--edit"], "No editor is named"],
    [["repair", "nothing", "--script", script, "--draft-to", there], "There is a file"],
    [["learn", "nothing", "--draft-to", there], "There is a file"],
    [["teach", "--confirm", "first", "--from", join(folder, "nothing.md")], "There is no file"],
    [["teach", "--confirm", "first", "--from", there, "--draft-to", join(folder, "new.md")], "give one of them"],
    [["teach", "--confirm", "first", "--skill", "nothing"], "There is no skill"],
  ];
  await Promise.all(
    cases.map(async ([args, message]) => expectOneLine(await knackIn(folder, ["skills", ...args], { env: { VISUAL: "", EDITOR: "" } }), 2, message)),
  );
  expect([await json("skills", "showings"), await readFile(there, "utf8")]).toEqual([before, "mine"]);
});

test("what a script may hold, and what becomes of one that breaks off, is in the help", async () => {
  for (const command of ["teach", "repair"]) {
    const { out } = await knack("skills", command, "--help");
    for (const said of ['["click", "link", "Billing"]', '["select", "Month", "April"]', "broke off", "--drop"]) expect(out).toContain(said);
  }
});

test("without a yes a changed file changes nothing of the draft that is stored", async () => {
  const file = join(folder, "unsaid.md");
  await knack("skills", "teach", "--confirm", "first", "--draft-to", file);
  const stored = async () => (await json("skills", "showings")).find(({ id }: Showing) => id === "first");
  const before = await stored();
  const text = await readFile(file, "utf8");
  expect(text).toMatch(/^---\n# A draft of a skill\./u);
  await writeFile(file, text.replace('2. Click the link "Bills"', '2. Go to "Invoices"'));
  const asked = await knack("skills", "teach", "--confirm", "first", "--from", file);
  expect([asked.code, asked.out]).toEqual([1, expect.stringContaining('2. Go to "Invoices"')]);
  expect(asked.err).toContain('warning: Step 2 says "Invoices", which is not in what it does: Click the link "Bills"');
  expect(asked.err).toContain("as it was, without the file");
  expect(await stored()).toEqual(before);
});

test("a draft is written to a file, changed there, and kept as the file says", async () => {
  const file = join(folder, "SKILL.md");
  const { out } = await knack("skills", "teach", "--confirm", "first", "--draft-to", file);
  expect(out).toContain(`knack skills teach --confirm first --from ${file}`);
  expect(await knack("skills", "teach", "--confirm", "first", "--draft-to", file)).toMatchObject({
    code: 2,
    err: expect.stringContaining("There is a file") as string,
  });
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace('2. Click the link "Bills"', "2. Go to the bills").replace('name: "download-bill"', 'name: "fetch-bill"'));
  const kept = await knack("skills", "teach", "--confirm", "first", "--from", file, "--yes");
  expect(kept.out).toContain('learned "fetch-bill"');
  expect((await json("skills", "show", "fetch-bill")).revision.steps[1].do).toBe("Go to the bills");
  expect((await json("skills", "showings")).map(({ id }: Showing) => id)).toEqual(["second"]);
});

test("--edit opens the draft in the person's editor, and what cannot be read changes nothing", async () => {
  const editor = join(folder, "edit.mjs");
  await writeFile(
    editor,
    'import { readFileSync, writeFileSync } from "node:fs"; const file = process.argv[2]; writeFileSync(file, readFileSync(file, "utf8").replace("3. Click", "3. {{nothing}} Click"));',
  );
  const withEditor = (...args: string[]) => knackIn(folder, args, { env: { VISUAL: "", EDITOR: `${process.execPath} ${editor}` } });
  expect(await withEditor("skills", "teach", "--confirm", "second", "--edit", "--yes")).toMatchObject({
    code: 2,
    err: expect.stringContaining("Step 3 uses {{nothing}}, which is no input") as string,
  });
  await writeFile(
    editor,
    'import { readFileSync, writeFileSync } from "node:fs"; const file = process.argv[2]; writeFileSync(file, readFileSync(file, "utf8").replace("3. Click", "3. Then click"));',
  );
  const kept = await withEditor("skills", "teach", "--confirm", "second", "--name", "edited-bill", "--edit", "--yes");
  expect(kept.out).toContain('learned "edited-bill"');
  expect((await json("skills", "show", "edited-bill")).revision.steps[2].do).toMatch(/^Then click/u);
});

test.each<[string, string[], string]>([
  ["--together without a skill", ["teach", "Do it", "--together"], "name it with --skill"],
  ["--from without a showing", ["teach", "--from", "x"], "--confirm"],
  ["a goal beside a showing that was left", ["teach", "Do it", "--confirm", "first"], "leave out goal"],
  ["nothing to show", ["teach"], "Say what you are about to show"],
  ["no address", ["teach", "Do it"], "--url"],
  ["a step that is none", ["repair", "fetch-bill", "--step", "0"], "step"],
])("bad usage is told in one line: %s", async (_what, args, message) => {
  expectOneLine(await knack("skills", ...args), 2, message);
});
