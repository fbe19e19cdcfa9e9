import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { root } from "./root.mjs";
import { run } from "./run.mjs";
import { progress, say } from "./say.mjs";

const folder = join(root, "node_modules", "electron");

/** Path of Electron's binary, downloaded when it is missing; undefined when it cannot be had. */
export async function ensureElectron(node) {
  return findElectron() ?? (await withLock("electron", async () => findElectron() ?? (await fetchElectron(node))));
}

async function fetchElectron(node) {
  say("Downloading Electron (about 120 MB, once) …");
  await run(node, [join(folder, "install.js")], { stdin: "ignore", onLine: progress });
  return findElectron();
}

/** ELECTRON_OVERRIDE_DIST_PATH names a folder with another Electron, as it does for Electron's own starter. */
function findElectron() {
  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, "dist");
  const binary = join(dist, nameInDist());
  return existsSync(binary) ? binary : undefined;
}

/** Electron's installer writes the name last, when everything is unpacked. */
function nameInDist() {
  try {
    return readFileSync(join(folder, "path.txt"), "utf8");
  } catch {
    return process.env.ELECTRON_OVERRIDE_DIST_PATH ? "electron" : "not-installed";
  }
}
