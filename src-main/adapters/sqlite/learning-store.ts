import type { PassReport, Showing } from "#contract/learning/schema.ts";
import type { LearningStore } from "#core/ports/stores.ts";
import type { Connection } from "./connection.ts";

/** Pass reports and showings, newest first. A report or showing stored again replaces the earlier state of itself. */
export function learningStore(connection: Connection): LearningStore {
  return {
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
    setWatermark(at) {
      connection.run("INSERT INTO learning_progress (only, watermark) VALUES (1, :at) ON CONFLICT (only) DO UPDATE SET watermark = excluded.watermark", { at });
    },
    putShowing(showing) {
      connection.run(
        `INSERT INTO showings (id, created_at, showing) VALUES (:id, :createdAt, :showing)
         ON CONFLICT (id) DO UPDATE SET created_at = excluded.created_at, showing = excluded.showing`,
        { id: showing.id, createdAt: showing.createdAt, showing: JSON.stringify(showing) },
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
  };
}
