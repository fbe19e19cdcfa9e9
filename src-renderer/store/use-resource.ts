import { useCallback, useEffect, useState } from "react";
import { useStore } from "zustand";
import { saidError } from "./said-error.ts";
import { useStores } from "./stores.ts";

export interface Resource<T> {
  /** The last value that arrived; kept while it is asked for again. */
  readonly value: T | null;
  readonly problem: string | null;
  readonly isLoading: boolean;
  reload(): void;
  /** Puts a value the host has just answered in place of the one read before. */
  replace(value: T): void;
}

/** Reads a value when the view opens, when `key` changes and when the connection comes back. */
export function useResource<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const life = useStore(useStores().connection, (state) => (state.phase === "open" ? state.life : 0));
  const [asked, setAsked] = useState(0);
  const [held, setHeld] = useState<{ readonly key: string; readonly value: T | null; readonly problem: string | null; readonly isLoading: boolean }>({
    key,
    value: null,
    problem: null,
    isLoading: true,
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for what `load` closes over
  useEffect(() => {
    if (life === 0) return;
    const controller = new AbortController();
    setHeld((before) => ({ key, value: before.key === key ? before.value : null, problem: null, isLoading: true }));
    load(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) setHeld({ key, value, problem: null, isLoading: false });
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setHeld((before) => ({ ...before, problem: saidError(error), isLoading: false }));
      },
    );
    return () => controller.abort();
  }, [key, life, asked]);

  const reload = useCallback(() => setAsked((count) => count + 1), []);
  const replace = useCallback((value: T) => setHeld({ key, value, problem: null, isLoading: false }), [key]);
  const isCurrent = held.key === key;
  return { value: isCurrent ? held.value : null, problem: isCurrent ? held.problem : null, isLoading: isCurrent ? held.isLoading : true, reload, replace };
}
