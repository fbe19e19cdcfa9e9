export { backupDaily } from "./backup.ts";
export { type HostLocks, holdHostLock, livingHosts } from "./host-locks.ts";
export { type OpenStoresOptions, openStores } from "./open-stores.ts";
export { type Backup, listBackups, restoreBackup } from "./restore.ts";
