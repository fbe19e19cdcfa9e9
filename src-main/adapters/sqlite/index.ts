export { backupDaily, eraseBackups } from "./backup.ts";
export { exclusiveLock } from "./exclusive-lock.ts";
export { aloneOn, type HostLocks, holdHostLock } from "./host-locks.ts";
export { type OpenStoresOptions, openStoreSink } from "./open-stores.ts";
export { type Backup, listBackups, refuseNoFile, restoreBackup } from "./restore.ts";
