import type { Step, Turn } from "#contract/chat/schema.ts";
import type { TraceStore } from "#core/ports/stores.ts";
import type { Connection, Parameters } from "./connection.ts";

type Tokens = { evaluated: number; reused: number; generated: number };
type TurnRow = Omit<Turn, "recall" | "tokens" | "choice"> & { recall: string | null; choice: Turn["choice"] | null } & Tokens;
type StepRow = Omit<Step, "args" | "details" | "tokens"> & { args: string; details: string } & Tokens;

const tokenColumns = "tokens_evaluated AS evaluated, tokens_reused AS reused, tokens_generated AS generated";
const turnColumns = `id, conversation_id AS conversationId, episode_id AS episodeId, status, skill_id AS skillId, revision, mode, recall, choice,
  started_at AS startedAt, ended_at AS endedAt, ${tokenColumns}`;
const stepColumns = `id, turn_id AS turnId, episode_id AS episodeId, step_index AS "index", tool, args, status, text, details,
  started_at AS startedAt, duration_ms AS durationMs, ${tokenColumns}`;

/** The turns and steps of the trace; `host` names the process that runs the turns added. */
export function turnRows(
  connection: Connection,
  host: string | null,
): Pick<
  TraceStore,
  | "addTurn"
  | "updateTurn"
  | "turn"
  | "turns"
  | "turnIds"
  | "runningIn"
  | "turnsOfEpisode"
  | "turnsHolding"
  | "controlledTurns"
  | "addStep"
  | "updateStep"
  | "step"
  | "keepResult"
  | "resultOf"
  | "stepsOfTurn"
  | "stepsOfEpisode"
  | "stepsOfMemory"
> {
  return {
    addTurn(turn) {
      connection.run(
        `INSERT INTO turns (id, conversation_id, episode_id, status, skill_id, revision, mode, recall, choice, started_at, ended_at, host,
           tokens_evaluated, tokens_reused, tokens_generated)
         VALUES (:id, :conversationId, :episodeId, :status, :skillId, :revision, :mode, :recall, :choice, :startedAt, :endedAt, :host, :evaluated, :reused, :generated)`,
        { ...turnParameters(turn), host },
      );
    },
    updateTurn(turn) {
      connection.change(
        "turn",
        `UPDATE turns SET conversation_id = :conversationId, episode_id = :episodeId, status = :status, skill_id = :skillId, revision = :revision,
           mode = :mode, recall = :recall, choice = :choice, started_at = :startedAt, ended_at = :endedAt,
           tokens_evaluated = :evaluated, tokens_reused = :reused, tokens_generated = :generated
         WHERE id = :id`,
        turnParameters(turn),
      );
    },
    turn(id) {
      const row = connection.get<TurnRow>(`SELECT ${turnColumns} FROM turns WHERE id = :id`, { id });
      return row && toTurn(row);
    },
    turns: (conversationId) =>
      connection
        .all<TurnRow>(`SELECT ${turnColumns} FROM turns WHERE conversation_id = :conversationId ORDER BY started_at, seq`, { conversationId })
        .map(toTurn),
    turnIds: (conversationId) =>
      connection
        .all<{ id: string }>("SELECT id FROM turns WHERE conversation_id = :conversationId ORDER BY started_at, seq", { conversationId })
        .map(({ id }) => id),

    runningIn: (conversationId) =>
      connection
        .all<{ host: string }>("SELECT DISTINCT host FROM turns WHERE conversation_id = :conversationId AND status = 'running' AND host IS NOT NULL", {
          conversationId,
        })
        .map((row) => row.host),
    turnsOfEpisode: (episodeId) =>
      connection.all<TurnRow>(`SELECT ${turnColumns} FROM turns WHERE episode_id = :episodeId ORDER BY seq`, { episodeId }).map(toTurn),
    turnsHolding: (text) => connection.all<TurnRow>(`SELECT ${turnColumns} FROM turns WHERE instr(recall, :text) > 0 ORDER BY seq`, { text }).map(toTurn),
    controlledTurns: () =>
      connection.all<TurnRow>(`SELECT ${turnColumns} FROM turns WHERE json_extract(recall, '$.control') IS NOT NULL ORDER BY seq`).map(toTurn),

    addStep(step) {
      connection.run(
        `INSERT INTO steps (id, turn_id, episode_id, step_index, tool, args, status, text, details, started_at, duration_ms,
           tokens_evaluated, tokens_reused, tokens_generated)
         VALUES (:id, :turnId, :episodeId, :index, :tool, :args, :status, :text, :details, :startedAt, :durationMs, :evaluated, :reused, :generated)`,
        stepParameters(step),
      );
    },
    updateStep(step) {
      connection.change(
        "step",
        `UPDATE steps SET turn_id = :turnId, episode_id = :episodeId, step_index = :index, tool = :tool, args = :args, status = :status,
           text = :text, details = :details, started_at = :startedAt, duration_ms = :durationMs,
           tokens_evaluated = :evaluated, tokens_reused = :reused, tokens_generated = :generated
         WHERE id = :id`,
        stepParameters(step),
      );
    },
    step(id) {
      const row = connection.get<StepRow>(`SELECT ${stepColumns} FROM steps WHERE id = :id`, { id });
      return row && toStep(row);
    },
    keepResult(stepId, text) {
      connection.run("INSERT INTO step_results (step_id, text) VALUES (:stepId, :text) ON CONFLICT (step_id) DO UPDATE SET text = excluded.text", {
        stepId,
        text,
      });
    },
    resultOf: (stepId) => connection.get<{ text: string }>("SELECT text FROM step_results WHERE step_id = :stepId", { stepId })?.text,
    stepsOfTurn: (turnId) =>
      connection.all<StepRow>(`SELECT ${stepColumns} FROM steps WHERE turn_id = :turnId ORDER BY step_index, seq`, { turnId }).map(toStep),
    // Steps are stored one after the other, so their sequence is their order over all turns of the episode.
    stepsOfMemory: () =>
      connection
        .all<StepRow>(
          `SELECT ${stepColumns} FROM steps WHERE tool IN ('remember', 'recall', 'update_memory', 'forget', 'search_past_conversations') ORDER BY seq`,
        )
        .map(toStep),
    stepsOfEpisode: (episodeId) =>
      connection.all<StepRow>(`SELECT ${stepColumns} FROM steps WHERE episode_id = :episodeId ORDER BY seq`, { episodeId }).map(toStep),
  };
}

function turnParameters({ recall, tokens, choice, ...turn }: Turn): Parameters {
  return { ...turn, choice: choice ?? null, recall: recall === null ? null : JSON.stringify(recall), ...tokens };
}

function toTurn({ recall, choice, evaluated, reused, generated, ...row }: TurnRow): Turn {
  return {
    ...row,
    ...(choice ? { choice } : {}),
    recall: recall === null ? null : (JSON.parse(recall) as Turn["recall"]),
    tokens: { evaluated, reused, generated },
  };
}

function stepParameters({ args, details, tokens, ...step }: Step): Parameters {
  return { ...step, args: JSON.stringify(args), details: JSON.stringify(details), ...tokens };
}

function toStep({ args, details, evaluated, reused, generated, ...row }: StepRow): Step {
  return {
    ...row,
    args: JSON.parse(args) as Step["args"],
    details: JSON.parse(details) as Step["details"],
    tokens: { evaluated, reused, generated },
  };
}
