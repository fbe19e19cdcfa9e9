import { existsSync } from "node:fs";
import { join } from "node:path";
import { findBrowser } from "./find-browser.mjs";
import { withLock } from "./lock.mjs";
import { root } from "./root.mjs";
import { run } from "./run.mjs";
import { progress, say } from "./say.mjs";

/** Path of a browser, fetched when none is installed; undefined, with a line saying so, when none can be had. */
export async function ensureBrowser(node) {
  return findBrowser() ?? (await withLock("browser", async () => findBrowser() ?? (await fetchBrowser(node))));
}

async function fetchBrowser(node) {
  const ways = [
    ["No Chrome, Chromium or Edge found; downloading Chromium (about 170 MB, once) …", () => fetchWithPlaywright(node)],
    ["That download did not work; installing the system's chromium package …", fetchWithApt],
  ];
  for (const [line, fetch] of ways.slice(0, hasApt() ? 2 : 1)) {
    say(line);
    const worked = await fetch();
    const found = worked ? findBrowser() : undefined;
    if (found) {
      say(`Browser: ${found}`);
      return found;
    }
  }
  say("No browser could be had: Knack answers, but cannot open pages. Install Chrome, Chromium or Edge and start again.");
  return undefined;
}

async function fetchWithPlaywright(node) {
  const env = { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "15000" };
  return (await runQuietly(node, [join(root, "node_modules", "playwright-core", "cli.js"), "install", "--no-shell", "chromium"], env)) === 0;
}

async function fetchWithApt() {
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await runQuietly("apt-get", ["update"], env);
  return (await runQuietly("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], env)) === 0;
}

function hasApt() {
  return process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
}

/** Its lines pass by as progress; what it said last is kept for the one line that matters when it fails. */
async function runQuietly(command, args, env) {
  const said = [];
  const onLine = (line) => {
    if (!line.trim()) return;
    said.push(line.trim());
    progress(line.trim());
  };
  const code = await run(command, args, { env, onLine, stdin: "ignore" });
  if (code !== 0)
    say(
      `${[command, ...args].map((part) => part.replace(root, ".")).join(" ")} ended with code ${code}: ${said.findLast((line) => /error|failed|unable/iu.test(line)) ?? said.at(-1) ?? "no output"}`,
    );
  return code;
}
