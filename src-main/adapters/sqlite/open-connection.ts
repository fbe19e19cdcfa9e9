import Database from "better-sqlite3";
import { getLoadablePath } from "sqlite-vec";
import { KnackError } from "#contract/errors.ts";
import { Connection } from "./connection.ts";
import { extensionPath } from "./extension-path.ts";
import { assertSqliteVersion } from "./sqlite-version.ts";
import { translateError } from "./translate-error.ts";

/**
 * Opens the file (or ":memory:") and sets what SQLite keeps per connection. Reads no table yet.
 *
 * synchronous FULL, not NORMAL: in WAL mode NORMAL may lose the last commits at a power cut, and the ports promise
 * that a write is durable when the call returns. secure_delete: what a person erases is overwritten, not unlinked.
 * cache_size: up to 64 MB of pages, taken as they are read. A goal is compared with every phrasing, and with a thousand skills their vectors fill 45 MB;
 * reading those anew for each goal took as long as comparing them.
 */
export function openConnection(file: string, lockTimeoutMs: number): Connection {
  let database: Database.Database;
  try {
    database = new Database(file, { timeout: lockTimeoutMs, fileMustExist: file !== ":memory:" });
  } catch (error) {
    throw translateError(error, file);
  }
  return connectionOver(database, file);
}

/** As `openConnection`, over a database object made elsewhere. */
export function connectionOver(database: Database.Database, file: string): Connection {
  const connection = new Connection(database, file);
  try {
    assertSqliteVersion(connection.get<{ version: string }>("SELECT sqlite_version() AS version")?.version ?? "");
    connection.pragma("foreign_keys = ON");
    connection.pragma("secure_delete = ON");
    connection.pragma("trusted_schema = OFF");
    connection.pragma("cache_size = -65536");
    loadVectorFunctions(database);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Turns the write-ahead log on; a writing step, so it comes after everything that may refuse the file. */
export function useWriteAheadLog(connection: Connection): void {
  const mode = connection.pragma("journal_mode = WAL");
  if (mode !== "wal" && mode !== "memory") {
    throw new KnackError(
      "store.unwritable",
      `The store ${connection.file} is on a disk that cannot hold a write-ahead log (${String(mode)}). Set KNACK_HOME to a folder on a local disk.`,
      {
        fields: { file: connection.file, mode },
      },
    );
  }
  connection.pragma("synchronous = FULL");
}

function loadVectorFunctions(database: Database.Database): void {
  try {
    database.loadExtension(extensionPath(getLoadablePath()));
  } catch (error) {
    throw new KnackError(
      "store.no-vectors",
      `The vector library sqlite-vec could not be loaded (${error instanceof Error ? error.message : String(error)}). Install Knack's packages again with "npm ci".`,
      {
        cause: error,
      },
    );
  }
}
