import { lstat, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { KnackError } from "#contract/errors.ts";
import { makeFolder } from "./make-folder.ts";

/** What a draft's name begins with, so that one left by a crash can be told. */
export const draftPrefix = ".knack-draft-";

/** Replaces a real path's file as a whole: a reader sees the old text or the new one, a crash leaves one of them. Keeps the rights of a file that is there; a new one has `newMode`. */
export async function writeTextFile(real: string, path: string, text: string, signal: AbortSignal, newMode = 0o666): Promise<void> {
  const mode = await modeOf(real, path);
  signal.throwIfAborted();
  makeFolder(dirname(real), 0o777);
  const draft = join(dirname(real), draftPrefix + crypto.randomUUID());
  try {
    const handle = await open(draft, "wx", mode ?? newMode);
    try {
      if (mode !== undefined) await handle.chmod(mode);
      await handle.writeFile(text, "utf8");
      await handle.sync();
    } finally {
      await handle.close();
    }
    signal.throwIfAborted();
    await rename(draft, real);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function modeOf(real: string, path: string): Promise<number | undefined> {
  const status = await lstat(real).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (status === undefined) return undefined;
  if (!status.isFile()) throw new KnackError("workspace.not-file", `"${path}" is not a file, so it cannot be written.`, { fields: { path } });
  return status.mode & 0o777;
}
