import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

/** Where the dev dependency `node` puts Node 24; it exists once dependencies are installed. */
const installed = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");

/** The Node that runs the TypeScript: the installed Node 24, else this one when it is new enough, else undefined. */
export function findNode24() {
  if (existsSync(installed)) return installed;
  return Number(process.versions.node.split(".")[0]) >= 24 ? process.execPath : undefined;
}
