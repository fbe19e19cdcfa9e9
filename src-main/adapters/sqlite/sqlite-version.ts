import { KnackError } from "#contract/errors.ts";

const oldest = [3, 51, 3] as const;

/** SQLite before 3.51.3 can corrupt a WAL database when two connections reset the log at once (sqlite.org/wal.html, "WAL-reset bug"). */
export function assertSqliteVersion(version: string): void {
  const parts = version.split(".").map(Number);
  for (const [index, least] of oldest.entries()) {
    const part = parts[index] ?? 0;
    if (part > least) return;
    if (part < least || Number.isNaN(part)) {
      throw new KnackError(
        "store.sqlite-too-old",
        `SQLite ${version} can damage databases; Knack needs ${oldest.join(".")} or newer. Install Knack's own packages again with "npm ci".`,
        {
          fields: { version },
        },
      );
    }
  }
}
