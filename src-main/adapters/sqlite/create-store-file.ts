import { constants, copyFileSync, existsSync, linkSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { KnackError } from "#contract/errors.ts";
import { isBackupName } from "./backup-names.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";
import { openConnection } from "./open-connection.ts";
import { createPrivateFile, discard, makePrivateFolder, syncToDisk } from "./private-file.ts";

/**
 * Makes a new store beside its place and moves it there complete, so that an empty or partial file is always damage and
 * never a first start cut short. Another process that was quicker wins.
 *
 * Backups or a journal without a store mean that the store was lost: that is said, not answered with an empty list.
 */
export function createStoreFile(file: string, backupFolder: string, lockTimeoutMs: number): void {
  refuseLost(file, backupFolder);
  makePrivateFolder(dirname(file));
  const draft = `${file}.new-${crypto.randomUUID()}`;
  createPrivateFile(draft);
  try {
    using connection = openConnection(draft, lockTimeoutMs);
    migrate(connection, migrations, () => {});
    connection.close();
    syncToDisk(draft);
    putInPlace(draft, file);
    syncToDisk(dirname(file));
  } finally {
    discard(draft);
  }
}

function refuseLost(file: string, backupFolder: string): void {
  const hasJournal = existsSync(`${file}-wal`);
  const hasBackups = existsSync(backupFolder) && readdirSync(backupFolder).some(isBackupName);
  if (!hasJournal && !hasBackups) return;
  throw new KnackError(
    "store.damaged",
    `The store ${file} is gone, though ${hasBackups ? `there are backups in ${backupFolder}` : "its journal is still there"}. Bring back a backup with "knack restore", or move ${hasBackups ? "the backups" : `${file}-wal`} away to begin anew.`,
    { fields: { file, backupFolder } },
  );
}

function putInPlace(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EEXIST") return;
    // A disk without hard links (exFAT, some network shares).
    copyFileSync(draft, file, constants.COPYFILE_EXCL);
    syncToDisk(file);
  }
}
