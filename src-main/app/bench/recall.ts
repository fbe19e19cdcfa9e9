import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seeded, seedOf } from "#base/seeded.ts";
import { badInput } from "#contract/errors.ts";
import type { Recall } from "#contract/skills/schema.ts";
import { embedderKeyText } from "#core/ports/index.ts";
import { shipped } from "../calibration.ts";
import { createAgent, type HostedAgent } from "../create-agent.ts";
import { matchGoal, type SkillWorld } from "../skills.ts";
import { fillStore } from "./fill-store.ts";
import { type BenchMachine, benchMachine } from "./machine.ts";
import { madeEmbedder } from "./made-embedder.ts";
import { phrasingsOf, topicOf } from "./made-skills.ts";
import { type Times, timesOf } from "./times.ts";

/** What a list, a page or a match may take, in milliseconds, in 95 of 100 cases; embedding the goal comes on top. */
const limitMs = 50;

export interface RecallBenchOptions {
  readonly skills: number;
  readonly revisions: number;
  /** Of each operation, on each store. */
  readonly repetitions: number;
  /** Numbers a vector has. */
  readonly dimension: number;
  readonly onNote?: (note: string) => void;
}

export interface BenchStore {
  readonly skills: number;
  readonly revisions: number;
  readonly runs: number;
  readonly vectors: number;
  readonly bytes: number;
}

export interface BenchOperation {
  readonly operation: "list" | "show" | "history" | "match";
  /** On the store asked for, and on one of a tenth of its skills; milliseconds. */
  readonly times: Times;
  /** Of the same, what the processor spent on it: on a busy machine the clock tells of the others too. */
  readonly processor: Times;
  readonly reference: Times;
  /** Median over the reference's; 10 is linear. */
  readonly growth: number;
  readonly isWithin: boolean;
}

export interface RecallBench {
  readonly machine: BenchMachine;
  readonly dimension: number;
  readonly repetitions: number;
  readonly limitMs: number;
  readonly store: BenchStore;
  readonly reference: BenchStore;
  readonly operations: readonly BenchOperation[];
  /** Verdicts of the goals matched, so that a bench in which nothing was found is seen for what it is. */
  readonly verdicts: Readonly<Partial<Record<Recall["verdict"], number>>>;
}

interface Taken {
  readonly clock: number;
  readonly processor: number;
}

interface Stand {
  readonly agent: HostedAgent;
  readonly world: SkillWorld;
  readonly store: BenchStore;
  close(): Promise<void>;
}

/** Makes a store of skills and one of a tenth of them, and times what a person waits for on both, in turns, so that a busy machine slows both. */
export async function benchRecall(options: RecallBenchOptions, signal: AbortSignal): Promise<RecallBench> {
  requireSize(options);
  const note = options.onNote ?? (() => undefined);
  const large = await openStand(options.skills, options, note, signal);
  try {
    const small = await openStand(Math.max(1, Math.round(options.skills / 10)), options, note, signal);
    try {
      const verdicts: Partial<Record<Recall["verdict"], number>> = {};
      const operations: BenchOperation[] = [];
      for (const operation of ["list", "show", "history", "match"] as const) {
        note(`${operation}, ${options.repetitions} times on each`);
        const count = ({ verdict }: Recall): void => void (verdicts[verdict] = (verdicts[verdict] ?? 0) + 1);
        const taken = { large: [] as Taken[], small: [] as Taken[] };
        for (let time = -5; time < options.repetitions; time += 1) {
          signal.throwIfAborted();
          const [onLarge, onSmall] = [await timed(operation, large, time, signal, count), await timed(operation, small, time, signal)];
          // The first five warm up what is kept of statements and pages.
          if (time < 0) continue;
          taken.large.push(onLarge);
          taken.small.push(onSmall);
        }
        const clockOf = (all: readonly Taken[]): Times => timesOf(all.map(({ clock }) => clock));
        const [times, reference] = [clockOf(taken.large), clockOf(taken.small)];
        const processor = timesOf(taken.large.map((one) => one.processor));
        operations.push({ operation, times, processor, reference, growth: times.median / reference.median, isWithin: times.p95 < limitMs });
      }
      return {
        machine: benchMachine(),
        dimension: options.dimension,
        repetitions: options.repetitions,
        limitMs,
        store: large.store,
        reference: small.store,
        operations,
        verdicts,
      };
    } finally {
      await small.close();
    }
  } finally {
    await large.close();
  }
}

function requireSize({ skills, revisions, repetitions, dimension }: RecallBenchOptions): void {
  for (const [name, value, most] of [
    ["skills", skills, 100_000],
    ["revisions", revisions, 1000],
    ["repetitions", repetitions, 100_000],
    ["dimension", dimension, 4096],
  ] as const)
    if (!Number.isInteger(value) || value < 1 || value > most) throw badInput(`${name} is ${value}; expected a whole number from 1 to ${most}`);
}

async function openStand(skills: number, { revisions, dimension }: RecallBenchOptions, note: (text: string) => void, signal: AbortSignal): Promise<Stand> {
  note(`making ${skills} skills of ${revisions} revisions`);
  const folder = mkdtempSync(join(tmpdir(), "knack-bench-"));
  const discard = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const agent = await createAgent({ dataFolder: join(folder, "data"), cacheFolder: join(folder, "cache"), env: {}, maintenance: false });
    try {
      const embedder = madeEmbedder(dimension);
      // Its similarities are as they are made; with thresholds of its own a match ends as it does for a user.
      const [known] = shipped;
      if (known) agent.world.stores.calibrations.put({ ...known, key: embedderKeyText(embedder.key) });
      const counts = await fillStore(agent.world, { skills, revisions }, embedder, signal);
      const bytes = ["knack.db", "knack.db-wal"].reduce((sum, name) => sum + (statSync(join(folder, "data", name), { throwIfNoEntry: false })?.size ?? 0), 0);
      return {
        agent,
        world: { ...agent.world, embedder: async () => embedder },
        store: { skills, ...counts, bytes },
        async close() {
          await agent.close();
          discard();
        },
      };
    } catch (error) {
      await agent.close();
      throw error;
    }
  } catch (error) {
    discard();
    throw error;
  }
}

/** One operation on one of the skills. A goal is embedded before the clock starts. */
async function timed(
  operation: BenchOperation["operation"],
  { agent, world, store }: Stand,
  time: number,
  signal: AbortSignal,
  onRecall?: (recall: Recall) => void,
): Promise<Taken> {
  const pick = seeded(seedOf(`${operation} ${time}`));
  const topic = topicOf(Math.floor(pick() * store.skills));
  if (operation === "list") return taking(() => agent.skills(true));
  if (operation === "show") return taking(() => agent.skill(topic.name, 1));
  if (operation === "history") return taking(() => agent.skill(topic.name));
  const goal = goalFor(topic, Math.floor(pick() * 4));
  onRecall?.(await matchGoal(world, goal, signal));
  return taking(() => matchGoal(world, goal, signal));
}

async function taking(work: () => unknown): Promise<Taken> {
  const [start, usage] = [performance.now(), process.cpuUsage()];
  await work();
  const clock = performance.now() - start;
  const { user, system } = process.cpuUsage(usage);
  return { clock, processor: (user + system) / 1000 };
}

/** Goals as people ask them: in the skill's own words, with its site, in other words, and something else altogether. */
function goalFor(topic: ReturnType<typeof topicOf>, kind: number): string {
  const [own = ""] = phrasingsOf(topic);
  if (kind === 0) return `${own} for April 2027`;
  if (kind === 1) return `${own} for April 2027 at ${topic.site}`;
  if (kind === 2) return `I'd like the ${topic.place} to see to a ${topic.thing}`;
  return "Tell me a long story about the dragons of the north";
}
