/**
 * An error a person should read: what happened, what was expected, what to do.
 * `exit` is the CLI's exit code (SPEC 9): 1 failure, 2 bad usage, 3 refused by a gate.
 */
export class KnackError extends Error {
  override readonly name = "KnackError";
  readonly code: string;
  readonly exit: 1 | 2 | 3;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, options: { exit?: 1 | 2 | 3; fields?: Record<string, unknown>; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.exit = options.exit ?? 1;
    this.fields = options.fields ?? {};
  }
}

/** A request that cannot be understood: CLI exit 2, HTTP 422. */
export function badInput(message: string, fields: Record<string, unknown> = {}): KnackError {
  return new KnackError("bad-input", message, { exit: 2, fields });
}
