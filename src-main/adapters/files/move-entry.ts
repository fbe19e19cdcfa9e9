import { lstat, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { KnackError } from "#contract/errors.ts";
import { makeFolder } from "./make-folder.ts";
import { resolveEntryInside, resolveInside } from "./resolve-inside.ts";
import { workspaceError } from "./workspace-error.ts";

/** Moves a file or folder; never onto something that is there. */
export async function moveEntry(root: string, from: string, to: string, signal: AbortSignal): Promise<void> {
  // Both faces of each end: where the entry sits, and (through links) what it leads to.
  await resolveInside(root, from);
  await resolveInside(root, to);
  const source = await resolveEntryInside(root, from);
  const target = await resolveEntryInside(root, to);
  await lstat(source).catch((error: unknown) => {
    throw workspaceError(error, from);
  });
  if (await isThere(target))
    throw new KnackError("workspace.exists", `"${to}" exists already. Choose another name, or move that first.`, { fields: { path: to } });
  signal.throwIfAborted();
  try {
    makeFolder(dirname(target), 0o777);
    await rename(source, target);
  } catch (error) {
    throw workspaceError(error, to);
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
}
