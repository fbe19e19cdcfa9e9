/** One piece of work at a time, in order of arrival. A waiter whose signal aborts leaves at once. */
export interface TurnQueue {
  /** Rejects with the signal's reason as soon as it aborts; the next piece of work still waits until this one has really ended. */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Resolves when everything queued so far has ended. */
  idle(): Promise<void>;
}

export function makeTurnQueue(): TurnQueue {
  let tail: Promise<void> = Promise.resolve();
  return {
    run(signal, work) {
      const result = tail.then(() => {
        signal.throwIfAborted();
        return work();
      });
      tail = result.then(nothing, nothing);
      return orAborted(result, signal);
    },
    idle: () => tail,
  };
}

function nothing(): void {}

function orAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
