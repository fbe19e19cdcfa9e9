import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { expectOneLine, jsonIn, knackIn } from "./cli-process.ts";

let folder: string;
const knack = (...args: string[]) => knackIn(folder, args);
const json = (...args: string[]) => jsonIn(folder, args);
const fileOf = (name: string) => join(folder, "home", "blocks", `${name}.md`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "knack-cli-"));
});
beforeEach(async () => {
  await rm(join(folder, "home"), { recursive: true, force: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("blocks are listed with tier, layer, source, state, revision and size; tokens are not made up without a model", async () => {
  const { out, code } = await knack("blocks", "list");
  expect(code).toBe(0);
  expect(out).toMatch(/^BLOCK +TIER +LAYER +ORDER +SOURCE +PERMITS +STATE +REVISION +BYTES +TOKENS$/mu);
  expect(out).toMatch(/^BOUNDARIES +platform +L1 +10 +static +read +rendered +sha256:[0-9a-f]{8} +\d+ +–$/mu);
  expect(out).toMatch(/^RULES +operating +L1 +30 +file +read,edit +empty +sha256:e3b0c442 +0 +–$/mu);
  expect(out).toMatch(/^FOCUS +session +L2 +70 +memory +read +empty +mem:0:0 +0 +–$/mu);
  expect(out).toMatch(/tokens are counted once a model is loaded\. Of you: name unknown, location unknown, role unknown\.$/mu);
});

test("a text is given, shown and reset, in words and as JSON", async () => {
  expect((await knack("blocks", "edit", "rules", "--text", "Amounts in euros.")).out).toMatch(/^RULES is taken up at the next message; it has 23 bytes/u);
  expect(await readFile(fileOf("RULES"), "utf8")).toBe("Amounts in euros.");
  const shown = (await knack("blocks", "show", "RULES")).out;
  expect(shown).toContain("RULES: operating, L1, order 30, file, rendered\n");
  expect(shown).toContain("\n\nRULES\nAmounts in euros.\n");
  expect(await json("blocks", "show", "rules")).toMatchObject({ name: "RULES", isOwn: true, written: "Amounts in euros.", tokens: null });
  expect((await knack("blocks", "reset", "RULES")).out).toBe("RULES is as Knack comes with it: without a text\n");
  expect(await json("blocks", "list")).toMatchObject({
    blocks: expect.arrayContaining([expect.objectContaining({ name: "RULES", state: "empty", isOwn: false })]),
  });
});

test("a text comes from a file or an editor, and an editor that changes nothing changes nothing", async () => {
  const from = join(folder, "own.md");
  await writeFile(from, "You are Otto.\n");
  expect((await knack("blocks", "edit", "IDENTITY", "--from", from)).code).toBe(0);
  const editor = join(folder, "editor.mjs");
  await writeFile(editor, "#!/usr/bin/env node\nimport { appendFileSync } from 'node:fs';\nappendFileSync(process.argv[2], process.env.ADDS ?? '');\n");
  await chmod(editor, 0o755);
  const edit = (adds: string) => knackIn(folder, ["blocks", "edit", "IDENTITY"], { env: { VISUAL: `${process.execPath} ${editor}`, ADDS: adds } });
  expect((await edit("")).out).toBe("IDENTITY is as it was\n");
  expect((await edit("And brief.\n")).code).toBe(0);
  expect(await readFile(fileOf("IDENTITY"), "utf8")).toBe("You are Otto.\nAnd brief.\n");
});

test("what cannot be is one line that says what there is, and changes nothing", async () => {
  expectOneLine(await knack("blocks", "show", "NOPE"), 2, 'There is no block "NOPE"', "BOUNDARIES, IDENTITY");
  expectOneLine(await knack("blocks", "edit", "BOUNDARIES", "--text", "x"), 2, "there are: IDENTITY, RULES");
  expectOneLine(await knack("blocks", "edit", "RULES", "--text", "x".repeat(2001)), 2, "2001 characters; at most 2000", "RULES is as it was");
  expectOneLine(await knack("blocks", "edit", "RULES", "--text", "x", "--from", "y"), 2, "not with both");
  expectOneLine(await knack("blocks", "edit", "RULES", "--from", join(folder, "none.md")), 2, "There is no file");
  expectOneLine(await knack("blocks", "edit", "RULES", "--from", folder), 2, "it is a folder");
  expectOneLine(await knack("blocks", "edit", "RULES", "--from", "/dev/zero"), 2, "more than 8 MB");
  expectOneLine(await knackIn(folder, ["blocks", "edit", "RULES"], { env: { VISUAL: "", EDITOR: "" } }), 2, "--text TEXT");
  expectOneLine(await knack("blocks", "decline", "salary"), 2, "there are: name, location, role");
});

test("a file that cannot be read is told of where blocks are listed, and the others are there all the same", async () => {
  await knack("blocks", "edit", "IDENTITY", "--text", "You are Otto.");
  await writeFile(fileOf("IDENTITY"), Buffer.from([0, 1, 2]));
  const { code, out, err } = await knack("blocks", "list");
  expect([code, /^IDENTITY .* failed /mu.test(out), /^BOUNDARIES .* rendered /mu.test(out)]).toEqual([0, true, true]);
  expect(err).toContain(`${fileOf("IDENTITY")} is not text (UTF-8)`);
  const { checks } = JSON.parse((await knack("doctor", "--json")).out);
  expect(checks.find(({ what }: { what: string }) => what === "context")).toMatchObject({ state: "missing", todo: "knack blocks reset IDENTITY" });
});

test("what a person would rather not say is not asked for, until it may be again", async () => {
  expect((await knack("blocks", "decline", "location")).out).toBe("your location is not asked for\n");
  expect((await knack("blocks", "show", "ONBOARDING")).out).toContain("You do not know the user's name, role.");
  expect(await json("blocks", "ask-again", "location")).toEqual({ name: "unknown", location: "unknown", role: "unknown" });
});
