import type { Run } from "#contract/skills/schema.ts";
import type { SkillStore } from "#core/ports/stores.ts";
import type { Connection, Parameters } from "./connection.ts";

type RunRow = Omit<Run, "inputs"> & { inputs: string };

const runColumns = `id, skill_id AS skillId, revision, episode_id AS episodeId, turn_id AS turnId, mode, inputs, outcome, finding,
  started_at AS startedAt, ended_at AS endedAt`;

/** The runs of revisions, and the phrasings a person's answers left. */
export function runRows(
  connection: Connection,
): Pick<
  SkillStore,
  "addRun" | "updateRun" | "runs" | "runOfTurn" | "runsOfEpisodes" | "addPhrasing" | "declined" | "phrasings" | "phrasingsOf" | "forgetPhrasings"
> {
  return {
    addRun(run) {
      connection.run(
        `INSERT INTO runs (id, skill_id, revision, episode_id, turn_id, mode, inputs, outcome, finding, started_at, ended_at)
         VALUES (:id, :skillId, :revision, :episodeId, :turnId, :mode, :inputs, :outcome, :finding, :startedAt, :endedAt)`,
        runParameters(run),
      );
    },
    updateRun(run) {
      connection.change(
        "run",
        `UPDATE runs SET skill_id = :skillId, revision = :revision, episode_id = :episodeId, turn_id = :turnId, mode = :mode, inputs = :inputs,
           outcome = :outcome, finding = :finding, started_at = :startedAt, ended_at = :endedAt
         WHERE id = :id`,
        runParameters(run),
      );
    },
    runs(skillId, revision) {
      const rows =
        revision === undefined
          ? connection.all<RunRow>(`SELECT ${runColumns} FROM runs WHERE skill_id = :skillId ORDER BY seq`, { skillId })
          : connection.all<RunRow>(`SELECT ${runColumns} FROM runs WHERE skill_id = :skillId AND revision = :revision ORDER BY seq`, {
              skillId,
              revision,
            });
      return rows.map(toRun);
    },
    runOfTurn(turnId) {
      const row = connection.get<RunRow>(`SELECT ${runColumns} FROM runs WHERE turn_id = :turnId ORDER BY seq DESC LIMIT 1`, { turnId });
      return row && toRun(row);
    },

    runsOfEpisodes: (episodeIds) =>
      connection
        .all<RunRow>(`SELECT ${runColumns} FROM runs WHERE episode_id IN (SELECT value FROM json_each(:ids)) ORDER BY seq`, { ids: JSON.stringify(episodeIds) })
        .map(toRun),

    // The same words answered otherwise later: the later answer counts. What was declined is embedded anew when recall is next asked, whoever declined it.
    addPhrasing(skillId, text, counter, at, episodeId = null) {
      connection.transaction(() => {
        connection.run(
          `INSERT INTO phrasings (skill_id, text, counter, at, episode_id) VALUES (:skillId, :text, :counter, :at, :episodeId)
           ON CONFLICT (skill_id, text) DO UPDATE SET counter = excluded.counter, at = excluded.at, episode_id = excluded.episode_id`,
          { skillId, text, counter: counter ? 1 : 0, at, episodeId },
        );
        connection.run("DELETE FROM texts WHERE owner_kind = 'counter' AND owner_id = :skillId", { skillId });
      });
    },
    declined: () => connection.all<{ id: string }>("SELECT DISTINCT skill_id AS id FROM phrasings WHERE counter = 1").map(({ id }) => id),
    phrasingsOf: (episodeId) =>
      connection
        .all<{ skillId: string; text: string; counter: number }>(
          "SELECT skill_id AS skillId, text, counter FROM phrasings WHERE episode_id = :episodeId ORDER BY at, text",
          { episodeId },
        )
        .map((row) => ({ ...row, counter: row.counter === 1 })),
    forgetPhrasings: (episodeIds, goals) =>
      connection.forget(() => {
        const rows = connection.all<{ skillId: string }>(
          `DELETE FROM phrasings WHERE episode_id IN (SELECT value FROM json_each(:ids))
             OR (episode_id IS NULL AND text IN (SELECT value FROM json_each(:goals)))
           RETURNING skill_id AS skillId`,
          { ids: JSON.stringify(episodeIds), goals: JSON.stringify(goals) },
        );
        return [...new Set(rows.map(({ skillId }) => skillId))];
      }),
    phrasings: (skillId) =>
      connection
        .all<{ text: string; counter: number }>("SELECT text, counter FROM phrasings WHERE skill_id = :skillId ORDER BY at, text", { skillId })
        .map(({ text, counter }) => ({ text, counter: counter === 1 })),
  };
}

function runParameters({ inputs, ...run }: Run): Parameters {
  return { ...run, inputs: JSON.stringify(inputs) };
}

function toRun({ inputs, ...row }: RunRow): Run {
  return { ...row, inputs: JSON.parse(inputs) as Run["inputs"] };
}
