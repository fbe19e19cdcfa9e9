import Database from "better-sqlite3";
import type { KnackError } from "#contract/errors.ts";
import { createPrivateFile } from "./private-file.ts";
import { translateError } from "./translate-error.ts";

/**
 * Runs work as the only one of all processes that share this file. The lock is SQLite's own, as a host's is (`holdHostLock`): the system takes it back from
 * a process that dies. Throws what `busy` makes where another one still works after `waitMs`.
 */
export function exclusiveLock(file: string, waitMs: number, busy: () => KnackError): <T>(work: () => T) => T {
  return (work) => {
    const held = hold(file, waitMs, busy);
    try {
      return work();
    } finally {
      held.close();
    }
  };
}

function hold(file: string, waitMs: number, busy: () => KnackError): Database.Database {
  try {
    createPrivateFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw translateError(error, file);
  }
  let held: Database.Database | undefined;
  try {
    held = new Database(file, { timeout: waitMs });
    // No journal beside the file: there is nothing to bring back.
    held.pragma("journal_mode = MEMORY");
    held.exec("BEGIN EXCLUSIVE");
    return held;
  } catch (error) {
    held?.close();
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) throw busy();
    throw translateError(error, file);
  }
}
