import { fromWireError } from "#contract/wire-error.ts";

/** The one line a person reads about a failed call. */
export function saidError(error: unknown): string {
  return fromWireError(error).message;
}

/** Whether it failed because somebody stopped it; that is an end, not an error. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || (error.cause instanceof Error && error.cause.name === "AbortError"));
}
