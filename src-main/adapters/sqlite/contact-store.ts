import type { Contact } from "#contract/activity/schema.ts";
import type { ContactStore } from "#core/ports/stores.ts";
import type { Connection } from "./connection.ts";

type ContactRow = Omit<Contact, "allowed" | "resolved"> & { readonly seq: number; readonly allowed: number; readonly resolved: string };

const contactColumns = `seq, id, at, ended_at AS endedAt, means, allowed, code, scheme, host, port, resolved, address, granted AS "grant", grant_id AS grantId,
  conversation_id AS conversationId, turn_id AS turnId, sent, received, times`;

export function contactStore(connection: Connection): ContactStore {
  return {
    put(contacts) {
      connection.transaction(() => {
        for (const { grant, resolved, allowed, ...contact } of contacts)
          connection.run(
            `INSERT INTO contacts (id, at, ended_at, means, allowed, code, scheme, host, port, resolved, address, granted, grant_id, conversation_id, turn_id,
               sent, received, times)
             SELECT :id, :at, :endedAt, :means, :allowed, :code, :scheme, :host, :port, :resolved, :address, :granted, :grantId, :conversationId, :turnId,
               :sent, :received, :times
             WHERE (:conversationId IS NULL OR EXISTS (SELECT 1 FROM conversations WHERE id = :conversationId))
               AND (:turnId IS NULL OR EXISTS (SELECT 1 FROM turns WHERE id = :turnId))
             ON CONFLICT (id) DO UPDATE SET ended_at = excluded.ended_at, code = excluded.code, sent = excluded.sent, received = excluded.received,
               times = excluded.times`,
            { ...contact, granted: grant, resolved: JSON.stringify(resolved), allowed: allowed ? 1 : 0 },
          );
      });
    },
    page({ host, conversationId, refused, before, limit }) {
      const rows = connection.all<ContactRow>(
        `SELECT ${contactColumns} FROM contacts
         WHERE seq < :before
           ${conversationId === undefined ? "" : "AND conversation_id = :conversationId"}
           ${refused === undefined ? "" : refused ? "AND allowed = 0" : "AND allowed = 1"}
           ${host === undefined ? "" : "AND instr(host, :host) > 0"}
         ORDER BY seq DESC LIMIT :limit`,
        {
          before: before ?? Number.MAX_SAFE_INTEGER,
          limit: limit + 1,
          ...(host === undefined ? {} : { host: host.toLowerCase() }),
          ...(conversationId === undefined ? {} : { conversationId }),
        },
      );
      const page = rows.slice(0, limit);
      return { contacts: page.map(toContact), next: rows.length > limit ? (page.at(-1)?.seq ?? null) : null };
    },
    get(id) {
      const row = connection.get<ContactRow>(`SELECT ${contactColumns} FROM contacts WHERE id = :id`, { id });
      return row && toContact(row);
    },
    prune: (before, most) =>
      connection.run("DELETE FROM contacts WHERE at < :before", { before }) +
      connection.run("DELETE FROM contacts WHERE seq <= (SELECT seq FROM contacts ORDER BY seq DESC LIMIT 1 OFFSET :most)", { most }),
  };
}

function toContact({ seq: _seq, allowed, resolved, ...row }: ContactRow): Contact {
  return { ...row, allowed: allowed === 1, resolved: JSON.parse(resolved) as string[] };
}
