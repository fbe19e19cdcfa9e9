const pattern = /^knack-(\d{4})(\d{2})(\d{2})T(\d{6})Z-(daily|before-(\d+))\.db$/u;

/** "knack-20270214T093000Z-daily.db" or "…-before-6.db" (the copy made before the upgrade to schema 6): names sort by age. */
export function backupName(at: number, reason: "daily" | number): string {
  const stamp = new Date(at)
    .toISOString()
    .replace(/\.\d+Z$/u, "Z")
    .replace(/[-:]/gu, "");
  return `knack-${stamp}-${reason === "daily" ? "daily" : `before-${reason}`}.db`;
}

export function isBackupName(name: string): boolean {
  return pattern.test(name);
}

/** Whether it is the daily backup of the (UTC) day that holds `at`. */
export function isDailyBackupOf(name: string, at: number): boolean {
  return isBackupName(name) && name.endsWith("-daily.db") && name.slice(6, 14) === backupName(at, "daily").slice(6, 14);
}
