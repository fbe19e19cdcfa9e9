/** Why one source could not give a model; the next one is tried. */
export class SourceFailure extends Error {
  override readonly name = "SourceFailure";
}

/** One line about whatever was thrown, with its causes. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : ` (${reasonOf(error.cause)})`;
  return `${error.message || error.name}${cause}`;
}
