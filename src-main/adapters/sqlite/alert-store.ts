import type { Alert } from "#contract/alerts/schema.ts";
import type { AlertStore } from "#core/ports/stores.ts";
import type { Connection } from "./connection.ts";

const alertColumns = `id, kind, title, detail, skill_id AS skillId, proposal_id AS proposalId, revert_to AS revertTo, created_at AS createdAt,
  resolved_at AS resolvedAt, resolution`;

/** Alerts, newest first; without `all` those a person has yet to look at. */
export function alertStore(connection: Connection): AlertStore {
  return {
    add({ id, kind, title, detail, skillId, proposalId, revertTo, createdAt, resolvedAt, resolution }) {
      connection.run(
        `INSERT INTO alerts (id, kind, title, detail, skill_id, proposal_id, revert_to, created_at, resolved_at, resolution)
         VALUES (:id, :kind, :title, :detail, :skillId, :proposalId, :revertTo, :createdAt, :resolvedAt, :resolution)`,
        { id, kind, title, detail, skillId, proposalId, revertTo, createdAt, resolvedAt, resolution },
      );
    },
    resolve(id, resolution, at) {
      connection.change("alert", "UPDATE alerts SET resolution = :resolution, resolved_at = :at WHERE id = :id", { id, resolution, at });
    },
    reword(id, { title, detail, resolution }) {
      connection.forget(() =>
        connection.change("alert", "UPDATE alerts SET title = :title, detail = :detail, resolution = :resolution WHERE id = :id", {
          id,
          title,
          detail,
          resolution,
        }),
      );
    },
    get: (id) => connection.get<Alert>(`SELECT ${alertColumns} FROM alerts WHERE id = :id`, { id }),
    list: ({ all = false } = {}) =>
      connection.all<Alert>(
        all
          ? `SELECT ${alertColumns} FROM alerts ORDER BY created_at DESC, seq DESC`
          : `SELECT ${alertColumns} FROM alerts WHERE resolved_at IS NULL ORDER BY created_at DESC, seq DESC`,
      ),
  };
}
