import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSkillFiles } from "#adapters/files/skill-files/open-skill-files.ts";
import type { FoundFile, FoundPack } from "#core/ports/skill-files.ts";
import { put, skillText, temporaryFolder } from "../fixtures/makers/skill-files.ts";

const { signal } = new AbortController();
const look = async (folder: string, known: string | null = null) => {
  const found = await openSkillFiles(folder).packs(known, signal);
  if (found === null) throw new Error("nothing changed");
  return found;
};
const told = (files: readonly FoundFile[]): string[] => files.map((file) => `${file.path}: ${"text" in file ? "read" : file.problem.code}`);
const inPacks = (packs: readonly FoundPack[]): string[] => packs.flatMap(({ skills, contributions }) => [...told(skills), ...told(contributions)]);

describe("packs on disk", () => {
  it("are folders of folders with a SKILL.md, and of texts for the prompt", async () => {
    const root = temporaryFolder();
    put(root, "office/bill/SKILL.md", skillText("bill"));
    put(root, "office/slip/skill.md", skillText("slip"));
    put(root, "office/contributions/prices.md", "---\nposition: cached\n---\nEuros.");
    put(root, "office/contributions/notes.txt", "no");
    put(root, "office/README.md", "About it.");
    put(root, "office/.hidden/SKILL.md", skillText("hidden"));
    put(root, "home/lamp/SKILL.md", skillText("lamp"));
    put(root, "loose.md", "not in a pack");
    const { packs } = await look(root);
    expect(packs.map(({ name }) => name)).toEqual(["home", "office"]);
    expect(inPacks(packs)).toEqual([
      "home/lamp/SKILL.md: read",
      "office/bill/SKILL.md: read",
      "office/slip/skill.md: read",
      "office/contributions/prices.md: read",
    ]);
  });

  it("FIL-04: links, 5 MB, binary files, pipes and folders without a file are refused with a reason, and the others read", async () => {
    const root = temporaryFolder();
    const outside = temporaryFolder();
    put(outside, "secret.md", skillText("secret"));
    put(outside, "pack/secret/SKILL.md", skillText("secret"));
    put(root, "office/good/SKILL.md", skillText("good"));
    put(root, "office/big/SKILL.md", skillText("big", { body: "x".repeat(5_000_000) }));
    put(root, "office/binary/SKILL.md", new Uint8Array([0xff, 0xfe, 0, 1]));
    put(root, "office/stray.md", skillText("stray"));
    mkdirSync(join(root, "office/empty"));
    mkdirSync(join(root, "office/linked-file"));
    mkdirSync(join(root, "office/folder/SKILL.md"), { recursive: true });
    mkdirSync(join(root, "office/pipe"));
    execFileSync("mkfifo", [join(root, "office/pipe/SKILL.md")]);
    symlinkSync(join(outside, "secret.md"), join(root, "office/linked-file/SKILL.md"));
    symlinkSync(join(outside, "pack/secret"), join(root, "office/linked-folder"));
    symlinkSync(join(outside, "pack"), join(root, "linked-pack"));
    const { packs } = await look(root);
    expect(packs.map(({ name, problem }) => [name, problem?.code])).toEqual([
      ["linked-pack", "link"],
      ["office", undefined],
    ]);
    expect(inPacks(packs)).toEqual([
      "office/big/SKILL.md: too-large",
      "office/binary/SKILL.md: binary",
      "office/empty: no-skill",
      "office/folder/SKILL.md: not-file",
      "office/good/SKILL.md: read",
      "office/linked-file/SKILL.md: link",
      "office/linked-folder: link",
      "office/pipe/SKILL.md: not-file",
      "office/stray.md: stray",
    ]);
    expect(JSON.stringify(packs)).not.toContain("secret is wanted");
  });

  it("are read again only when something changed: a text, a file put in its place, a file more or less", async () => {
    const root = temporaryFolder();
    const file = put(root, "office/bill/SKILL.md", skillText("bill"));
    let { mark } = await look(root);
    const changed = async (): Promise<boolean> => {
      const found = await openSkillFiles(root).packs(mark, signal);
      mark = found?.mark ?? mark;
      return found !== null;
    };
    expect(await changed()).toBe(false);
    put(root, "office/bill/SKILL.md", skillText("bill", { body: "# Other\n" }));
    expect([await changed(), await changed()]).toEqual([true, false]);
    put(root, "other.md", skillText("bill", { body: "# Other\n" }));
    renameSync(join(root, "other.md"), file);
    expect(await changed()).toBe(true);
    put(root, "office/slip/SKILL.md", skillText("slip"));
    expect(await changed()).toBe(true);
    rmSync(join(root, "office/slip"), { recursive: true });
    expect([await changed(), await changed()]).toEqual([true, false]);
    rmSync(root, { recursive: true });
    expect([await changed(), (await look(root)).packs]).toEqual([true, []]);
  });

  it("are taken once what is being written is finished", async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, "office/bill"), { recursive: true });
    const text = skillText("bill");
    writeFileSync(join(root, "office/bill/SKILL.md"), text.slice(0, 20));
    setTimeout(() => writeFileSync(join(root, "office/bill/SKILL.md"), text), 60);
    expect((await look(root)).packs[0]?.skills).toEqual([{ path: "office/bill/SKILL.md", text }]);
  });
});

describe("files a person names", () => {
  const find = async (path: string) => told(await openSkillFiles("unused").find(path, signal));
  it("are the file itself, every SKILL.md below a folder, or else its .md files", async () => {
    const root = temporaryFolder();
    const file = put(root, "many/bill/SKILL.md", skillText("bill"));
    put(root, "many/deep/er/slip/SKILL.md", skillText("slip"));
    put(root, "many/notes.md", "no skill");
    put(root, "many/node_modules/x/SKILL.md", skillText("x"));
    put(root, "flat/a.md", skillText("a"));
    put(root, "flat/b.md", skillText("b"));
    expect(await find(file)).toEqual(["bill/SKILL.md: read"]);
    expect(await find(join(root, "many"))).toEqual(["many/bill/SKILL.md: read", "many/deep/er/slip/SKILL.md: read"]);
    expect(await find(join(root, "flat"))).toEqual(["flat/a.md: read", "flat/b.md: read"]);
  });
  it("are refused where they are links, and told where there are none", async () => {
    const root = temporaryFolder();
    put(root, "elsewhere/bill/SKILL.md", skillText("bill"));
    mkdirSync(join(root, "many/one"), { recursive: true });
    symlinkSync(join(root, "elsewhere/bill/SKILL.md"), join(root, "many/one/SKILL.md"));
    symlinkSync(join(root, "elsewhere"), join(root, "many/two"));
    expect(await find(join(root, "many"))).toEqual(["many/one/SKILL.md: link", "many/two: link"]);
    await expect(find(join(root, "nothing"))).rejects.toMatchObject({ code: "bad-input" });
    await expect(find(temporaryFolder())).rejects.toThrow("holds no SKILL.md");
  });
});

describe("a skill written to a file", () => {
  const write = (folder: string, name: string, text: string, overwrite = false) => openSkillFiles("unused").write(folder, name, text, overwrite, signal);
  it("is readable by this user alone, lies in a folder of its name, and replaces nothing unasked", async () => {
    const folder = join(temporaryFolder(), "new");
    const file = await write(folder, "bill", "one");
    expect(file.endsWith("new/bill/SKILL.md")).toBe(true);
    expect([statSync(file).mode & 0o777, statSync(join(folder, "bill")).mode & 0o777]).toEqual([0o600, 0o700]);
    await expect(write(folder, "bill", "two")).rejects.toMatchObject({ code: "files.exists" });
    expect(readFileSync(file, "utf8")).toBe("one");
    await write(folder, "bill", "two", true);
    expect([readFileSync(file, "utf8"), readdirSync(join(folder, "bill"))]).toEqual(["two", ["SKILL.md"]]);
  });
  it.each(["../bill", "a/b", "..", "", "Bill"])("FIL-04: never lands outside its folder: the name %j", async (name) => {
    const folder = temporaryFolder();
    await expect(write(join(folder, "exports"), name, "text")).rejects.toMatchObject({ code: "bad-input" });
    expect(readdirSync(folder)).toEqual([]);
  });
  it("FIL-04: never goes through a link in its way", async () => {
    const [folder, outside] = [temporaryFolder(), temporaryFolder()];
    symlinkSync(outside, join(folder, "bill"));
    mkdirSync(join(folder, "slip"));
    symlinkSync(join(outside, "made.md"), join(folder, "slip/SKILL.md"));
    for (const name of ["bill", "slip"]) await expect(write(folder, name, "text", true)).rejects.toMatchObject({ code: "files.link" });
    expect(readdirSync(outside)).toEqual([]);
  });
  it("says when the folder cannot be written", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    await expect(write(join(folder, "file"), "bill", "text")).rejects.toMatchObject({ code: "files.unwritable" });
    if (process.platform === "linux") await expect(write("/proc/x", "bill", "text")).rejects.toMatchObject({ code: "files.unwritable" });
    expect(existsSync(join(folder, "file/bill"))).toBe(false);
    chmodSync(folder, 0o700);
  });
});
