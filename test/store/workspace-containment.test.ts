import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeOf, type Granted, grantedFolder, never } from "./fixtures/workspace.ts";

/** Every operation that takes a path. */
const operations: Record<string, (granted: Granted, path: string) => Promise<unknown>> = {
  list: ({ workspace }, path) => workspace.list(path, never),
  read: ({ workspace }, path) => workspace.read(path, never),
  write: ({ workspace }, path) => workspace.write(path, "overwritten", never),
  "move from": ({ workspace }, path) => workspace.move(path, "taken", never),
  "move to": ({ workspace }, path) => workspace.move("file.txt", path, never),
  exists: ({ workspace }, path) => workspace.exists(path),
};

/** A workspace with a link out to a folder, to a file, to nothing, relative and by way of another link, and a circle. */
async function linkedFolder(): Promise<Granted> {
  const granted = await grantedFolder({ "file.txt": "text", "folder/inner.txt": "text" });
  const { inside, outside } = granted;
  symlinkSync(outside, join(inside, "out"));
  symlinkSync(join("..", "..", "papers-private"), join(inside, "folder", "out-relative"));
  symlinkSync(join(outside, "secret.txt"), join(inside, "out.txt"));
  symlinkSync("out", join(inside, "out-by-way"));
  symlinkSync(join(outside, "not-there-yet.txt"), join(inside, "dangling.txt"));
  symlinkSync("circle", join(inside, "circle"));
  symlinkSync("/", join(inside, "root"));
  symlinkSync("folder", join(inside, "within"));
  return granted;
}

/** Everything beside the workspace, with its content. */
function outsideState({ outside }: Granted): string[] {
  const beside = readdirSync(dirname(outside)).sort();
  return [...beside, ...readdirSync(outside, { recursive: true }).map((name) => `${String(name)}=${readFileSync(join(outside, String(name)), "utf8")}`)];
}

const leaving = (outside: string): string[] => [
  "..",
  "../papers-private/secret.txt",
  "folder/../../papers-private/secret.txt",
  "folder/..",
  "./../papers-private",
  join(outside, "secret.txt"),
  "/etc/passwd",
  "//etc/passwd",
  "\\\\server\\share",
  "C:\\secret.txt",
  "c:/secret.txt",
  "out",
  "out/secret.txt",
  "out/new.txt",
  "out/new/deeper.txt",
  "folder/out-relative/secret.txt",
  "within/out-relative/secret.txt",
  "out.txt",
  "out-by-way/secret.txt",
  "dangling.txt",
  "dangling.txt/deeper",
  "circle",
  "circle/file.txt",
  "root/etc/passwd",
  "root",
];

describe.each(Object.entries(operations))("%s", (name, operation) => {
  it("refuses every way out and leaves what is outside as it was", async () => {
    const granted = await linkedFolder();
    const before = outsideState(granted);
    for (const path of leaving(granted.outside)) expect([path, await codeOf(operation(granted, path))]).toEqual([path, "workspace.outside"]);
    expect(await codeOf(operation(granted, "fi\0le.txt"))).toBe("workspace.bad-path");
    expect(outsideState(granted)).toEqual(before);
    expect(readFileSync(join(granted.inside, "file.txt"), "utf8")).toBe("text");
  });

  it("follows a link that stays inside", async () => {
    const granted = await linkedFolder();
    const path = { "move to": "within/new.txt", list: "within" }[name] ?? "within/inner.txt";
    expect(await codeOf(operation(granted, path))).toBe("done");
  });
});

describe("whatever path is given, made of names, dots, links and rubbish", () => {
  const segment = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        "..",
        ".",
        "",
        "folder",
        "out",
        "within",
        "out-relative",
        "dangling.txt",
        "circle",
        "root",
        "new",
        "file.txt",
        "papers-private",
        "secret.txt",
        "etc",
      ),
    },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 6 }) },
  );
  const anyPath = fc.tuple(fc.constantFrom("", "/", "./", "../"), fc.array(segment, { maxLength: 6 })).map(([start, segments]) => start + segments.join("/"));

  it("nothing outside is read, listed, changed or made", { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(...Object.keys(operations)), anyPath), { minLength: 1, maxLength: 12 }), async (calls) => {
        const granted = await linkedFolder();
        const before = outsideState(granted);
        for (const [name, path] of calls) {
          const result = await operations[name]?.(granted, path).catch((error: unknown) => {
            expect(String((error as { code?: unknown }).code)).toMatch(/^workspace\./u);
          });
          expect(result).not.toBe("secret");
          if (Array.isArray(result))
            for (const entry of result as { path: string }[]) {
              // Resolved but for its last name, which may be a link that leads out and is only named here. Nothing outside counts, whatever it is called.
              const home = realpathSync(dirname(join(granted.inside, entry.path)));
              expect(relative(realpathSync(granted.inside), home)).not.toMatch(/^\.\./u);
            }
        }
        expect(outsideState(granted)).toEqual(before);
      }),
      { numRuns: 120 },
    );
  });

  it("plain names never count as a way out", async () => {
    const name = fc.string({ unit: fc.constantFrom(..."abcXYZ 09._-~$&'äß語🦊"), minLength: 1, maxLength: 12 }).filter((text) => text !== "." && text !== "..");
    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 4 }), async (names) => {
        const { workspace, inside } = await grantedFolder();
        const path = names.join("/");
        await workspace.write(path, "text", never);
        expect(await workspace.read(path, never)).toBe("text");
        expect(existsSync(join(inside, ...names))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe("a folder inside that was replaced by a link out", () => {
  it("is noticed at the next use", async () => {
    const { workspace, inside, outside } = await grantedFolder({ "a/file.txt": "text" });
    expect(await workspace.read("a/file.txt", never)).toBe("text");
    await workspace.move("a", "b", never);
    symlinkSync(outside, join(inside, "a"));
    mkdirSync(join(outside, "sub"));
    writeFileSync(join(outside, "file.txt"), "secret");
    expect([await codeOf(workspace.read("a/file.txt", never)), await codeOf(workspace.write("a/sub/new.txt", "x", never))]).toEqual([
      "workspace.outside",
      "workspace.outside",
    ]);
    expect(readdirSync(join(outside, "sub"))).toEqual([]);
  });
});
