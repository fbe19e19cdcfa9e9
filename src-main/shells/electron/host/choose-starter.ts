import { existsSync } from "node:fs";
import { join } from "node:path";
import type { MessagePortMain } from "electron";
import type { HostStarter } from "./host.ts";
import { nodeStarter } from "./node-starter.ts";
import { utilityStarter } from "./utility-starter.ts";

/** What better-sqlite3 needs; an older Electron carries an older Node. */
const OLDEST_NODE = 22;

/** Utility process, unless KNACK_HOST=node asks for a Node process or this Electron's Node is too old for the native modules. */
export function chooseStarter(appFolder: string, env: NodeJS.ProcessEnv, nodeVersion: string): HostStarter<MessagePortMain> {
  const entry = join(appFolder, "out/main/agent-host.js");
  const isTooOld = Number.parseInt(nodeVersion, 10) < OLDEST_NODE;
  return env.KNACK_HOST === "node" || isTooOld ? nodeStarter(nodeBinary(appFolder), entry) : utilityStarter(entry);
}

/** The Node that npm installed beside the app, else the one on the path. */
function nodeBinary(appFolder: string): string {
  const installed = join(appFolder, "node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node");
  return existsSync(installed) ? installed : "node";
}
