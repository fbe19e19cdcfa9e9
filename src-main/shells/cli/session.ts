/** One run of the command line: the signal that ends it, and the exit code it will have. */
export interface Session {
  /** Aborted by Ctrl+C, or by whoever ends the process. */
  readonly signal: AbortSignal;
  stop(): void;
  exit: number;
}

/** The first request to stop lets the command put its things away; a second one ends the process where it stands. */
export function openSession(): Session {
  const control = new AbortController();
  const stop = (): void => {
    if (control.signal.aborted) process.exit(130);
    control.abort(new DOMException("stopped", "AbortError"));
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  return { signal: control.signal, stop, exit: 0 };
}
