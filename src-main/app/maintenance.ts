import type { PassReport } from "#contract/learning/schema.ts";
import type { Power } from "#core/ports/index.ts";
import { calibrateEmbedder, takeShippedCalibration } from "./calibration.ts";
import { dream } from "./dream.ts";
import { type LearnWorld, learn } from "./learn.ts";
import { whyNotNow } from "./may-learn-now.ts";
import { lookAfterSkills } from "./upkeep.ts";

/**
 * What is done in the background: after the first answer of a process, and whenever nobody has written for a while, a learning pass and a look after the
 * skills; a backup once; and a dream of every conversation that has come to rest. One pass at a time, and none while a message is being answered.
 */
export interface Maintenance {
  /** A message came: it goes first, whoever asked for the pass that runs. */
  giveWay(): void;
  /** Nothing is being answered any more: what gave way goes on. */
  goOn(): void;
  /** The same after an answer, which begins what was not done yet. Resolves when the backup is made. */
  begin(): Promise<void>;
  /** A pass that a person asked for. It gives way too, and goes on afterwards. */
  pass(apply: boolean, signal: AbortSignal): Promise<PassReport>;
  /** Whether a pass runs, or waits to go on. */
  isAtWork(): boolean;
  /** Ends what runs, and resolves when it has ended. */
  stop(): Promise<void>;
}

/** Without a message for so long, ten minutes, nobody waits for an answer. */
const idleAfterMs = 10 * 60_000;

/** How often it is looked whether a conversation has come to rest. */
const dreamEvery = 5 * 60_000;

export interface MaintenanceWorld extends LearnWorld {
  readonly power: Power;
  readonly backUp: () => Promise<unknown>;
  /** Lets go of what is older than the user keeps; returns how many conversations. */
  readonly prune: () => number;
}

export interface MaintenanceOptions {
  /** Whether a pass may run at all in the background: the setting, and what the process was made for. */
  readonly isOn: () => boolean;
  /** Whether conversations may be looked at: the process was made for upkeep, and nothing is being answered. */
  readonly mayDream: () => boolean;
  /** Whether an embedder that nobody has calibrated is measured; takes minutes. */
  readonly calibrates?: boolean;
  readonly idleAfterMs?: number;
  readonly maxDistillations?: number;
  readonly maxClusters?: number;
}

export function makeMaintenance(world: MaintenanceWorld, options: MaintenanceOptions): Maintenance {
  const { log } = world;
  const closing = new AbortController();
  const learnOptions = {
    ...(options.maxDistillations === undefined ? {} : { maxDistillations: options.maxDistillations }),
    ...(options.maxClusters === undefined ? {} : { maxClusters: options.maxClusters }),
  };
  let isAnswering = false;
  let waiting: (() => void)[] = [];
  let running: AbortController | null = null;
  /** The last piece of work; the next one waits for its end. */
  let last: Promise<unknown> = Promise.resolve();
  /** Pieces of work that run or wait. */
  let works = 0;
  let isPassed = false;
  let isPassing = false;
  let isBackedUp = false;
  let isDreaming = false;
  let idle: NodeJS.Timeout | undefined;

  /** Does the work when its turn comes and nobody waits for an answer. Where it has to give way it is begun anew afterwards. */
  function inTurn<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    works += 1;
    const result = last.then(async () => {
      for (;;) {
        signal.throwIfAborted();
        if (isAnswering) await untilFree(signal);
        const control = new AbortController();
        running = control;
        try {
          return await work(AbortSignal.any([signal, control.signal]));
        } catch (error) {
          if (!control.signal.aborted || signal.aborted) throw error;
        } finally {
          running = null;
        }
      }
    });
    last = result
      .catch(() => undefined)
      .finally(() => {
        works -= 1;
      });
    return result;
  }

  function untilFree(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(signal.reason as Error);
      signal.addEventListener("abort", stop, { once: true });
      waiting.push(() => {
        signal.removeEventListener("abort", stop);
        resolve();
      });
    });
  }

  /** A learning pass; its report says where it gave way, or where it ended because Knack was closed. */
  async function passInTurn(apply: boolean, asked: AbortSignal): Promise<PassReport> {
    const signal = AbortSignal.any([asked, closing.signal]);
    const gaveWay: string[] = [];
    let stage = "";
    try {
      return await inTurn(signal, async (inner) => {
        stage = "";
        try {
          const onStage = (next: string): void => void (stage = next);
          return await learn(world, apply, inner, { ...learnOptions, onStage, note: gaveWayText(gaveWay) });
        } catch (error) {
          if (inner.aborted && !signal.aborted) gaveWay.push(stage);
          throw error;
        }
      });
    } catch (error) {
      if (apply && closing.signal.aborted && stage !== "")
        tell([gaveWayText(gaveWay), `The pass stopped ${stage}: Knack was closed. The next one goes on from there.`].join(" ").trim());
      throw error;
    }
  }

  /** A report of a pass that did nothing, unless the newest one says the same. */
  function tell(note: string): void {
    const { learning } = world.stores;
    if (learning.reports(1)[0]?.note === note) return;
    const at = world.clock();
    learning.addReport({ id: world.makeId(), startedAt: at, endedAt: at, dryRun: false, episodesRead: 0, entries: [], note });
  }

  /** Once for an embedder: what its similarities mean is measured before anything rests on them (SPEC 4). */
  async function calibrateOnce(): Promise<void> {
    const embedder = await world.embedder();
    const { calibrations } = world.stores;
    if (!embedder || takeShippedCalibration(calibrations, embedder)) return;
    await inTurn(closing.signal, (signal) => calibrateEmbedder(calibrations, embedder, new Date(world.clock()), signal));
    log.info("embedder-calibrated", { model: embedder.id });
  }

  async function passInBackground(): Promise<void> {
    if (isPassing || closing.signal.aborted || !options.isOn()) return;
    isPassing = true;
    try {
      const unfit = whyNotNow(await world.power.read(), world.settings?.() ?? { learnOnBattery: false });
      if (closing.signal.aborted) return;
      if (unfit !== null) {
        tell(unfit);
        return;
      }
      isPassed = true;
      if (options.calibrates)
        await calibrateOnce().catch((error: unknown) => {
          if (!closing.signal.aborted) log.warn("calibration-failed", { error });
        });
      await passInTurn(true, closing.signal).catch((error: unknown) => {
        if (!closing.signal.aborted) log.warn("pass-failed", { error });
      });
      await inTurn(closing.signal, (signal) => lookAfterSkills(world, signal));
    } catch (error) {
      if (!closing.signal.aborted) log.warn("upkeep-failed", { error });
    } finally {
      isPassing = false;
    }
  }

  function waitForRest(): void {
    clearTimeout(idle);
    if (closing.signal.aborted) return;
    idle = setTimeout(() => {
      // What a pass left for the next one is not left until somebody writes again.
      void passInBackground().then(() => {
        if (!closing.signal.aborted && options.isOn() && world.stores.clusters.countWaiting() > 0) waitForRest();
      });
    }, options.idleAfterMs ?? idleAfterMs).unref();
  }

  function goOn(): void {
    isAnswering = false;
    const free = waiting;
    waiting = [];
    for (const resume of free) resume();
    waitForRest();
  }

  /** Looks at what has come to rest. */
  async function rest(): Promise<void> {
    if (isDreaming || isPassing || closing.signal.aborted || !options.mayDream()) return;
    isDreaming = true;
    try {
      if (whyNotNow(await world.power.read(), world.settings?.() ?? { learnOnBattery: false }) !== null) return;
      await inTurn(closing.signal, (signal) => dream(world, signal, learnOptions));
    } catch (error) {
      if (!closing.signal.aborted) log.warn("dream-failed", { error });
    } finally {
      isDreaming = false;
    }
  }
  const dreaming = setInterval(() => void rest(), dreamEvery);
  // A process that has nothing else to do ends.
  dreaming.unref();

  waitForRest();

  return {
    giveWay() {
      isAnswering = true;
      clearTimeout(idle);
      running?.abort(new DOMException("a message came", "AbortError"));
    },
    goOn,
    async begin() {
      goOn();
      if (!isPassed) void passInBackground();
      if (isBackedUp) return;
      isBackedUp = true;
      try {
        const pruned = world.prune();
        if (pruned > 0) log.info("pruned", { conversations: pruned });
      } catch (error) {
        log.warn("prune-failed", { error });
      }
      await world.backUp().catch((error: unknown) => log.warn("backup-failed", { error }));
    },
    pass: passInTurn,
    isAtWork: () => works > 0,
    async stop() {
      clearTimeout(idle);
      clearInterval(dreaming);
      closing.abort(new DOMException("closing", "AbortError"));
      await last;
    },
  };
}

function gaveWayText(stages: readonly string[]): string {
  if (stages.length === 0) return "";
  const where = [...new Set(stages.filter((stage) => stage !== ""))].join(", ");
  return `The pass gave way to ${stages.length === 1 ? "a message" : `${stages.length} messages`}${where === "" ? "" : ` ${where}`}, and went on afterwards.`;
}
