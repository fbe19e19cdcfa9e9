import { join, resolve } from "node:path";
import { aloneOn, type Backup, listBackups, refuseNoFile, restoreBackup } from "#adapters/sqlite/index.ts";
import type { Clock } from "#base/clock.ts";
import { KnackError } from "#contract/errors.ts";

export type { Backup } from "#adapters/sqlite/index.ts";

/** Where a data folder keeps things that more than one part needs. */
export const placesIn = (dataFolder: string) => ({
  store: join(dataFolder, "knack.db"),
  backups: join(dataFolder, "backups"),
  hosts: join(dataFolder, "hosts"),
  vault: join(dataFolder, "vault.knack"),
  vaultLock: join(dataFolder, "vault.lock"),
});

/** The copies of the store, newest first. Needs no store that opens. */
export function backupsOf(dataFolder: string): Backup[] {
  return listBackups(placesIn(dataFolder).backups);
}

/** The copy that is to be put back: the newest, or the one named by its file name or path. Throws "store.no-backup" where there is none. */
export function backupToRestore(dataFolder: string, name: string | undefined): string {
  const { backups } = placesIn(dataFolder);
  const all = listBackups(backups);
  const backup = name === undefined ? all[0]?.file : (all.find(({ file }) => file === join(backups, name))?.file ?? resolve(name));
  if (backup === undefined) throw new KnackError("store.no-backup", `There is no backup in ${backups} yet.`, { fields: { backups } });
  refuseNoFile(backup);
  return backup;
}

/**
 * Puts a copy in the store's place: the newest, or the one named by its file name or path. The store that was there is moved aside; its new
 * path is returned. Throws "store.in-use" (exit 3) while another process works on the data, "store.no-backup", "store.bad-backup".
 */
export function restoreStore(
  dataFolder: string,
  name: string | undefined,
  clock: Clock = Date.now,
): { readonly backup: string; readonly aside: string | null } {
  const { store, hosts } = placesIn(dataFolder);
  const backup = backupToRestore(dataFolder, name);
  return { backup, aside: aloneOn(hosts, () => restoreBackup({ backup, file: store, clock })) };
}
