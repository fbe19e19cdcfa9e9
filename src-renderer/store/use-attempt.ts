import { useCallback, useState } from "react";
import { isAbort, saidError } from "./said-error.ts";

export interface Attempt {
  readonly isBusy: boolean;
  readonly problem: string | null;
  /** Runs the work once at a time; true when it went through. */
  run(work: () => Promise<void>): Promise<boolean>;
  clear(): void;
}

/** One thing a control does: busy while it runs, and the one line why it failed. */
export function useAttempt(): Attempt {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly problem: string | null }>({ isBusy: false, problem: null });
  const run = useCallback(async (work: () => Promise<void>) => {
    setState({ isBusy: true, problem: null });
    try {
      await work();
      setState({ isBusy: false, problem: null });
      return true;
    } catch (error) {
      setState({ isBusy: false, problem: isAbort(error) ? null : saidError(error) });
      return false;
    }
  }, []);
  const clear = useCallback(() => setState({ isBusy: false, problem: null }), []);
  return { ...state, run, clear };
}
