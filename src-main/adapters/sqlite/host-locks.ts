import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { KnackError } from "#contract/errors.ts";
import { createPrivateFile, discard } from "./private-file.ts";
import { translateError } from "./translate-error.ts";

/** The processes that work on a data folder ("hosts"), each alive as long as it holds the lock on a file of its own. */
export interface HostLocks {
  isAlive(host: string): boolean;
  /** Gives this host's lock back. */
  release(): void;
}

const ending = ".lock";
/** Held while a backup is put in the store's place; no host. */
const restoring = "restoring";
/** A file younger than this may have been made by a host that is about to lock it. */
const youngMs = 60_000;

/**
 * Takes the lock of `host` in `folder` (made when it is not there) and removes the files of hosts that are gone.
 *
 * The lock is SQLite's own on a file that holds nothing: the system takes it back when the process ends, however it ends, and
 * gives it to nobody else. A process number, in its place, is soon another program's.
 */
export function holdHostLock(folder: string, host: string): HostLocks {
  const file = join(folder, host + ending);
  const held = hold(folder, file);
  // Each takes its own lock before it looks at the other's, so one of the two always sees the other.
  if (isHeld(join(folder, restoring))) {
    held.close();
    discard(file);
    throw new KnackError("store.in-use", "A backup is being restored. Try again when it is done.", { exit: 3 });
  }
  for (const name of readdirSync(folder)) if (name.endsWith(ending)) removeIfDead(join(folder, name));
  return {
    isAlive: (other) => other === host || isHeld(join(folder, other + ending)),
    release() {
      held.close();
      discard(file);
    },
  };
}

/** Keeps new hosts out while it works. Throws "store.in-use" (exit 3) where a host is alive, or another restore is at work. */
export function aloneOn<T>(folder: string, work: () => T): T {
  const file = join(folder, restoring);
  if (isHeld(file)) throw inUse();
  discard(file);
  const held = hold(folder, file);
  try {
    if (livingHosts(folder).length > 0) throw inUse();
    return work();
  } finally {
    held.close();
    discard(file);
  }
}

function inUse(): KnackError {
  return new KnackError("store.in-use", "Knack is running on this data. Close its windows and commands, then restore again.", { exit: 3 });
}

function hold(folder: string, file: string): Database.Database {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    createPrivateFile(file);
    // Others that look whether it is held hold it themselves for a moment.
    const held = new Database(file, { timeout: 5000 });
    // No journal beside the file: there is nothing to bring back.
    held.pragma("journal_mode = MEMORY");
    held.exec("BEGIN EXCLUSIVE");
    return held;
  } catch (error) {
    throw translateError(error, folder);
  }
}

/** The hosts that are alive now. */
function livingHosts(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(ending) && isHeld(join(folder, name)));
  return files.map((name) => name.slice(0, -ending.length));
}

function removeIfDead(file: string): void {
  const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age > youngMs && !isHeld(file)) discard(file);
}

function isHeld(file: string): boolean {
  let other: Database.Database;
  try {
    other = new Database(file, { timeout: 0, fileMustExist: true });
  } catch {
    return false;
  }
  try {
    other.exec("BEGIN EXCLUSIVE");
    return false;
  } catch (error) {
    return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
  } finally {
    other.close();
  }
}
