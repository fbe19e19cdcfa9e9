/** Structured log; accepts nothing secret (redaction happens before). */
export interface Log {
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
}

export const silentLog: Log = { info() {}, warn() {}, error() {} };
