import { availableParallelism } from "node:os";
import { getLlama, type Llama, LlamaLogLevel } from "node-llama-cpp";
import { makeThreadThrottle, type ThreadThrottle } from "./thread-throttle.ts";

const keptLines = 8;
const lines: string[] = [];
const throttles = new WeakMap<Llama, ThreadThrottle>();
const instances = new Map<boolean, Promise<Llama>>();

/** The library's process-wide engine; models and contexts share it. It never builds or downloads anything. */
export function llamaInstance(gpu: boolean): Promise<Llama> {
  const known = instances.get(gpu);
  if (known !== undefined) return known;
  const starting = getLlama({
    gpu: gpu ? "auto" : false,
    build: "never",
    skipDownload: true,
    progressLogs: false,
    // No cap here: the library's cap is at least 4 and makes two cores fight over four threads (700 ms instead of 6 ms for one embedding).
    maxThreads: 0,
    logLevel: LlamaLogLevel.error,
    logger: keepLine,
  });
  instances.set(gpu, starting);
  starting.catch(() => instances.delete(gpu));
  return starting;
}

/** Threads for every context: physical cores, never more than the process may use. */
export function threadsFor(llama: Llama, asked: number | undefined): number {
  return Math.max(1, asked ?? Math.min(llama.cpuMathCores, availableParallelism()));
}

/** One throttle for all of an engine's models: they share its cap on threads, and the processor. */
export function throttleFor(llama: Llama, threads: number): ThreadThrottle {
  // A GPU does the work then, and our processor time says nothing about who is in the way.
  if (llama.gpu !== false) return { measure: (piece) => piece(), uncapped: (making) => making(), current: () => threads };
  const known = throttles.get(llama);
  if (known !== undefined) return known;
  const throttle = makeThreadThrottle(llama, threads);
  throttles.set(llama, throttle);
  return throttle;
}

/** What the engine said last, for the cause of an error; the engine never writes to our stderr. */
export function lastEngineLines(): string {
  return lines.join("\n");
}

function keepLine(_level: LlamaLogLevel, message: string): void {
  const line = message.trim();
  if (line === "") return;
  lines.push(line);
  if (lines.length > keptLines) lines.shift();
}
