import type { Log, SettingStore } from "#core/ports/index.ts";

/** What was forgotten may stand in prompts: of any conversation, in memory and in saved states, here and in other processes of this store. */
export interface Forgettings {
  /** Names the newest one; another name than the one a prompt was put together under says that it may quote what is forgotten. */
  newest(): string;
  /** Something was forgotten. Resolves when nothing is kept that may quote it, but for turns that run: those are seen to when they rest. */
  add(): Promise<void>;
  /** Lets go of what this process keeps where another one has forgotten something since. */
  notice(): Promise<void>;
  /** Lets go of everything once more: what ran meanwhile was put together before. Never rejects. */
  again(): Promise<void>;
}

const key = "newestForgetting";

export interface ForgettingsWorld {
  readonly settings: SettingStore;
  readonly makeId: () => string;
  /** Removes every state that is kept of a prompt. */
  readonly forget: () => Promise<void>;
  readonly log: Log;
}

/** The newest forgetting in a store; "" before the first. */
export function newestForgetting(settings: SettingStore): string {
  return String(settings.get(key) ?? "");
}

export function makeForgettings({ settings, makeId, forget, log }: ForgettingsWorld): Forgettings {
  const newest = (): string => newestForgetting(settings);
  let known = newest();

  async function again(): Promise<void> {
    await forget().catch((error: unknown) => log.warn("states-not-forgotten", { error }));
  }

  return {
    newest,
    again,
    async add() {
      known = makeId();
      settings.set(key, known);
      await forget();
    },
    async notice() {
      if (known === newest()) return;
      known = newest();
      await again();
    },
  };
}
