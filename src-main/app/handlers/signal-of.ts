/** The call's own signal; a connection that carries none cannot stop the call. */
export function signalOf(signal: AbortSignal | undefined): AbortSignal {
  return signal ?? new AbortController().signal;
}
