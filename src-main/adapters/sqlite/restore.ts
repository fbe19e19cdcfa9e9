import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Clock } from "#base/clock.ts";
import { KnackError } from "#contract/errors.ts";
import { isBackupName } from "./backup-names.ts";
import { refuseUnsound } from "./inspect.ts";
import { refuseNewerSchema } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";
import { openConnection } from "./open-connection.ts";
import { discard, makePrivate, makePrivateFolder, syncToDisk } from "./private-file.ts";
import { translateError } from "./translate-error.ts";

export interface Backup {
  readonly file: string;
  readonly bytes: number;
}

/** Backups, newest first. */
export function listBackups(folder: string): Backup[] {
  if (!existsSync(folder)) return [];
  try {
    const names = readdirSync(folder).filter(isBackupName).sort().reverse();
    return names.flatMap((name) => {
      const found = statSync(join(folder, name), { throwIfNoEntry: false });
      return found?.isFile() ? [{ file: join(folder, name), bytes: found.size }] : [];
    });
  } catch (error) {
    throw translateError(error, folder);
  }
}

/**
 * Puts a backup in the store's place; no connection to the store may be open. The store that was there is moved aside
 * with its journal, never deleted; its new path is returned (null when there was none). A restore that is cut off leaves a mark
 * that keeps the store from being opened until it is done again.
 */
export function restoreBackup(options: { readonly backup: string; readonly file: string; readonly clock: Clock }): string | null {
  const { backup, file, clock } = options;
  refuseNoFile(backup);
  const draft = `${file}.new-${crypto.randomUUID()}`;
  try {
    makePrivateFolder(dirname(file));
    discardDrafts(file, backup);
    copyFileSync(backup, draft);
    makePrivate(draft);
    // What was written last may still be in the journal beside it.
    if (existsSync(`${backup}-wal`)) copyFileSync(`${backup}-wal`, `${draft}-wal`);
    assertSound(draft, backup);
    syncToDisk(draft);
    writeFileSync(markOf(file), backup, { mode: 0o600 });
    syncToDisk(dirname(file));
    const aside = moveAside(file, clock());
    renameSync(draft, file);
    syncToDisk(dirname(file));
    rmSync(markOf(file), { force: true });
    syncToDisk(dirname(file));
    return aside;
  } catch (error) {
    throw translateError(error, file);
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) discard(draft + suffix);
  }
}

/** Refuses a store whose restore was cut off: what is in its place may be half of two stores. */
export function refuseHalfRestored(file: string): void {
  if (existsSync(markOf(file)))
    throw new KnackError("store.half-restored", `A restore of ${file} was cut off. Do it again with "knack restore"; what was there before is beside it.`, {
      fields: { file },
    });
}

const markOf = (file: string): string => `${file}.restoring`;

/** Throws "store.no-backup" (exit 2) where no file is at this path. */
export function refuseNoFile(backup: string): void {
  const found = statSync(backup, { throwIfNoEntry: false });
  if (!found) throw new KnackError("store.no-backup", `There is no backup ${backup}.`, { exit: 2, fields: { backup } });
  if (!found.isFile()) throw new KnackError("store.no-backup", `${backup} is no file, so it is no backup.`, { exit: 2, fields: { backup } });
}

/** Copies that a restore left which was cut off, but for the one that is to be restored. */
function discardDrafts(file: string, backup: string): void {
  const stem = `${basename(file)}.new-`;
  for (const name of readdirSync(dirname(file))) {
    const draft = join(dirname(file), name);
    if (name.startsWith(stem) && !resolve(draft).startsWith(resolve(backup))) discard(draft);
  }
}

function assertSound(draft: string, backup: string): void {
  try {
    using connection = openConnection(draft, 0);
    refuseUnsound(connection);
    refuseNewerSchema(connection, migrations.length);
    connection.pragma("journal_mode = DELETE");
  } catch (error) {
    // The sentences of the store name the draft and what to do about a store.
    const why = error instanceof KnackError && error.code === "store.newer" ? "it was written by a newer Knack" : "it is no sound store of Knack";
    throw new KnackError("store.bad-backup", `The backup ${backup} cannot be used: ${why}. Nothing was changed; choose another backup.`, {
      fields: { backup },
      cause: error,
    });
  }
}

function moveAside(file: string, at: number): string | null {
  const aside = `${file}.aside-${new Date(at).toISOString().replace(/[:.]/gu, "-")}`;
  let isMoved = false;
  // The journal first: a store without its journal is older, a journal beside another store is poison.
  for (const suffix of ["-wal", "-shm", ""]) {
    if (!existsSync(file + suffix)) continue;
    renameSync(file + suffix, aside + suffix);
    isMoved = true;
  }
  return isMoved ? aside : null;
}
