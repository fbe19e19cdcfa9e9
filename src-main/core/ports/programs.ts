/** What a program did. */
export interface ProgramEnd {
  /** Null where it was stopped. */
  readonly exitCode: number | null;
  /** Why it was stopped; null where it ended by itself. */
  readonly stopped: "time" | "output" | "signal" | null;
  /** What it wrote, both outputs as they came, without control characters. */
  readonly output: string;
  readonly milliseconds: number;
}

export interface ProgramRequest {
  readonly program: string;
  /** Handed over as they are; no shell reads them. */
  readonly args: readonly string[];
  /** Real path of the folder it works in. */
  readonly folder: string;
  readonly seconds: number;
}

/**
 * Starts one program without a shell, in an environment of its own that holds no secret, with nothing to read, and waits for its end. Whatever it started
 * ends with it. Rejects with KnackError "program.missing", "program.outside" or "program.failed-to-start"; with the signal's reason when aborted.
 */
export type RunProgram = (request: ProgramRequest, signal: AbortSignal) => Promise<ProgramEnd>;
