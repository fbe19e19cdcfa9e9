import { lstat, mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { badInput, KnackError } from "#contract/errors.ts";
import { makeFolder } from "../make-folder.ts";
import { draftPrefix } from "../write-text-file.ts";

/**
 * Writes `<folder>/<name>/SKILL.md` as a whole, readable by this user alone, and returns its path. Refuses a name that is not one plain folder's, a
 * link in the way, and a file that is there already unless `overwrite`. Rejects with "files.exists", "files.link" or "files.unwritable".
 */
export async function writeSkillFile(folder: string, name: string, text: string, overwrite: boolean, signal: AbortSignal): Promise<string> {
  if (!/^[a-z0-9-]+$/u.test(name)) throw badInput(`"${name}" is no name for the folder of a skill.`, { name });
  try {
    makeFolder(folder);
    const own = join(await realpath(folder), name);
    await mkdir(own, { mode: 0o700 }).catch(ignoreExisting);
    await refuseLink(own);
    const file = join(own, "SKILL.md");
    const there = await lstat(file).catch(nullIfMissing);
    if (there?.isSymbolicLink()) throw linkInTheWay(file);
    if (there !== null && !overwrite)
      throw new KnackError("files.exists", `${file} is there already. Write to another folder, or replace it with --overwrite.`, { exit: 2, fields: { file } });
    signal.throwIfAborted();
    await writeWhole(own, file, text);
    return file;
  } catch (error) {
    if (error instanceof KnackError || !(error instanceof Error) || !("code" in error)) throw error;
    throw new KnackError("files.unwritable", `${join(folder, name)} cannot be written (${error.message}). Choose another folder.`, {
      fields: { folder, name },
      cause: error,
    });
  }
}

async function writeWhole(folder: string, file: string, text: string): Promise<void> {
  const draft = join(folder, draftPrefix + crypto.randomUUID());
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(text, "utf8");
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Through a link in the place of the skill's folder the file would land elsewhere. */
async function refuseLink(folder: string): Promise<void> {
  const status = await lstat(folder);
  if (status.isSymbolicLink()) throw linkInTheWay(folder);
}

function linkInTheWay(path: string): KnackError {
  return new KnackError("files.link", `${path} is a link; nothing is written through it. Remove it, or write to another folder.`, {
    exit: 3,
    fields: { path },
  });
}

function ignoreExisting(error: NodeJS.ErrnoException): undefined {
  if (error.code === "EEXIST") return undefined;
  throw error;
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
