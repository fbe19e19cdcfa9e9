import { KnackError } from "#contract/errors.ts";
import type { Connection } from "./connection.ts";
import { schemaOf } from "./migrate.ts";
import { applicationId } from "./migrations/index.ts";
import { damage } from "./translate-error.ts";

/** Throws unless the file is a Knack store whose pages fit together. Measured: 0.1 s for 580 MB, so every start affords it. */
export function refuseUnsound(connection: Connection): void {
  if (schemaOf(connection) === 0 && connection.pragma("application_id") === 0 && tableCount(connection) === 0) {
    throw damaged(connection, "it is empty");
  }
  if (connection.pragma("application_id") !== applicationId) {
    throw new KnackError(
      "store.foreign",
      `The file ${connection.file} is a database of another program. It was left as it is. Move it away, or set KNACK_HOME to another folder.`,
      {
        fields: { file: connection.file },
      },
    );
  }
  const finding = connection.pragma("quick_check(1)");
  if (finding !== "ok") throw damaged(connection, String(finding));
}

/** "ok", or everything found wrong: pages, indexes, full-text indexes and their content, broken links. Never throws. */
export function integrityOf(connection: Connection): string {
  try {
    const findings = connection.all<{ integrity_check: string }>("PRAGMA integrity_check").map((row) => row.integrity_check);
    if (findings.length !== 1 || findings[0] !== "ok") return findings.join("\n");
    for (const index of ["message_words", "text_words", "fact_words"]) {
      connection.run(`INSERT INTO ${index} (${index}, rank) VALUES ('integrity-check', 1)`);
    }
    const broken = connection.all<{ table: string; parent: string }>("PRAGMA foreign_key_check");
    return broken.length === 0 ? "ok" : broken.map(({ table, parent }) => `a row of ${table} names a missing row of ${parent}`).join("\n");
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function tableCount(connection: Connection): number {
  return connection.get<{ count: number }>("SELECT count(*) AS count FROM sqlite_schema")?.count ?? 0;
}

function damaged(connection: Connection, cause: string): KnackError {
  return new KnackError("store.damaged", damage(connection.file, cause), { fields: { file: connection.file, cause } });
}
