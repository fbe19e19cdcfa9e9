import { readdir, realpath, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import type { WorkspaceEntry } from "#core/ports/workspace.ts";
import { isInside } from "./resolve-inside.ts";
import { draftPrefix } from "./write-text-file.ts";

/** Files and folders of one real folder, by name. A link counts as what it leads to; links out of `root`, to nothing, and devices are left out. */
export async function listFolder(root: string, real: string, path: string, signal: AbortSignal): Promise<WorkspaceEntry[]> {
  const entries: WorkspaceEntry[] = [];
  for (const name of (await readdir(real)).sort()) {
    signal.throwIfAborted();
    if (name.startsWith(draftPrefix)) continue;
    const entry = await describe(root, join(real, name), posix.join(path, name));
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

async function describe(root: string, entry: string, path: string): Promise<WorkspaceEntry | undefined> {
  try {
    const target = await realpath(entry);
    if (!isInside(root, target)) return undefined;
    const status = await stat(target);
    if (status.isDirectory()) return { path, kind: "folder", bytes: 0 };
    return status.isFile() ? { path, kind: "file", bytes: status.size } : undefined;
  } catch {
    // Gone meanwhile, a dangling link, or not ours to look at: nothing that could be used.
    return undefined;
  }
}
