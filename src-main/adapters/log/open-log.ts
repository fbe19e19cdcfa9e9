import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pino, stdTimeFunctions } from "pino";
import { KnackError } from "#contract/errors.ts";
import type { Log } from "#core/ports/log.ts";
import { asSink, type Sink } from "#core/ports/sink.ts";
import { RotatingFile } from "./rotating-file.ts";

export interface OpenLogOptions {
  /** The logs folder; made (0700) when it is not there. */
  readonly folder: string;
  /** Bytes after which a new file begins; 2 MB by default. */
  readonly maxBytes?: number;
  /** Files kept, 4 by default. */
  readonly keep?: number;
}

export interface FileLog extends Log {
  /** Lines lost because the disk would not take them. */
  lost(): number;
  close(): void;
}

/** A log of one JSON object a line in knack.log: {level, time, pid, event, fields}. Never throws after it was opened. */
export function openLog({ folder, maxBytes = 2_000_000, keep = 4 }: OpenLogOptions): FileLog {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = new RotatingFile({ base: join(folder, "knack"), maxBytes, keep });
  const logger = pino(
    {
      base: { pid: process.pid },
      messageKey: "event",
      nestedKey: "fields",
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    file,
  );
  return {
    info: (event, fields = {}) => logger.info(plain(fields), event),
    warn: (event, fields = {}) => logger.warn(plain(fields), event),
    error: (event, fields = {}) => logger.error(plain(fields), event),
    lost: () => file.lost,
    close: () => file.close(),
  };
}

/** `openLog`, closed: what is logged is redacted on the way. */
export function openLogSink(options: OpenLogOptions): Sink<FileLog> {
  return asSink(openLog(options));
}

/** An Error has no own fields that JSON would show; its message is the reason it is logged, unless it is one that people read. */
function plain(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, value instanceof Error ? describe(value) : value]));
}

/**
 * Causes to a depth of 5: a chain may lead back to itself. What a KnackError says is told to the person, and may quote what they asked, or a name made of
 * it, which no erasing would take out of a log: its code and where it was thrown are enough.
 */
function describe(error: Error, depth = 0): Record<string, unknown> {
  const cause = error.cause instanceof Error && depth < 5 ? { cause: describe(error.cause, depth + 1) } : {};
  if (error instanceof KnackError) return { name: error.name, code: error.code, stack: placesOf(error), ...cause };
  return { name: error.name, ...("code" in error ? { code: error.code } : {}), message: error.message, stack: error.stack, ...cause };
}

/** The lines of a stack behind its message. */
function placesOf({ stack = "", message }: Error): string {
  const at = stack.indexOf(message);
  return at < 0 ? "" : stack.slice(at + message.length).trim();
}
