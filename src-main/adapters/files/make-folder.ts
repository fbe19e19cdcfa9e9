import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it, for this user alone unless `mode` says otherwise, level by level: Node's own recursive way never returns where the system answers that a parent which is
 * there is not ("/proc/x"). Throws the system's error.
 */
export function makeFolder(folder: string, mode = 0o700): void {
  const isThere = (): boolean => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  if (folder !== dirname(folder)) makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process was faster.
    if (!isThere()) throw error;
  }
}
