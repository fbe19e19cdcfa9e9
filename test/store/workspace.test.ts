import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWorkspace } from "#adapters/files/index.ts";
import { temporaryFolder } from "./fixtures/stores.ts";
import { codeOf, grantedFolder, never } from "./fixtures/workspace.ts";

describe("opening a workspace", () => {
  it("takes an existing folder, by its real name", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "real"));
    symlinkSync(join(folder, "real"), join(folder, "link"));
    writeFileSync(join(folder, "file"), "");
    expect((await openWorkspace(join(folder, "link"))).folder).toBe(join(folder, "real"));
    expect(await codeOf(openWorkspace(join(folder, "none")))).toBe("workspace.missing");
    expect(await codeOf(openWorkspace(join(folder, "file")))).toBe("workspace.not-folder");
  });
});

describe("reading", () => {
  it("returns text, without a byte-order mark", async () => {
    const { workspace } = await grantedFolder({ "a/b.txt": "Grüße\r\n", "bom.txt": "\ufeffhello" });
    expect([await workspace.read("a/b.txt", never), await workspace.read("./a//b.txt", never), await workspace.read("bom.txt", never)]).toEqual([
      "Grüße\r\n",
      "Grüße\r\n",
      "hello",
    ]);
  });

  it("takes up to 1 MB, and says what is too large", async () => {
    const { workspace } = await grantedFolder({ "most.txt": "x".repeat(1_000_000), "more.txt": "x".repeat(1_000_001) });
    expect((await workspace.read("most.txt", never)).length).toBe(1_000_000);
    expect(await codeOf(workspace.read("more.txt", never))).toBe("workspace.too-large");
  });

  it("refuses what is not text", async () => {
    const { workspace } = await grantedFolder({ "nul.bin": new Uint8Array([65, 0, 66]), "latin1.txt": new Uint8Array([0x47, 0x72, 0xfc]) });
    expect([await codeOf(workspace.read("nul.bin", never)), await codeOf(workspace.read("latin1.txt", never))]).toEqual([
      "workspace.binary",
      "workspace.binary",
    ]);
  });

  it("says what a path is when it is no file", async () => {
    const { workspace, inside } = await grantedFolder({ "folder/file.txt": "x" });
    execFileSync("mkfifo", [join(inside, "pipe")]);
    expect([
      await codeOf(workspace.read("none.txt", never)),
      await codeOf(workspace.read("folder", never)),
      await codeOf(workspace.read("", never)),
      await codeOf(workspace.read("folder/file.txt/more", never)),
      await codeOf(workspace.read("pipe", never)),
    ]).toEqual(["workspace.missing", "workspace.not-file", "workspace.not-file", "workspace.not-folder", "workspace.not-file"]);
  });

  it("stops when aborted", async () => {
    const { workspace } = await grantedFolder({ "a.txt": "x" });
    const reason = new Error("the user stopped it");
    await expect(workspace.read("a.txt", AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe("writing", () => {
  it("makes the file and the folders to it, or replaces the text and keeps the rights", async () => {
    const { workspace, inside } = await grantedFolder({ "old.sh": "old" });
    chmodSync(join(inside, "old.sh"), 0o770);
    await workspace.write("new/deep/file.txt", "text", never);
    await workspace.write("old.sh", "new", never);
    expect(readFileSync(join(inside, "new/deep/file.txt"), "utf8")).toBe("text");
    expect(readFileSync(join(inside, "old.sh"), "utf8")).toBe("new");
    expect((statSync(join(inside, "old.sh")).mode & 0o777).toString(8)).toBe("770");
    expect(readdirSync(inside).sort()).toEqual(["new", "old.sh"]);
  });

  it("puts a whole new file in place of the old one, so no reader sees half of it", async () => {
    const { workspace, inside, outside } = await grantedFolder();
    linkSync(join(outside, "secret.txt"), join(inside, "same-file.txt"));
    await workspace.write("same-file.txt", "new", never);
    expect([readFileSync(join(inside, "same-file.txt"), "utf8"), readFileSync(join(outside, "secret.txt"), "utf8")]).toEqual(["new", "secret"]);
  });

  it("that is refused or stopped leaves everything as it was", async () => {
    const { workspace, inside } = await grantedFolder({ "a.txt": "old", "folder/x.txt": "x" });
    expect([
      await codeOf(workspace.write("folder", "text", never)),
      await codeOf(workspace.write("", "text", never)),
      await codeOf(workspace.write("a.txt/b", "text", never)),
    ]).toEqual(["workspace.not-file", "workspace.not-file", "workspace.not-folder"]);
    // Stopped at the last moment, when the draft lies complete beside the file.
    const { signal } = new AbortController();
    signal.throwIfAborted = () => {
      if (readdirSync(inside).some((name) => name.startsWith(".knack-draft-"))) throw new Error("stopped");
    };
    await expect(workspace.write("a.txt", "new", signal)).rejects.toThrow("stopped");
    expect(readFileSync(join(inside, "a.txt"), "utf8")).toBe("old");
    await expect(workspace.write("b.txt", "new", AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
    expect(readdirSync(inside).sort()).toEqual(["a.txt", "folder"]);
  });
});

describe("listing", () => {
  it("names files and folders in order, links as what they lead to, and nothing that cannot be used", async () => {
    const { workspace, inside, outside } = await grantedFolder({ "b.txt": "12345", "a/inner.txt": "1" });
    symlinkSync(join(inside, "b.txt"), join(inside, "link-in"));
    symlinkSync(join(outside, "secret.txt"), join(inside, "link-out"));
    symlinkSync(join(inside, "nothing"), join(inside, "link-to-nothing"));
    writeFileSync(join(inside, ".knack-draft-left-by-a-crash"), "half");
    expect(await workspace.list("", never)).toEqual([
      { path: "a", kind: "folder", bytes: 0 },
      { path: "b.txt", kind: "file", bytes: 5 },
      { path: "link-in", kind: "file", bytes: 5 },
    ]);
    expect(await workspace.list("a", never)).toEqual([{ path: "a/inner.txt", kind: "file", bytes: 1 }]);
    expect([await codeOf(workspace.list("none", never)), await codeOf(workspace.list("b.txt", never))]).toEqual(["workspace.missing", "workspace.not-folder"]);
  });
});

describe("moving", () => {
  it("renames files and folders, also into new folders", async () => {
    const { workspace, inside } = await grantedFolder({ "a.txt": "a", "folder/b.txt": "b" });
    await workspace.move("a.txt", "new/c.txt", never);
    await workspace.move("folder", "renamed", never);
    expect([readFileSync(join(inside, "new/c.txt"), "utf8"), readFileSync(join(inside, "renamed/b.txt"), "utf8"), existsSync(join(inside, "a.txt"))]).toEqual([
      "a",
      "b",
      false,
    ]);
  });

  it("never replaces anything, and says what is wrong", async () => {
    const { workspace, inside } = await grantedFolder({ "a.txt": "a", "b.txt": "b", "folder/c.txt": "c" });
    expect([
      await codeOf(workspace.move("a.txt", "b.txt", never)),
      await codeOf(workspace.move("a.txt", "folder", never)),
      await codeOf(workspace.move("none.txt", "d.txt", never)),
      await codeOf(workspace.move("folder", "folder/deeper", never)),
      await codeOf(workspace.move("", "d", never)),
      await codeOf(workspace.move("a.txt", "", never)),
    ]).toEqual(["workspace.exists", "workspace.exists", "workspace.missing", "workspace.bad-path", "workspace.bad-path", "workspace.bad-path"]);
    expect([readFileSync(join(inside, "a.txt"), "utf8"), readFileSync(join(inside, "b.txt"), "utf8")]).toEqual(["a", "b"]);
  });
});

describe("searching", () => {
  it("finds lines in every text file, in any case, and skips what is no text, too large, or linked", async () => {
    const { workspace, inside, outside } = await grantedFolder({
      "a.txt": "one\nThe BILL of June\nthree",
      "deep/er/b.md": "bill\r\nno",
      "image.bin": new Uint8Array([0, 1, 2]),
      "large.txt": `bill ${"x".repeat(1_000_001)}`,
      ".git/config": "bill",
    });
    symlinkSync(outside, join(inside, "link-out"));
    symlinkSync(inside, join(inside, "circle"));
    expect(await workspace.search("bill", never)).toEqual([
      { path: "a.txt", line: 2, text: "The BILL of June" },
      { path: "deep/er/b.md", line: 1, text: "bill" },
    ]);
    expect(await workspace.search("secret", never)).toEqual([]);
  });

  it("returns at most 200 lines of at most 400 characters, and wants words", async () => {
    const { workspace } = await grantedFolder({ "a.txt": `bill ${"x".repeat(1000)}\n`.repeat(150), "b.txt": "bill\n".repeat(150) });
    const hits = await workspace.search("bill", never);
    expect([hits.length, Math.max(...hits.map(({ text }) => text.length))]).toEqual([200, 400]);
    expect(await codeOf(workspace.search("  ", never))).toBe("bad-input");
  });
});

describe("asking whether a file exists", () => {
  it("says yes, no, or that the path leaves the workspace", async () => {
    const { workspace } = await grantedFolder({ "a.txt": "a" });
    expect([
      await workspace.exists("a.txt"),
      await workspace.exists("none"),
      await workspace.exists("no/where"),
      await codeOf(workspace.exists("../papers-private/secret.txt")),
    ]).toEqual([true, false, false, "workspace.outside"]);
  });
});
