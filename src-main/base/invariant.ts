/** A broken assumption of our own code; never a user's mistake. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

/** Throws InvariantError unless the condition holds. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}
