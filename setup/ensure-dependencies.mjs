import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { findNode24 } from "./node24.mjs";
import { root } from "./root.mjs";
import { run } from "./run.mjs";
import { fail, say } from "./say.mjs";

/** Installs packages when what is installed is not what the lock file asks for. Returns the path of Node 24. */
export async function ensureDependencies() {
  if (!isInstalled()) {
    await withLock("dependencies", async () => {
      if (!isInstalled()) await install();
    });
  }
  const node = findNode24();
  if (!node) fail("Node 24 did not arrive with the dependencies.", "Run `npm rebuild node`, or start this with Node 24 or newer.");
  return node;
}

async function install() {
  const fresh = installedPackages() === undefined;
  // `npm ci` empties the folder first: right for a fresh clone, wrong under a running session.
  const command = fresh ? "ci" : "install";
  say(fresh ? "Installing packages (once, about a minute) …" : "Packages changed, installing the difference …");
  const code = await runNpm([command, "--no-audit", "--no-fund", "--loglevel=error"]);
  if (code !== 0) fail(`npm ${command} ended with code ${code}.`, "Look at its lines above; run the same command again to go on.");
  say("Packages are there.");
}

function runNpm(args) {
  const npm = process.env.npm_execpath;
  if (npm?.endsWith("js")) return run(process.execPath, [npm, ...args]);
  return run(process.platform === "win32" ? "npm.cmd" : "npm", args, { shell: process.platform === "win32" });
}

/** npm writes its own list of what is installed last, so a stopped install counts as none. */
function isInstalled() {
  const installed = installedPackages();
  if (!installed || !findNode24()) return false;
  const wanted = readPackages("package-lock.json") ?? {};
  return Object.entries(wanted).every(([path, entry]) => path === "" || entry.optional || entry.devOptional || installed[path]?.version === entry.version);
}

function installedPackages() {
  return readPackages("node_modules", ".package-lock.json");
}

function readPackages(...path) {
  try {
    return JSON.parse(readFileSync(join(root, ...path), "utf8")).packages;
  } catch {
    return undefined;
  }
}
