import { realpath, stat } from "node:fs/promises";
import { posix } from "node:path";
import { KnackError } from "#contract/errors.ts";
import type { OpenWorkspace } from "#core/ports/workspace.ts";
import { listFolder } from "./list-folder.ts";
import { moveEntry } from "./move-entry.ts";
import { readTextFile } from "./read-text-file.ts";
import { resolveInside, segmentsOf } from "./resolve-inside.ts";
import { searchFolder } from "./search-folder.ts";
import { workspaceError } from "./workspace-error.ts";
import { writeTextFile } from "./write-text-file.ts";

/**
 * Files inside one folder the user granted. Rejects with KnackError: "workspace.outside", "workspace.missing",
 * "workspace.not-file", "workspace.not-folder", "workspace.binary", "workspace.too-large", "workspace.exists",
 * "workspace.denied", "workspace.full", "workspace.bad-path", "workspace.failed".
 *
 * The boundary holds against paths the model writes and links that lie in the folder; a program of the same user
 * that swaps folders for links at the right moment could do anything without Knack.
 */
export const openWorkspace: OpenWorkspace = async (folder) => {
  const root = await realFolder(folder);
  const at = async <T>(path: string, signal: AbortSignal | undefined, work: (real: string) => Promise<T>): Promise<T> => {
    signal?.throwIfAborted();
    try {
      return await work(await resolveInside(root, path));
    } catch (error) {
      throw workspaceError(error, path);
    }
  };

  return {
    folder: root,
    list: (path, signal) => at(path, signal, (real) => listFolder(root, real, posix.join(...segmentsOf(path)), signal)),
    read: (path, signal) => at(path, signal, (real) => readTextFile(real, path, signal)),
    write: (path, text, signal) => at(path, signal, (real) => writeTextFile(real, path, text, signal)),
    move: (from, to, signal) => at(from, signal, () => moveEntry(root, from, to, signal)),
    search: (text, signal) => at("", signal, () => searchFolder(root, text, signal)),
    exists: (path) => at(path, undefined, (real) => stat(real).then(() => true, isMissing)),
  };
};

async function realFolder(folder: string): Promise<string> {
  try {
    const root = await realpath(folder);
    if ((await stat(root)).isDirectory()) return root;
  } catch (error) {
    throw new KnackError("workspace.missing", `The workspace folder ${folder} cannot be opened. Choose a folder that exists.`, {
      fields: { folder },
      cause: error,
    });
  }
  throw new KnackError("workspace.not-folder", `The workspace ${folder} is not a folder. Choose a folder.`, { fields: { folder } });
}

function isMissing(error: NodeJS.ErrnoException): false {
  if (error.code === "ENOENT") return false;
  throw error;
}
