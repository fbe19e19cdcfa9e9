import { copyFileSync, existsSync, readdirSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
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
  const names = readdirSync(folder).filter(isBackupName).sort().reverse();
  return names.map((name) => ({ file: join(folder, name), bytes: statSync(join(folder, name)).size }));
}

/**
 * Puts a backup in the store's place; no connection to the store may be open. The store that was there is moved aside
 * with its journal, never deleted; its new path is returned (null when there was none).
 */
export function restoreBackup(options: { readonly backup: string; readonly file: string; readonly clock: Clock }): string | null {
  const { backup, file, clock } = options;
  const draft = `${file}.new-${crypto.randomUUID()}`;
  try {
    if (!existsSync(backup)) throw new KnackError("store.no-backup", `There is no backup ${backup}.`, { exit: 2, fields: { backup } });
    makePrivateFolder(dirname(file));
    copyFileSync(backup, draft);
    makePrivate(draft);
    assertSound(draft, backup);
    syncToDisk(draft);
    const aside = moveAside(file, clock());
    renameSync(draft, file);
    syncToDisk(dirname(file));
    return aside;
  } catch (error) {
    throw translateError(error, file);
  } finally {
    discard(draft);
  }
}

function assertSound(draft: string, backup: string): void {
  try {
    using connection = openConnection(draft, 0);
    refuseUnsound(connection);
    refuseNewerSchema(connection, migrations.length);
    connection.pragma("journal_mode = DELETE");
  } catch (error) {
    throw new KnackError(
      "store.bad-backup",
      `The backup ${backup} cannot be used (${error instanceof Error ? error.message : String(error)}) Nothing was changed; choose another backup.`,
      {
        fields: { backup },
        cause: error,
      },
    );
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
