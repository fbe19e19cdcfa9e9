import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { clip, squash } from "#base/text.ts";
import { badInput } from "#contract/errors.ts";
import type { PassReport } from "#contract/learning/schema.ts";
import { collect } from "#core/learning/index.ts";
import type { Stores } from "#core/ports/index.ts";
import { defineTool, type Tool, toolRegistry } from "#core/tools/index.ts";
import { createAgent } from "../create-agent.ts";
import { type RecordedEpisode, readEpisodes } from "./read-episodes.ts";

export interface LearnedSkill {
  readonly name: string;
  readonly steps: readonly string[];
  /** Steps that can be carried out without judgement. */
  readonly callable: number;
  readonly evidence: readonly { readonly task: string; readonly trial: string; readonly reward: number }[];
}

export interface LearningReport {
  readonly model: string;
  readonly embedder: string | null;
  readonly seconds: number;
  readonly episodes: { readonly read: number; readonly success: number; readonly failure: number; readonly withoutSteps: number };
  readonly clusters: number;
  readonly skills: readonly LearnedSkill[];
  /** Of every cluster, and every episode left out before, that no skill came of: why. */
  readonly skipped: readonly { readonly goal: string; readonly episodes: number; readonly successes: number; readonly reason: string }[];
  /** Skills with an episode behind them that had failed; any but 0 is a fault. */
  readonly skillsOnFailedEpisodes: number;
  readonly note: string;
}

/** What the recorded episodes are put into, and how the pass over them is run. */
export interface LearningBench {
  readonly stores: Stores;
  readonly makeId: () => string;
  readonly now: number;
  readonly learn: () => Promise<PassReport>;
}

/**
 * Puts recorded episodes through the whole learning pass, with the models of this machine and in a data folder that is thrown away.
 * @throws KnackError bad-input for a file that is missing or cannot be read, with its line
 */
export async function evalLearning(
  options: { readonly dataFile: string; readonly cacheFolder: string; readonly env: Readonly<Record<string, string | undefined>>; readonly model?: string },
  signal: AbortSignal,
): Promise<LearningReport> {
  const episodes = readEpisodes(textOf(options.dataFile));
  const dataFolder = mkdtempSync(join(tmpdir(), "knack-eval-"));
  const started = Date.now();
  try {
    const agent = await createAgent({
      dataFolder,
      cacheFolder: options.cacheFolder,
      env: { ...options.env, KNACK_HEADLESS: "1" },
      maintenance: false,
      maxDistillations: episodes.length,
      maxClusters: episodes.length,
      tools: recordedTools(episodes),
      ...(options.model === undefined ? {} : { chatModel: options.model }),
    });
    try {
      const { stores, makeId } = agent.world;
      const learned = await learnFromEpisodes(episodes, { stores, makeId, now: started, learn: () => agent.induce(true, signal) });
      const { model, embedder } = await agent.status();
      return { model: model.id ?? "", embedder: embedder.id, seconds: Math.round((Date.now() - started) / 100) / 10, ...learned };
    } finally {
      await agent.close();
    }
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw badInput(
      `--data ${file} cannot be read (${error instanceof Error ? error.message : String(error)}); give a file of episodes, one JSON object a line`,
    );
  }
}

/** The tools the episodes name, as far as they are not built in; nothing calls them here. */
export function recordedTools(episodes: readonly RecordedEpisode[]): Tool[] {
  const ids = new Set(episodes.flatMap(({ steps }) => steps.map(({ tool }) => tool)));
  return [...ids]
    .filter((id) => !toolRegistry.has(id))
    .map((id) =>
      defineTool({
        id,
        primitive: null,
        author: "recorded",
        description: id,
        args: z.record(z.string(), z.unknown()),
        run: () => Promise.reject(new Error(`${id} was only recorded`)),
      }),
    );
}

/** Stores the episodes, each in a conversation of its own, runs the pass, and says what came of it. */
export async function learnFromEpisodes(
  episodes: readonly RecordedEpisode[],
  bench: LearningBench,
): Promise<Omit<LearningReport, "model" | "embedder" | "seconds">> {
  const recorded = new Map(episodes.map((episode, index) => [keep(episode, bench, bench.now - (episodes.length - index) * 1000), episode]));
  const { trace } = bench.stores;
  const leftOut = new Set(
    [...recorded.keys()].filter((id) => {
      const episode = trace.episode(id);
      return episode !== undefined && collect(trace, episode).kind === "left-out";
    }),
  );
  const report = await bench.learn();
  const isGood = (id: string): boolean => recorded.get(id)?.reward === 1;
  const { skills } = bench.stores;
  const learned = skills.list({ all: true }).map((skill): LearnedSkill & { readonly isOnFailed: boolean } => {
    const revisions = skills.revisions(skill.id);
    const { steps = [], evidence = [] } = revisions.at(-1) ?? {};
    return {
      name: skill.name,
      steps: steps.map((step) => squash(step.do)),
      callable: steps.filter(({ call }) => call !== undefined).length,
      evidence: evidence.flatMap((id) => {
        const episode = recorded.get(id);
        return episode ? [{ task: String(episode.task_id), trial: String(episode.trial), reward: episode.reward }] : [];
      }),
      isOnFailed: revisions.some((revision) => revision.evidence.some((id) => !isGood(id))),
    };
  });
  const success = episodes.filter(({ reward }) => reward === 1).length;
  return {
    episodes: { read: episodes.length, success, failure: episodes.length - success, withoutSteps: episodes.filter(({ steps }) => steps.length === 0).length },
    clusters: report.entries.filter(({ episodes: ids }) => !ids.every((id) => leftOut.has(id))).length,
    skills: learned.map(({ isOnFailed: _, ...skill }) => skill),
    skipped: report.entries
      .filter(({ decision }) => decision === "skipped")
      .map(({ goal, episodes: ids, reason }) => ({ goal: clip(squash(goal), 120), episodes: ids.length, successes: ids.filter(isGood).length, reason })),
    skillsOnFailedEpisodes: learned.filter(({ isOnFailed }) => isOnFailed).length,
    note: report.note,
  };
}

/** One recorded episode in the store, as a turn of this agent would have left it; returns its id. */
function keep(recorded: RecordedEpisode, { stores, makeId }: LearningBench, at: number): string {
  const [conversationId, episodeId, turnId] = [makeId(), makeId(), makeId()];
  const tokens = { evaluated: 0, reused: 0, generated: 0 };
  stores.conversations.create({ id: conversationId, title: `task ${recorded.task_id}, trial ${recorded.trial}`, createdAt: at, updatedAt: at });
  const outcome = recorded.reward === 1 ? "success" : "failure";
  stores.trace.addEpisode({ id: episodeId, conversationId, goal: recorded.goal, outcome: null, reason: null, open: true, createdAt: at, closedAt: null });
  stores.trace.addTurn({
    id: turnId,
    conversationId,
    episodeId,
    status: "done",
    skillId: null,
    revision: null,
    mode: null,
    recall: null,
    startedAt: at,
    endedAt: at,
    tokens,
  });
  for (const [index, { tool, args, result }] of recorded.steps.entries())
    stores.trace.addStep({
      id: makeId(),
      turnId,
      episodeId,
      index,
      tool,
      args,
      // Recorded agents are told of a call that failed in its result.
      status: /^\s*error\b/iu.test(result) ? "error" : "ok",
      text: result,
      details: {},
      startedAt: at + index,
      durationMs: 0,
      tokens,
    });
  stores.trace.judge(episodeId, outcome, `recorded with reward ${recorded.reward}`, at + recorded.steps.length);
  return episodeId;
}
