/** A broken assumption of our own code; never a user's mistake. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}
