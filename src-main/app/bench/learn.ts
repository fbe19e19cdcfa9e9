import { cpSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { seeded, seedOf } from "#base/seeded.ts";
import { badInput } from "#contract/errors.ts";
import type { PassReport } from "#contract/learning/schema.ts";
import type { AgentConfig } from "../config.ts";
import { createAgent, type HostedAgent } from "../create-agent.ts";
import { type BenchMachine, benchMachine } from "./machine.ts";
import { madeEmbedder } from "./made-embedder.ts";
import { addEpisodes, stepsAnEpisode } from "./made-episodes.ts";
import { madeModel } from "./made-model.ts";
import { topicOf } from "./made-skills.ts";
import { type Times, timesOf } from "./times.ts";

/** How much longer a pass over the same new episodes may take in a full store, and a first token in the middle of a pass. */
const mostLonger = { pass: 2, token: 1.1 } as const;
/** What the made model takes until its first piece of text and between two, in milliseconds: as a small model with its prompt in the cache. */
const delay = { firstMs: 250, pieceMs: 25 } as const;

export interface LearnBenchOptions {
  readonly episodes: number;
  /** Those that a timed pass has to read. */
  readonly fresh: number;
  readonly kinds: number;
  readonly repetitions: number;
  /** Messages that are sent in the middle of passes, and as many without one. */
  readonly messages: number;
  /** Numbers a vector has. */
  readonly dimension: number;
  /** Folder of the models; the chat model there answers in place of the made one. */
  readonly realFrom: string | null;
  readonly onNote?: (note: string) => void;
}

export interface LearnBench {
  readonly machine: BenchMachine;
  readonly dimension: number;
  readonly store: { readonly episodes: number; readonly steps: number; readonly kinds: number; readonly bytes: number };
  /** Milliseconds of a pass over the new episodes, in the full store and in one that holds nothing else. */
  readonly pass: { readonly fresh: number; readonly full: Times; readonly empty: Times; readonly ratio: number; readonly isWithin: boolean };
  /** Of the same passes, what the processor spent on them: on a busy machine the clock tells of the others too. */
  readonly processor: { readonly full: Times; readonly empty: Times; readonly ratio: number };
  /** Bytes the process grew by at most in a pass. */
  readonly memory: { readonly full: number; readonly empty: number };
  /** Milliseconds until the first token of an answer. */
  readonly firstToken: {
    readonly model: "made" | "real";
    readonly messages: number;
    readonly inPass: Times;
    readonly without: Times;
    readonly ratio: number;
    readonly isWithin: boolean;
  };
  /** What the passes in the full store did with what they found, so that a bench in which nothing was found is seen for what it is. */
  readonly decisions: Readonly<Record<string, number>>;
}

interface Pass {
  readonly milliseconds: number;
  readonly processor: number;
  readonly grownBy: number;
  readonly report: PassReport;
}

/** Makes a store of episodes that were read and one with none, and times passes over the same new episodes in copies of both, in turns. */
export async function benchLearn(options: LearnBenchOptions, signal: AbortSignal): Promise<LearnBench> {
  requireSize(options);
  const note = options.onNote ?? (() => undefined);
  const folder = mkdtempSync(join(tmpdir(), "knack-bench-"));
  try {
    const { episodes, fresh, kinds, dimension } = options;
    note(`making ${episodes} episodes of ${kinds} kinds`);
    await makeStore(join(folder, "full"), options, episodes, signal);
    await makeStore(join(folder, "empty"), options, 0, signal);
    const taken = { full: [] as Pass[], empty: [] as Pass[] };
    for (let time = 0; time < options.repetitions; time += 1) {
      for (const name of ["empty", "full"] as const) {
        note(`pass ${time + 1} over ${fresh} new episodes, ${name === "full" ? "full" : "empty"} store`);
        taken[name].push(await inCopy(join(folder, name), options, false, signal, (agent) => timedPass(agent, signal)));
      }
    }
    note("first tokens");
    const tokens = await firstTokens(join(folder, "full"), options, signal);
    const [full, empty] = [timesOf(taken.full.map(({ milliseconds }) => milliseconds)), timesOf(taken.empty.map(({ milliseconds }) => milliseconds))];
    const spent = { full: timesOf(taken.full.map(({ processor }) => processor)), empty: timesOf(taken.empty.map(({ processor }) => processor)) };
    const [inPass, without] = [timesOf(tokens.inPass), timesOf(tokens.without)];
    const decisions: Record<string, number> = {};
    for (const { report } of taken.full)
      for (const { decision, reason } of report.entries) {
        const said = decision === "skipped" ? `skipped: ${reason.replace(/\d+/gu, "n")}` : decision;
        decisions[said] = (decisions[said] ?? 0) + 1;
      }
    return {
      machine: benchMachine(),
      dimension,
      store: { episodes, steps: episodes * stepsAnEpisode, kinds, bytes: statSync(join(folder, "full", "data", "knack.db")).size },
      pass: { fresh, full, empty, ratio: full.median / empty.median, isWithin: full.median / empty.median < mostLonger.pass },
      processor: { ...spent, ratio: spent.full.median / spent.empty.median },
      memory: { full: Math.max(...taken.full.map(({ grownBy }) => grownBy)), empty: Math.max(...taken.empty.map(({ grownBy }) => grownBy)) },
      firstToken: {
        model: options.realFrom === null ? "made" : "real",
        messages: tokens.inPass.length,
        inPass,
        without,
        ratio: inPass.median / without.median,
        isWithin: inPass.median / without.median <= mostLonger.token,
      },
      decisions,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function requireSize(options: LearnBenchOptions): void {
  for (const [name, least, most] of [
    ["episodes", 1, 1_000_000],
    ["fresh", 1, 100_000],
    ["kinds", 1, 10_000],
    ["repetitions", 1, 1000],
    ["messages", 1, 1000],
    ["dimension", 2, 4096],
  ] as const) {
    const value = options[name];
    if (!Number.isInteger(value) || value < least || value > most) throw badInput(`${name} is ${value}; expected a whole number from ${least} to ${most}`);
  }
}

function configOf(folder: string, { dimension, realFrom }: LearnBenchOptions, isAnswering: boolean): AgentConfig {
  // Each with an embedder of its own: what one store had embedded would cost the next nothing.
  const embedder = madeEmbedder(dimension);
  const model = madeModel(isAnswering ? delay : { firstMs: 0, pieceMs: 0 });
  const models = { embedder: async () => embedder, ...(isAnswering && realFrom !== null ? {} : { chat: async () => model }) };
  return { dataFolder: join(folder, "data"), cacheFolder: realFrom ?? join(folder, "cache"), env: {}, maintenance: false, models };
}

/** A store in which what is there was read and clustered already, with the sites granted. */
async function makeStore(folder: string, options: LearnBenchOptions, episodes: number, signal: AbortSignal): Promise<void> {
  const agent = await createAgent(configOf(folder, options, false));
  try {
    for (const site of new Set(Array.from({ length: options.kinds }, (_, kind) => topicOf(kind).site))) agent.addGrant(site, "bench");
    await addEpisodes(agent.world, { from: 0, to: episodes, kinds: options.kinds }, signal);
    if (episodes > 0) await agent.induce(true, signal);
  } finally {
    await agent.close();
  }
}

/** The new episodes in a copy of a store, then the work, then the copy is gone. */
async function inCopy<T>(
  of: string,
  options: LearnBenchOptions,
  isAnswering: boolean,
  signal: AbortSignal,
  work: (agent: HostedAgent) => Promise<T>,
): Promise<T> {
  const folder = `${of}-copy`;
  cpSync(of, folder, { recursive: true });
  try {
    const agent = await createAgent(configOf(folder, options, isAnswering));
    try {
      await addEpisodes(agent.world, { from: options.episodes, to: options.episodes + options.fresh, kinds: options.kinds }, signal);
      return await work(agent);
    } finally {
      await agent.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function timedPass(agent: HostedAgent, signal: AbortSignal): Promise<Pass> {
  const before = process.memoryUsage().rss;
  let peak = before;
  const look = (): void => void (peak = Math.max(peak, process.memoryUsage().rss));
  const looking = setInterval(look, 20);
  try {
    const [start, usage] = [performance.now(), process.cpuUsage()];
    const report = await agent.induce(true, signal);
    const milliseconds = performance.now() - start;
    const { user, system } = process.cpuUsage(usage);
    look();
    return { milliseconds, processor: (user + system) / 1000, grownBy: peak - before, report };
  } finally {
    clearInterval(looking);
  }
}

/** Messages in the middle of one pass; before it as many without, so that a busy machine slows both. */
const aRound = 3;

/** As many messages in the middle of passes as without one, in turns, each at another moment of a pass. */
async function firstTokens(of: string, options: LearnBenchOptions, signal: AbortSignal): Promise<{ inPass: number[]; without: number[] }> {
  const inPass: number[] = [];
  const without: number[] = [];
  const pick = seeded(seedOf("moments"));
  while (inPass.length < options.messages) {
    await inCopy(of, options, true, signal, async (agent) => {
      // The first answer warms up what is kept of statements, pages and the prompt.
      await firstToken(agent, signal);
      const wanted = Math.min(options.messages, inPass.length + aRound);
      while (without.length < wanted) without.push(await firstToken(agent, signal));
      let isOver = false;
      const passing = agent.induce(true, signal).finally(() => {
        isOver = true;
      });
      try {
        while (inPass.length < wanted) {
          await wait(20 + pick() * 200, undefined, { signal });
          if (isOver) break;
          inPass.push(await firstToken(agent, signal));
        }
      } finally {
        await passing;
      }
    });
  }
  return { inPass, without };
}

async function firstToken(agent: HostedAgent, signal: AbortSignal): Promise<number> {
  const start = performance.now();
  let first: number | undefined;
  for await (const event of agent.send({ text: "How much is two and two? Just answer." }, signal)) {
    if (event.type === "text-delta") first ??= performance.now() - start;
    if (event.type === "turn-finished" && event.problem !== null) throw new Error(`a message of the bench was not answered: ${event.problem}`);
  }
  if (first === undefined) throw new Error("a message of the bench was not answered");
  return first;
}
