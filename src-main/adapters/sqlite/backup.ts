import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock } from "#base/clock.ts";
import type { Stores } from "#core/ports/stores.ts";
import { backupName, isBackupName, isDailyBackupOf } from "./backup-names.ts";
import type { Connection } from "./connection.ts";
import { refuseUnsound } from "./inspect.ts";
import { openConnection } from "./open-connection.ts";
import { createPrivateFile, discard, makePrivate, makePrivateFolder, syncToDisk } from "./private-file.ts";
import { translateError } from "./translate-error.ts";

const kept = 7;

/** Copies an open store into `file` without stopping it, checks the copy, and only then puts it in place. */
export async function backupInto(connection: Connection, file: string): Promise<void> {
  const part = `${file}.${crypto.randomUUID()}.part`;
  try {
    makePrivateFolder(dirname(file));
    await connection.copyTo(part);
    settle(part, file);
  } catch (error) {
    throw translateError(error, file);
  } finally {
    discard(part);
  }
}

/** The copy an upgrade starts with, made at once. Returns its path. */
export function backupBeforeUpgrade(connection: Connection, folder: string, clock: Clock, toSchema: number): string {
  const file = join(folder, backupName(clock(), toSchema));
  const part = `${file}.part`;
  try {
    makePrivateFolder(folder);
    discard(part);
    createPrivateFile(part);
    connection.run("VACUUM INTO :part", { part });
    settle(part, file);
    prune(folder);
    return file;
  } catch (error) {
    throw translateError(error, file);
  } finally {
    discard(part);
  }
}

/** At most one backup a day, the newest seven of all backups kept. Returns the new file, or null when today has one. */
export async function backupDaily(stores: Pick<Stores, "backup">, folder: string, clock: Clock): Promise<string | null> {
  const now = clock();
  if (existsSync(folder) && readdirSync(folder).some((name) => isDailyBackupOf(name, now))) return null;
  const file = join(folder, backupName(now, "daily"));
  await stores.backup(file);
  prune(folder);
  return file;
}

/** Takes away every copy, so that nothing erased since is in one. Returns how many there were. */
export function eraseBackups(folder: string): number {
  if (!existsSync(folder)) return 0;
  const names = readdirSync(folder).filter((name) => isBackupName(name.replace(/(?:\.[\da-f-]{36})?\.part$/u, "")));
  for (const name of names) {
    try {
      rmSync(join(folder, name));
    } catch (error) {
      throw translateError(error, join(folder, name));
    }
  }
  if (names.length > 0) syncToDisk(folder);
  return names.length;
}

/** One sound, private, single file: only then may it push an older backup out. */
function settle(part: string, file: string): void {
  makePrivate(part);
  const copy = openConnection(part, 0);
  try {
    leaveOutTemporary(copy);
    refuseUnsound(copy);
    copy.pragma("journal_mode = DELETE");
  } finally {
    copy.close();
  }
  syncToDisk(part);
  renameSync(part, file);
  syncToDisk(dirname(file));
}

/** What is gone once it is closed is in no copy. A copy of an older schema has none. */
function leaveOutTemporary(copy: Connection): void {
  const isKnown = copy.get("SELECT 1 FROM pragma_table_info('conversations') WHERE name = 'temporary_host'") !== undefined;
  if (!isKnown || copy.get("SELECT 1 FROM conversations WHERE temporary_host IS NOT NULL") === undefined) return;
  copy.forget(() => copy.run("DELETE FROM conversations WHERE temporary_host IS NOT NULL"));
  copy.rebuild();
}

/** Takes away what is older than the newest seven, and copies that a crash left unfinished. */
function prune(folder: string): void {
  const names = readdirSync(folder).sort();
  const backups = names.filter(isBackupName);
  const newest = backups.at(-1) ?? "";
  const unfinished = names.filter((name) => name < newest && /\.part$/u.test(name) && isBackupName(name.replace(/(?:\.[\da-f-]{36})?\.part$/u, "")));
  for (const name of [...backups.slice(0, -kept), ...unfinished]) discard(join(folder, name));
}
