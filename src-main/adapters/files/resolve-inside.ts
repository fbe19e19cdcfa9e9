import { lstat, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { KnackError } from "#contract/errors.ts";
import { outside } from "./workspace-error.ts";

/**
 * The names of a relative path; none for the workspace itself. ".." is refused even where it would stay inside:
 * with symlinks, "a/../b" is not "b".
 */
export function segmentsOf(path: string): string[] {
  if (path.includes("\0")) throw new KnackError("workspace.bad-path", "The path has a NUL character in it.", { exit: 2 });
  if (path.startsWith("/") || /^[a-z]:/iu.test(path) || path.startsWith("\\")) throw outside(path, "it is absolute");
  if (process.platform === "win32" && /[\\:]/u.test(path)) throw outside(path, String.raw`"\" and ":" are not used in workspace paths`);
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) throw outside(path, '".." is not allowed');
  return segments;
}

/**
 * The real path of `path` below the real folder `root`, every symlink followed. What does not exist yet is placed
 * below its deepest existing folder. Throws KnackError "workspace.outside" for anything that ends elsewhere,
 * also for a link to something that does not exist: writing through it would make it.
 */
export async function resolveInside(root: string, path: string): Promise<string> {
  const segments = segmentsOf(path);
  let real = root;
  for (const [index, segment] of segments.entries()) {
    const next = join(real, segment);
    if (!(await isThere(next))) return join(real, ...segments.slice(index));
    try {
      real = await realpath(next);
    } catch (error) {
      if (codeOf(error) === "ENOENT") throw outside(path, "a link in it leads to nothing");
      throw error;
    }
    if (!isInside(root, real)) throw outside(path, "a link in it leads out");
  }
  return real;
}

/** Like `resolveInside`, but of the entry itself: its last name may be a link and is not followed. */
export async function resolveEntryInside(root: string, path: string): Promise<string> {
  const segments = segmentsOf(path);
  const name = segments.pop();
  if (name === undefined) throw new KnackError("workspace.bad-path", "The workspace itself cannot be moved or replaced.", { exit: 2 });
  return join(await resolveInside(root, segments.join("/")), name);
}

export function isInside(root: string, real: string): boolean {
  return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
