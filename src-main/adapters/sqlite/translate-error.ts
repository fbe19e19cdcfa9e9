import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { InvariantError } from "#base/invariant.ts";
import { KnackError } from "#contract/errors.ts";

const sayings: readonly { readonly codes: RegExp; readonly code: string; readonly say: (file: string, cause: string) => string }[] = [
  {
    codes: /^SQLITE_(?:CORRUPT|NOTADB)/u,
    code: "store.damaged",
    say: (file, cause) => damage(file, cause),
  },
  {
    codes: /^SQLITE_(?:BUSY|LOCKED)/u,
    code: "store.locked",
    say: (file) => `The store ${file} is held by another program. Close other Knack windows and commands that use it, then try again.`,
  },
  {
    codes: /^(?:SQLITE_FULL|ENOSPC|EDQUOT)/u,
    code: "store.full",
    say: (file) => `The disk with the store ${file} is full. What was stored is safe; this change was not stored. Make room, then try again.`,
  },
  {
    codes: /^(?:SQLITE_(?:READONLY|CANTOPEN|PERM|AUTH)|EACCES|EPERM|EROFS|ENOTDIR|EISDIR|ENOENT|EEXIST)/u,
    code: "store.unwritable",
    say: (file, cause) =>
      `The store ${file} cannot be opened for writing (${cause}). Give your user read and write access to the file and its folder, or set KNACK_HOME to another folder.`,
  },
  {
    codes: /^(?:SQLITE_IOERR|EIO)/u,
    code: "store.disk",
    say: (file, cause) => `The disk failed while the store ${file} was in use (${cause}). Check the disk, then start Knack again.`,
  },
];

/** The sentence for a file that SQLite cannot trust. */
export function damage(file: string, cause: string): string {
  return `The store ${file} is damaged (${cause}). It was left as it is. Bring back a backup with "knack restore", or move the file out of its folder to begin anew.`;
}

/** What SQLite or the file system raised, as an error a person should read. A broken constraint is our own mistake and stays an InvariantError. */
export function translateError(error: unknown, file: string): Error {
  if (error instanceof KnackError || error instanceof InvariantError) return error;
  if (!(error instanceof Error)) return new InvariantError(`the store threw ${String(error)}`);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  // On a full disk SQLite also reports plain reading and writing errors, by the call that met it first.
  const known = /^SQLITE_IOERR/u.test(code) && isDiskFull(file) ? "SQLITE_FULL" : code;
  for (const saying of sayings) {
    if (saying.codes.test(known)) return new KnackError(saying.code, saying.say(file, error.message), { fields: { file, sqlite: code }, cause: error });
  }
  if (error instanceof TypeError && error.message.includes("connection is not open")) {
    return new KnackError("store.closed", `The store ${file} is closed. Start Knack again.`, { fields: { file }, cause: error });
  }
  if (error instanceof Database.SqliteError) return new InvariantError(`${error.message} (${code})`, { cause: error });
  return error;
}

/** Less room than a write takes. */
const leastFreeBytes = 64 * 1024;

function isDiskFull(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize < leastFreeBytes;
  } catch {
    return false;
  }
}
