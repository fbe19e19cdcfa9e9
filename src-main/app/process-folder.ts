import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "#models/is-alive.ts";

/** A folder for this process alone within `parent`, not made yet; what dead processes left beside it is removed. */
export function processFolder(parent: string): string {
  for (const name of namesIn(parent)) {
    const pid = Number(name);
    if (Number.isInteger(pid) && pid !== process.pid && !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 3 });
  }
  return join(parent, String(process.pid));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
