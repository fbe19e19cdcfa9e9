import type { LanguageModel, Log } from "#core/ports/index.ts";
import { learn } from "./learn.ts";
import type { SkillWorld } from "./skills.ts";
import { lookAfterSkills } from "./upkeep.ts";

/** What is done once in a process, after its first answer: a learning pass, a look after the skills, a backup. */
export interface Maintenance {
  /** A message came: it goes first, and the pass is taken up again after its answer. */
  giveWay(): void;
  /** Begins what was not done yet. */
  begin(): Promise<void>;
  stop(): void;
}

/** @param isOn whether a pass may run at all: the setting, and what the process was made for */
export function makeMaintenance(
  world: SkillWorld & {
    readonly model: () => Promise<LanguageModel>;
    readonly log: Log;
    readonly backUp: () => Promise<unknown>;
    readonly prune: () => number;
  },
  isOn: () => boolean,
): Maintenance {
  const { log } = world;
  let passing: AbortController | null = null;
  let isPassed = false;
  let isBackedUp = false;

  /** The maintenance pass at the first query of a process, after its answer (SPEC 4). */
  function pass(): void {
    if (isPassed || !isOn()) return;
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
    stop: () => passing?.abort(new DOMException("closing", "AbortError")),
  };
}
