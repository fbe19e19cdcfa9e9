import { cpus, loadavg } from "node:os";

/** What else a figure depends on. The load is of the last minute, others' work included. */
export interface BenchMachine {
  readonly processors: number;
  readonly load: number;
  readonly node: string;
}

export function benchMachine(): BenchMachine {
  return { processors: cpus().length, load: loadavg()[0] ?? 0, node: process.version };
}
