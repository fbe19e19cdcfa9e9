import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { privateFolder } from "#adapters/files/index.ts";
import { foldersOf } from "#app/folders.ts";
import { codeThrown, knackError, temporaryFolder } from "./fixtures/stores.ts";

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe("the usual places", () => {
  const env = { HOME: "/home/kim" };
  it.each([
    ["linux", env, "/home/kim/.local/share/knack", "/home/kim/.cache/knack"],
    ["linux", { ...env, XDG_DATA_HOME: "/data", XDG_CACHE_HOME: "/cache" }, "/data/knack", "/cache/knack"],
    ["linux", { ...env, XDG_DATA_HOME: "relative", XDG_CACHE_HOME: "" }, "/home/kim/.local/share/knack", "/home/kim/.cache/knack"],
    ["darwin", env, "/home/kim/Library/Application Support/Knack", "/home/kim/Library/Caches/Knack"],
    ["win32", { ...env, LOCALAPPDATA: "/local" }, "/local/Knack/Data", "/local/Knack/Cache"],
    ["linux", { ...env, KNACK_HOME: "/own", KNACK_CACHE: "/models" }, "/own", "/models"],
    ["linux", { ...env, KNACK_HOME: "", KNACK_CACHE: "" }, "/home/kim/.local/share/knack", "/home/kim/.cache/knack"],
  ] as const)("on %s with %o", (platform, variables, data, cache) => {
    expect(foldersOf(variables, platform)).toEqual({ dataFolder: data, cacheFolder: cache });
  });
});

describe("a private folder", () => {
  it("is made for its user alone", () => {
    const folder = join(temporaryFolder(), "deep", "knack");
    expect([privateFolder(folder, "KNACK_HOME"), mode(folder)]).toEqual([folder, "700"]);
  });

  it("that others could enter is closed to them, with its files kept", () => {
    const folder = join(temporaryFolder(), "knack");
    mkdirSync(folder);
    writeFileSync(join(folder, "knack.db"), "kept");
    chmodSync(folder, 0o755);
    privateFolder(folder, "KNACK_HOME");
    expect([mode(folder), existsSync(join(folder, "knack.db"))]).toEqual(["700", true]);
  });

  it("is never a folder that belongs to others as well", () => {
    for (const shared of ["/", tmpdir(), homedir()]) {
      const before = mode(shared);
      expect(codeThrown(() => privateFolder(shared, "KNACK_HOME"))).toBe("files.folder");
      expect(mode(shared)).toBe(before);
    }
  });

  it("that cannot be made names the setting that helps", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    expect(knackError(() => privateFolder(join(folder, "file", "knack"), "KNACK_HOME")).message).toContain("KNACK_HOME");
  });

  it.runIf(process.platform === "linux")("is refused at once where the system makes none, though its parent is there", () => {
    // Seen failing as a process that never ended: so it runs in one of its own.
    const script = `import { privateFolder } from "#adapters/files/index.ts"; try { privateFolder("/proc/knack/data", "KNACK_HOME"); } catch (error) { console.log(error.code); }`;
    const { stdout, signal } = spawnSync(process.execPath, ["--input-type=module-typescript", "-e", script], {
      encoding: "utf8",
      timeout: 15_000,
      killSignal: "SIGKILL",
    });
    expect([signal, stdout.trim()]).toEqual([null, "files.folder"]);
  });
});
