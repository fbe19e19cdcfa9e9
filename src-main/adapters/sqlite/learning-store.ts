import type { PassReport, Showing } from "#contract/learning/schema.ts";
import type { LearningStore, QuietConversation } from "#core/ports/stores.ts";
import type { Connection } from "./connection.ts";

/** Pass reports and showings, newest first; `host` names the process that records. A report or showing stored again replaces the earlier state of itself. */
export function learningStore(connection: Connection, host: string | null): LearningStore {
  return {
    quietConversations: (since, limit) =>
      connection.all<QuietConversation>(
        `SELECT id, state, messagesRead FROM (
           SELECT conversations.id, conversations.updated_at, coalesce(dreams.messages, 0) AS messagesRead, dreams.state AS seen,
             conversations.updated_at || ' ' || (SELECT count(outcome) || ' ' || coalesce(sum(outcome = 'success'), 0)
               FROM episodes WHERE episodes.conversation_id = conversations.id) AS state
           FROM conversations LEFT JOIN dreams ON dreams.conversation_id = conversations.id
           WHERE conversations.updated_at <= :since 
             AND conversations.id NOT IN (SELECT id FROM conversations WHERE temporary_host IS NOT NULL OR imported = 1)
             AND NOT EXISTS (SELECT 1 FROM turns WHERE turns.conversation_id = conversations.id AND turns.status = 'running')
         ) WHERE seen IS NOT state ORDER BY updated_at, id LIMIT :limit`,
        { since, limit },
      ),
    markDreamt(conversationId, { messages, state }, at) {
      connection.run(
        `INSERT INTO dreams (conversation_id, messages, state, at) SELECT id, :messages, :state, :at FROM conversations WHERE id = :conversationId
         ON CONFLICT (conversation_id) DO UPDATE SET messages = excluded.messages, state = coalesce(excluded.state, state), at = excluded.at`,
        { conversationId, messages, state, at },
      );
    },
    addReport(report) {
      connection.run(
        `INSERT INTO pass_reports (id, started_at, report) VALUES (:id, :startedAt, :report)
         ON CONFLICT (id) DO UPDATE SET started_at = excluded.started_at, report = excluded.report`,
        { id: report.id, startedAt: report.startedAt, report: JSON.stringify(report) },
      );
    },
    reports: (limit) =>
      connection
        .all<{ report: string }>("SELECT report FROM pass_reports ORDER BY started_at DESC, id DESC LIMIT :limit", { limit })
        .map(({ report }) => JSON.parse(report) as PassReport),
    watermark: () => connection.get<{ watermark: number }>("SELECT watermark FROM learning_progress WHERE only = 1")?.watermark ?? 0,
    setWatermark(change) {
      connection.run("INSERT INTO learning_progress (only, watermark) VALUES (1, :change) ON CONFLICT (only) DO UPDATE SET watermark = excluded.watermark", {
        change,
      });
    },
    putShowing(showing) {
      connection.run(
        `INSERT INTO showings (id, created_at, skill_id, host, showing) VALUES (:id, :createdAt, :skillId, :host, :showing)
         ON CONFLICT (id) DO UPDATE SET created_at = excluded.created_at, skill_id = excluded.skill_id, host = excluded.host, showing = excluded.showing`,
        {
          id: showing.id,
          createdAt: showing.createdAt,
          skillId: showing.skillId,
          host: showing.status === "recording" ? (host ?? "") : null,
          showing: JSON.stringify(showing),
        },
      );
    },
    eraseShowing(id) {
      connection.forget(() => connection.run("DELETE FROM showings WHERE id = :id", { id }));
    },
    showing(id) {
      const row = connection.get<{ showing: string }>("SELECT showing FROM showings WHERE id = :id", { id });
      return row && (JSON.parse(row.showing) as Showing);
    },
    showings: () =>
      connection
        .all<{ showing: string }>("SELECT showing FROM showings ORDER BY created_at DESC, id DESC")
        .map(({ showing }) => JSON.parse(showing) as Showing),
    showingsOf: (skillId) =>
      connection
        .all<{ showing: string }>("SELECT showing FROM showings WHERE skill_id = :skillId ORDER BY created_at, id", { skillId })
        .map(({ showing }) => JSON.parse(showing) as Showing),
    markBroken: (isAlive) =>
      connection.transaction(() => {
        const hosts = connection.all<{ host: string }>("SELECT DISTINCT host FROM showings WHERE host IS NOT NULL");
        let broken = 0;
        for (const { host: recorder } of hosts.filter((row) => !isAlive(row.host)))
          broken += connection.run("UPDATE showings SET host = NULL, showing = json_set(showing, '$.status', 'broken') WHERE host = :recorder", { recorder });
        return broken;
      }),
  };
}
