/** "1.1 GB", "320 MB", "12 kB"; decimal units, as download pages print them. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value >= 100 || (unit === 0 && value >= 10) ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
