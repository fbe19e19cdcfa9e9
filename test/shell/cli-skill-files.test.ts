import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { skillText } from "../fixtures/makers/skill-files.ts";
import { expectOneLine, jsonIn, knackIn } from "./cli-process.ts";

let folder: string;
const knack = (...args: string[]) => knackIn(folder, args);
const json = (...args: string[]) => jsonIn(folder, args);
async function put(path: string, text: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "knack-cli-files-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test("what is refused is said on stderr too, in one line, and no file but markdown is taken in", async () => {
  const apart = join(folder, "apart");
  await put("apart/notes.txt", "my notes\n");
  await put("apart/empty/SKILL.md", "");
  for (const options of [[], ["--json"]]) {
    const imported = await knackIn(apart, ["skills", "import", "notes.txt", "empty", ...options]);
    expect([imported.code, imported.err]).toEqual([1, "knack: 2 files of 2 refused; each says why. Mend it and import it again.\n"]);
    expect(imported.out).toContain("It is no .md file; a skill is a SKILL.md.");
    const checked = await knackIn(apart, ["skills", "validate", "empty", ...options]);
    expect([checked.code, checked.err]).toEqual([1, "knack: 1 file of 1 not valid; each says why.\n"]);
  }
  expect(await jsonIn(apart, ["skills", "list", "--all"])).toEqual([]);
  const unknown = await knackIn(apart, ["skills", "show", "x".repeat(50_000)]);
  expect([unknown.code, unknown.err.length < 200]).toEqual([2, true]);
});

test("FIL-02: a file is taken in switched off, shown with what was wrong with it, given out valid, and not taken in twice", async () => {
  await put("bill/SKILL.md", skillText("bill", { description: "When a <b>bill</b> is due", front: "model: big\n" }).replaceAll("\n", "\r\n"));
  const imported = await knack("skills", "import", "bill/SKILL.md");
  expect(imported).toMatchObject({ code: 0, err: "" });
  expect(imported.out).toMatch(/^imported "bill" from bill\/SKILL\.md, disabled/mu);
  expect(imported.out).toContain("(crlf)");
  expect(await json("skills", "list")).toEqual([]);
  expect((await knack("skills", "list", "--all")).out).toMatch(/^bill +disabled +imported /mu);
  const shown = (await knack("skills", "show", "bill")).out;
  expect(shown).toMatch(/^file {10}bill\/SKILL\.md$/mu);
  expect(shown).toContain("(keys-extra)");
  expect((await knack("skills", "import", "bill")).out).toMatch(/^unchanged bill\/SKILL\.md/u);

  const { file } = await json("skills", "export", "bill", "out");
  expect([(await stat(file)).mode & 0o777, (await readFile(file, "utf8")).includes('  model: "big"')]).toEqual([0o600, true]);
  expectOneLine(await knack("skills", "export", "bill", "out"), 2, "--overwrite");
  expect(await json("skills", "export", "bill", "out", "--overwrite")).toMatchObject({ name: "bill" });
  expect(await knack("skills", "validate", "out/bill")).toMatchObject({ code: 0, out: expect.stringMatching(/^valid {2}bill\/SKILL\.md/u) });
  expect((await json("skills", "export", "bill")).file).toContain(join("home", "exports", "bill", "SKILL.md"));
});

test("of many files each has its result; those that cannot be read are refused with a reason, and nothing is written elsewhere", async () => {
  await put("many/one/SKILL.md", skillText("one"));
  await put("many/two/SKILL.md", skillText("two"));
  await put("many/evil/SKILL.md", skillText("../evil"));
  await put("many/big/SKILL.md", "x".repeat(5_000_000));
  await put("many/binary/SKILL.md", new Uint8Array([0, 1, 2, 255]));
  await put("many/clash/SKILL.md", skillText("bill"));
  await mkdir(join(folder, "many/linked"));
  await symlink(join(folder, "bill/SKILL.md"), join(folder, "many/linked/SKILL.md"));
  const { code, out } = await knack("skills", "import", "many", "--json");
  const results = JSON.parse(out) as { path: string; outcome: string; reason: string }[];
  expect([code, results.map(({ path, outcome }) => `${path} ${outcome}`)]).toEqual([
    1,
    [
      "many/big/SKILL.md refused",
      "many/binary/SKILL.md refused",
      "many/clash/SKILL.md refused",
      "many/evil/SKILL.md refused",
      "many/linked/SKILL.md refused",
      "many/one/SKILL.md imported",
      "many/two/SKILL.md imported",
    ],
  ]);
  expect(results[2]?.reason).toContain('taken by the skill "bill"');
  expect(results.every(({ reason }) => reason !== "")).toBe(true);
  const { code: valid, out: said } = await knack("skills", "validate", "many/one", "many/evil");
  expect([valid, said]).toEqual([1, expect.stringMatching(/^valid {2}one\/SKILL\.md .*\nnot valid {2}evil\/SKILL\.md\n {2}error/u)]);
  expectOneLine(await knack("skills", "import", "nowhere"), 2, "nowhere");
  expectOneLine(await knack("skills", "export", "nothing"), 2, "knack skills list --all");
});

test("packs are listed with what of them could not be read, which the list of skills points to", async () => {
  expect((await knack("skills", "packs")).out).toContain("There are no packs");
  await put("home/skills/office/lamp/SKILL.md", skillText("lamp"));
  await put("home/skills/office/bill/SKILL.md", skillText("bill"));
  await put("home/skills/office/contributions/prices.md", "---\nposition: cached\n---\nEuros.\n");
  const listed = await knack("skills", "list");
  expect(listed.out).toMatch(/^lamp +active +authored:office /mu);
  expect(listed.err).toContain("1 file of packs could not be read; see: knack skills packs");
  const { out } = await knack("skills", "packs");
  expect(out).toMatch(/^office\n {2}not read {2}office\/bill\/SKILL\.md\n {4}error .*"bill"/u);
  expect(out).toContain('  skill "lamp"  office/lamp/SKILL.md\n');
  expect(out).toContain("  text for the prompt, cached  office/contributions/prices.md\n");
  expectOneLine(await knack("skills", "erase", "lamp", "--yes"), 2, "office/lamp/SKILL.md");
});
