import { KnackError } from "#contract/errors.ts";
import type { Connection } from "./connection.ts";

/** Number of the schema in the file; 0 when there is none yet. */
export function schemaOf(connection: Connection): number {
  return Number(connection.pragma("user_version"));
}

/** A store written by a newer Knack is refused before anything is written to it. */
export function refuseNewerSchema(connection: Connection, newest: number): void {
  const schema = schemaOf(connection);
  if (schema <= newest) return;
  throw new KnackError(
    "store.newer",
    `The store ${connection.file} was written by a newer Knack (schema ${schema}; this one knows ${newest}). Install the newer Knack again, or bring back an older backup with "knack restore".`,
    {
      fields: { file: connection.file, schema, newest },
    },
  );
}

/**
 * Brings the store to the newest schema, all steps in one transaction: an interrupted upgrade leaves the old schema
 * whole. `beforeChange` runs first when there is data that an upgrade could harm; when it throws, nothing happens.
 */
export function migrate(connection: Connection, migrations: readonly string[], beforeChange: (from: number) => void): void {
  refuseNewerSchema(connection, migrations.length);
  const before = schemaOf(connection);
  if (before === migrations.length) return;
  if (before > 0) beforeChange(before);
  connection.transaction(() => {
    // Read again under the write lock: another process may have upgraded meanwhile.
    for (const [index, sql] of migrations.entries()) {
      if (index < schemaOf(connection)) continue;
      connection.script(sql);
      connection.pragma(`user_version = ${index + 1}`);
    }
  });
}
