import type { LanguageModel, Log } from "#core/ports/index.ts";
import { dream } from "./dream.ts";
import { learn } from "./learn.ts";
import type { SkillWorld } from "./skills.ts";
import { lookAfterSkills } from "./upkeep.ts";

/** What is done once in a process, after its first answer: a learning pass, a look after the skills, a backup. And dreams, whenever conversations rest. */
export interface Maintenance {
  /** A message came: it goes first, and the pass is taken up again after its answer. */
  giveWay(): void;
  /** Begins what was not done yet. */
  begin(): Promise<void>;
  stop(): void;
}

/** How often it is looked whether a conversation has come to rest. */
const dreamEvery = 5 * 60_000;

/**
 * @param isOn whether a pass may run at all: the setting, and what the process was made for
 * @param mayDream whether the process was made for upkeep, and nothing is being answered
 */
export function makeMaintenance(
  world: SkillWorld & {
    readonly model: () => Promise<LanguageModel>;
    readonly log: Log;
    readonly backUp: () => Promise<unknown>;
    readonly prune: () => number;
  },
  isOn: () => boolean,
  mayDream: () => boolean,
): Maintenance {
  const { log } = world;
  let passing: AbortController | null = null;
  let isPassed = false;
  let isBackedUp = false;

  /** The maintenance pass at the first query of a process, after its answer (SPEC 4). */
  function pass(): void {
    if (isPassed || passing || !isOn()) return;
    isPassed = true;
    passing = new AbortController();
    const { signal } = passing;
    void learn(world, true, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) log.warn("pass-failed", { error: String(error) });
        else isPassed = false;
      })
      .then(() => (signal.aborted ? [] : lookAfterSkills(world, signal)))
      .catch((error: unknown) => log.warn("upkeep-failed", { error: String(error) }))
      .finally(() => {
        passing = null;
      });
  }

  /** Looks at what has come to rest; only one pass or dream at a time. */
  function rest(): void {
    if (passing || !mayDream()) return;
    passing = new AbortController();
    const { signal } = passing;
    void dream(world, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) log.warn("dream-failed", { error: String(error) });
      })
      .finally(() => {
        passing = null;
      });
  }
  const dreaming = setInterval(rest, dreamEvery);
  // A process that has nothing else to do ends.
  dreaming.unref();

  return {
    giveWay: () => passing?.abort(new DOMException("a message came", "AbortError")),
    async begin() {
      pass();
      if (isBackedUp) return;
      isBackedUp = true;
      try {
        const pruned = world.prune();
        if (pruned > 0) log.info("pruned", { conversations: pruned });
      } catch (error) {
        log.warn("prune-failed", { error: String(error) });
      }
      await world.backUp().catch((error: unknown) => log.warn("backup-failed", { error: String(error) }));
    },
    stop() {
      clearInterval(dreaming);
      passing?.abort(new DOMException("closing", "AbortError"));
    },
  };
}
