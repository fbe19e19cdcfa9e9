import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { findBrowser } from "#adapters/browser/find-browser.ts";
import { withLock } from "./lock.mjs";
import { run } from "./run.mjs";
import { progress, say } from "./say.mjs";

/** Sees to it that there is a browser that starts: an installed one, else Playwright's download, else the system's package. Says so in a line when none can be had. */
export async function ensureBrowser(): Promise<void> {
  if (browserThatStarts() !== undefined) return;
  const told = process.env.KNACK_BROWSER;
  if (told) return say(`KNACK_BROWSER names ${told}, which does not start: Knack cannot open pages. Correct it, or unset it to have a browser found.`);
  await withLock("browser", fetchBrowser);
}

async function fetchBrowser(): Promise<void> {
  // Another command may have fetched it while this one waited.
  if (browserThatStarts() !== undefined) return;
  for (const fetch of [fetchWithPlaywright, fetchWithApt]) {
    await fetch();
    const browser = browserThatStarts();
    if (browser !== undefined) return say(`Browser: ${browser}`);
  }
  say("No browser could be had: Knack answers, but cannot open pages. Install Chrome, Chromium or Edge and start again.");
}

async function fetchWithPlaywright(): Promise<void> {
  say("No Chrome, Chromium or Edge found; downloading Chromium (about 170 MB, once) …");
  await runQuietly(process.execPath, ["node_modules/playwright-core/cli.js", "install", "--no-shell", "chromium"], {
    PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "15000",
  });
}

async function fetchWithApt(): Promise<void> {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  say("Installing the system's chromium package instead …");
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await runQuietly("apt-get", ["update"], env);
  await runQuietly("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], env);
}

/** Its lines pass by as progress; one of them is kept for the case that it fails. */
async function runQuietly(command: string, args: string[], env: Record<string, string>): Promise<void> {
  const said: string[] = [];
  const onLine = (line: string): void => {
    if (line.trim() === "") return;
    said.push(line.trim());
    progress(line.trim());
  };
  const code = await run(command, args, { env, onLine, stdin: "ignore" });
  const why = said.findLast((line) => /error|failed|unable/iu.test(line)) ?? said.at(-1) ?? "no output";
  if (code !== 0) say(`That did not work: ${why}`);
}

/** A browser whose libraries are missing is there but does not start. On Windows `--version` opens a window, so being there is enough. */
function browserThatStarts(): string | undefined {
  const path = findBrowser();
  if (path === null) return undefined;
  return process.platform === "win32" || spawnSync(path, ["--version"], { timeout: 20_000, stdio: "ignore" }).status === 0 ? path : undefined;
}
