import { createHash } from "node:crypto";
import { canonicalJson } from "#base/json.ts";
import type { VaultAudit } from "#contract/vault/schema.ts";
import type { VaultLogStore } from "#core/ports/stores.ts";
import type { Connection } from "./connection.ts";

interface Row extends VaultAudit {
  readonly previous: string;
  readonly hash: string;
}

const columns = "seq, at, action, entry, origin, decision, masks, previous, hash";

/** What stands before the first line. */
const beginning = "0".repeat(64);

export function vaultLogStore(connection: Connection): VaultLogStore {
  const last = (): Row | undefined => connection.get<Row>(`SELECT ${columns} FROM vault_log ORDER BY seq DESC LIMIT 1`);
  const kept = (): { failures: number; lastAt: number } =>
    connection.get<{ failures: number; lastAt: number }>("SELECT failures, last_at AS lastAt FROM vault_attempts WHERE one = 1") ?? { failures: 0, lastAt: 0 };
  const setAttempts = (failures: number, lastAt: number): void => {
    connection.run(
      "INSERT INTO vault_attempts (one, failures, last_at) VALUES (1, :failures, :lastAt) ON CONFLICT (one) DO UPDATE SET failures = :failures, last_at = :lastAt",
      { failures, lastAt },
    );
  };
  /** A clock that was put back neither shortens the wait nor makes it last until the old hour comes again: it begins anew. */
  const attempts = (at: number): { failures: number; lastAt: number } => {
    const { failures, lastAt } = kept();
    if (lastAt > at) setAttempts(failures, at);
    return { failures, lastAt: Math.min(lastAt, at) };
  };
  return {
    add: (line) =>
      connection.transaction(() => {
        const before = last();
        const row = { seq: (before?.seq ?? 0) + 1, ...line };
        const previous = before?.hash ?? beginning;
        const hash = hashOf(row, previous);
        connection.run(`INSERT INTO vault_log (${columns}) VALUES (:seq, :at, :action, :entry, :origin, :decision, :masks, :previous, :hash)`, {
          ...row,
          previous,
          hash,
        });
        return { seq: row.seq, hash };
      }),
    head() {
      const row = last();
      return row === undefined ? null : { seq: row.seq, hash: row.hash };
    },
    list: (limit) =>
      connection.all<VaultAudit>("SELECT seq, at, action, entry, origin, decision, masks FROM vault_log ORDER BY seq DESC LIMIT :limit", { limit }),
    firstBroken(head) {
      let previous = beginning;
      let next = 1;
      let seen = head === null || head.seq === 0;
      for (const row of connection.all<Row>(`SELECT ${columns} FROM vault_log ORDER BY seq`)) {
        if (row.seq !== next || row.previous !== previous || row.hash !== hashOf(row, previous)) return row.seq === next ? row.seq : next;
        if (row.seq === head?.seq) {
          if (row.hash !== head.hash) return row.seq;
          seen = true;
        }
        previous = row.hash;
        next += 1;
      }
      // The vault vouches for a line that is no longer there: the end was cut off.
      return seen ? null : next;
    },
    attempts,
    countAttempt: (at, waitOf) =>
      connection.transaction(() => {
        const { failures, lastAt } = attempts(at);
        const wait = failures === 0 ? 0 : Math.max(0, lastAt + waitOf(failures) - at);
        if (wait === 0) setAttempts(failures + 1, at);
        return wait;
      }),
    uncountAttempt: () =>
      connection.transaction(() => {
        const { failures, lastAt } = kept();
        setAttempts(Math.max(0, failures - 1), lastAt);
      }),
    clearAttempts: () => setAttempts(0, 0),
  };
}

function hashOf({ seq, at, action, entry, origin, decision, masks }: VaultAudit, previous: string): string {
  return createHash("sha256")
    .update(canonicalJson([seq, at, action, entry, origin, decision, masks, previous]))
    .digest("hex");
}
