import type { Episode } from "#contract/chat/schema.ts";
import type { TraceStore } from "#core/ports/stores.ts";
import type { Connection, Parameters } from "./connection.ts";
import { turnRows } from "./turn-rows.ts";

type EpisodeRow = Omit<Episode, "open"> & { open: number };

const episodeColumns = "id, conversation_id AS conversationId, goal, outcome, reason, open, created_at AS createdAt, closed_at AS closedAt";

export function traceStore(connection: Connection, host: string | null): TraceStore {
  return {
    ...turnRows(connection, host),

    addEpisode(episode) {
      connection.run(
        `INSERT INTO episodes (id, conversation_id, goal, outcome, reason, open, created_at, closed_at)
         VALUES (:id, :conversationId, :goal, :outcome, :reason, :open, :createdAt, :closedAt)`,
        episodeParameters(episode),
      );
    },
    updateEpisode(episode) {
      connection.change(
        "episode",
        `UPDATE episodes SET conversation_id = :conversationId, goal = :goal, outcome = :outcome, reason = :reason, open = :open,
           created_at = :createdAt, closed_at = :closedAt
         WHERE id = :id`,
        episodeParameters(episode),
      );
    },
    episode(id) {
      const row = connection.get<EpisodeRow>(`SELECT ${episodeColumns} FROM episodes WHERE id = :id`, { id });
      return row && toEpisode(row);
    },
    openEpisode(conversationId) {
      const row = connection.get<EpisodeRow>(
        `SELECT ${episodeColumns} FROM episodes WHERE conversation_id = :conversationId AND open = 1 ORDER BY created_at DESC, seq DESC LIMIT 1`,
        { conversationId },
      );
      return row && toEpisode(row);
    },
    episodesOf: (conversationId) =>
      connection
        .all<EpisodeRow>(`SELECT ${episodeColumns} FROM episodes WHERE conversation_id = :conversationId ORDER BY created_at, seq`, { conversationId })
        .map(toEpisode),
    episodesChangedAfter: (change, limit) =>
      connection
        .all<EpisodeRow & { change: number }>(
          `SELECT ${episodeColumns}, change FROM episodes
           WHERE change > :change AND conversation_id NOT IN (SELECT id FROM conversations WHERE temporary_host IS NOT NULL OR imported = 1)
           ORDER BY change LIMIT :limit`,
          { change, limit },
        )
        .map(({ change: last, ...row }) => ({ episode: toEpisode(row), change: last })),
    // An episode that was judged is over; one that had been closed before keeps its hour.
    judge(id, outcome, reason, at) {
      connection.change("episode", "UPDATE episodes SET outcome = :outcome, reason = :reason, open = 0, closed_at = coalesce(closed_at, :at) WHERE id = :id", {
        id,
        outcome,
        reason,
        at,
      });
    },

    eraseEpisode: (id) =>
      connection.forget(() => {
        connection.run("DELETE FROM messages WHERE turn_id IN (SELECT id FROM turns WHERE episode_id = :id)", { id });
        connection.run("DELETE FROM turns WHERE episode_id = :id", { id });
        connection.change("episode", "DELETE FROM episodes WHERE id = :id", { id });
      }),
    markGone: (ids, how, at) =>
      connection.transaction(() => {
        for (const id of ids) connection.run("INSERT INTO gone_episodes (id, how, at) VALUES (:id, :how, :at) ON CONFLICT DO NOTHING", { id, how, at });
      }),
    gone: (ids) =>
      connection.all<{ id: string; how: "erased" | "pruned"; at: number }>(
        "SELECT id, how, at FROM gone_episodes WHERE id IN (SELECT value FROM json_each(:ids))",
        { ids: JSON.stringify(ids) },
      ),

    markInterrupted: (at, isAlive) =>
      connection.transaction(() => {
        const hosts = connection.all<{ host: string | null }>("SELECT DISTINCT host FROM turns WHERE status = 'running'");
        const dead = hosts.filter((row) => row.host === null || !isAlive(row.host));
        let turns = 0;
        for (const row of dead) turns += endTurnsOf(connection, row.host, at);
        // What is still being written belongs to a turn that runs, or to nobody.
        const orphaned = "turn_id NOT IN (SELECT id FROM turns WHERE status = 'running')";
        return {
          turns,
          messages: connection.run(`UPDATE messages SET status = 'interrupted' WHERE status = 'streaming' AND ${orphaned}`),
          steps: connection.run(`UPDATE steps SET status = 'interrupted' WHERE status = 'running' AND ${orphaned}`),
        };
      }),
  };
}

/** The goal of a turn that was cut off is over, and so is the run of its skill; neither counts for anything. Returns how many turns. */
function endTurnsOf(connection: Connection, host: string | null, at: number): number {
  const running = "status = 'running' AND host IS :host";
  connection.run(
    `UPDATE episodes SET outcome = 'abandoned', reason = 'the program ended', open = 0, closed_at = :at
     WHERE id IN (SELECT episode_id FROM turns WHERE ${running})`,
    { at, host },
  );
  connection.run(`UPDATE runs SET outcome = 'abandoned', ended_at = :at WHERE outcome IS NULL AND turn_id IN (SELECT id FROM turns WHERE ${running})`, {
    at,
    host,
  });
  return connection.run(`UPDATE turns SET status = 'interrupted', ended_at = :at WHERE ${running}`, { at, host });
}

function episodeParameters({ open, ...episode }: Episode): Parameters {
  return { ...episode, open: open ? 1 : 0 };
}

function toEpisode({ open, ...row }: EpisodeRow): Episode {
  return { ...row, open: open === 1 };
}
