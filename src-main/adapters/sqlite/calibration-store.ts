import { type Calibration, calibrationSchema } from "#contract/models/schema.ts";
import type { CalibrationStore } from "#core/ports/stores.ts";
import type { Connection } from "./connection.ts";

/** Answers that are kept: older ones were given when the store knew other skills. */
const newest = 500;

/** A calibration that cannot be read counts as none: it is made anew. */
export function calibrationStore(connection: Connection): CalibrationStore {
  return {
    of(key) {
      const row = connection.get<{ calibration: string }>("SELECT calibration FROM calibrations WHERE key = :key", { key });
      return row && readCalibration(row.calibration);
    },
    put(calibration) {
      connection.run("INSERT INTO calibrations (key, calibration) VALUES (:key, :text) ON CONFLICT (key) DO UPDATE SET calibration = excluded.calibration", {
        key: calibration.key,
        text: JSON.stringify(calibration),
      });
    },
    addAnswer(key, { certainty, right }, at) {
      connection.transaction(() => {
        connection.run("INSERT INTO recall_answers (key, certainty, is_right, at) VALUES (:key, :certainty, :right, :at)", {
          key,
          certainty,
          right: right ? 1 : 0,
          at,
        });
        connection.run(
          `DELETE FROM recall_answers WHERE key = :key
           AND seq <= (SELECT seq FROM recall_answers WHERE key = :key ORDER BY seq DESC LIMIT 1 OFFSET :newest)`,
          { key, newest },
        );
      });
    },
    answers: (key) =>
      connection
        .all<{ certainty: number; isRight: number }>(
          "SELECT certainty, is_right AS isRight FROM recall_answers WHERE key = :key ORDER BY seq DESC LIMIT :newest",
          { key, newest },
        )
        .map(({ certainty, isRight }) => ({ certainty, right: isRight === 1 })),
  };
}

function readCalibration(text: string): Calibration | undefined {
  try {
    return calibrationSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
