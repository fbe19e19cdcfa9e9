import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAgent } from "#app/create-agent.ts";
import { expectOneLine, jsonIn, knackIn } from "./cli-process.ts";

let folder: string;
const knack = (...args: string[]) => knackIn(folder, args);
const json = (...args: string[]) => jsonIn(folder, args);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "knack-memory-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("what is added stands under the label it belongs to, once, and what cannot be so any more gives way", async () => {
  const first = await json("memory", "add", "I live in Leeds");
  expect(first).toMatchObject({ label: "SOUL", source: "user", became: "added", before: null });
  expect((await knack("memory", "add", "We live in Leeds.")).out).toContain(`known already ${first.id}`);
  expect((await knack("memory", "add", "I moved to York")).out).toMatch(/remembered .*: I moved to York\nin the place of: We live in Leeds\./u);
  await json("memory", "add", "Green folder on the shelf", "--label", "focus");
  expect((await json("memory", "list")).map(({ label, text }: { label: string; text: string }) => [label, text])).toEqual([
    ["SOUL", "I moved to York"],
    ["FOCUS", "Green folder on the shelf"],
  ]);
  expect((await knack("memory", "show", first.id.slice(-6))).out).toMatch(
    /^I moved to York\nid .*\nkind +soul \(about you\)\nfrom +you wrote it\n[\s\S]*before\n +until .* {2}We live in Leeds\. \(you wrote it\)\n$/u,
  );
});

test("a fact is worded anew or put elsewhere by a shortened id, and what is not clear names what could be meant", async () => {
  const [{ id }] = await json("memory", "list");
  expect(await json("memory", "edit", id.slice(-5).toLowerCase(), "--text", "I live near York", "--label", "note")).toMatchObject({
    id,
    text: "I live near York",
    label: "NOTE",
  });
  expectOneLine(await knack("memory", "edit", id), 2, "--text TEXT");
  expectOneLine(await knack("memory", "edit", id, "--label", "mood"), 2, "soul, preference, focus, note");
  expectOneLine(await knack("memory", "show", id.slice(0, 4)), 2, "2 facts could be meant", id);
  expectOneLine(await knack("memory", "show", "nothing of the kind"), 2, "knack memory list");
});

test("a password is refused, however it comes in, and named is the vault", async () => {
  const before = await json("memory", "list");
  expectOneLine(await knack("memory", "add", "my password is hunter2"), 2, "vault");
  expectOneLine(await knack("memory", "edit", before[0].id, "--text", "card 4111 1111 1111 1111"), 2, "vault");
  await writeFile(join(folder, "secrets.txt"), "I like tea\nwifi password: banana\n");
  const { code, out } = await knack("memory", "import", "secrets.txt");
  expect([code, out]).toEqual([1, expect.stringMatching(/remembered +I like tea\nleft out +This looks like a password/u)]);
  expect(out).not.toContain("banana");
  expect((await json("memory", "list")).map(({ text }: { text: string }) => text)).toEqual([...before.map(({ text }: { text: string }) => text), "I like tea"]);
});

test("what is exported is taken in elsewhere, once; a file that is none says so", async () => {
  const file = join(folder, "facts.json");
  expect((await knack("memory", "export", "facts.json")).out).toBe(`exported to ${file}\n`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expectOneLine(await knack("memory", "export", "facts.json"), 1, "is there already");
  const written = JSON.parse(await readFile(file, "utf8"));
  expect([written, await json("memory", "export")]).toEqual([
    expect.objectContaining({ knack: "memory", version: 1 }),
    expect.objectContaining({ facts: written.facts }),
  ]);
  expect((await knack("memory", "import", "facts.json")).out).toMatch(/0 facts remembered, 3 known already, 0 left out\n$/u);
  const elsewhere = { env: { KNACK_HOME: join(folder, "elsewhere") } };
  expect((await knackIn(folder, ["memory", "import", "facts.json"], elsewhere)).out).toMatch(/3 facts remembered, 0 known already, 0 left out\n$/u);
  const { out } = await knackIn(folder, ["memory", "list"], elsewhere);
  expect(out).toMatch(/note +\S+ +\S+ +imported by you +I live near York/u);
  await writeFile(join(folder, "bad.json"), Buffer.from([0xff, 0xfe, 0x41]));
  expectOneLine(await knack("memory", "import", "bad.json"), 2, "UTF-8");
  expectOneLine(await knack("memory", "import", "none.json"), 2, "There is no file");
  expectOneLine(await knack("memory", "import", "."), 2, "it is a folder");
  expectOneLine(await knack("memory", "import", "/dev/zero"), 2, "more than 8 MB");
});

test("forgetting asks first, and says what still holds it", async () => {
  const [{ id }] = await json("memory", "list");
  expectOneLine(await knack("memory", "forget", id), 3, "--yes");
  expect((await knack("memory", "forget", id, "--yes")).out).toMatch(new RegExp(`^forgotten ${id}\n`, "u"));
  expectOneLine(await knack("memory", "show", id), 2, "There is no fact");
});

test("what was said in a conversation that is no longer kept is forgotten like everything else", async () => {
  const agent = await createAgent({ dataFolder: join(folder, "home"), cacheFolder: join(folder, "cache"), env: {}, maintenance: false });
  const provenance = { conversationId: "long gone", messageId: "m", sentence: "My bin day is Tuesday" };
  const at = Date.now();
  agent.world.stores.facts.add({
    id: "01FROMLONGAGO",
    label: "NOTE",
    text: "My bin day is Tuesday",
    source: "conversation",
    createdAt: at,
    updatedAt: at,
    provenance,
  });
  await agent.close();
  expect(await knack("memory", "forget", "01FROMLONGAGO", "--yes")).toMatchObject({
    code: 0,
    err: "",
    out: expect.stringContaining("forgotten 01FROMLONGAGO"),
  });
});

test("with memory off what is stored stays, and says so; nothing is added, and it can still be forgotten", async () => {
  await knack("settings", "set", "memory", "off");
  const { out, err } = await knack("memory", "list");
  expect([out, err]).toEqual([expect.stringContaining("I like tea"), expect.stringContaining("Memory is off: none of this is used")]);
  expectOneLine(await knack("memory", "add", "I like coffee"), 3, "knack settings set memory on");
  expectOneLine(await knack("memory", "import", "facts.json"), 3, "Memory is off");
  const before = await json("memory", "list");
  await json("memory", "forget", "I like tea", "--yes");
  expect(await json("memory", "list")).toHaveLength(before.length - 1);
});
