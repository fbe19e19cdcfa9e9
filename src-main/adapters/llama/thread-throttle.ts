import { loadavg } from "node:os";

/** What the throttle turns: the engine's cap on threads, 0 for none. */
export interface ThreadCap {
  maxThreads: number;
}

/** Measures pieces of evaluation, and takes threads away while the processor is wanted elsewhere. */
export interface ThreadThrottle {
  /** For pieces that keep all threads busy: what waits for us, or works on one thread, would look like others being in the way. */
  measure<T>(piece: () => Promise<T>): Promise<T>;
  /** Lifts the cap meanwhile. The library gives a context for good the threads it may have while it is being made. */
  uncapped<T>(making: () => Promise<T>): Promise<T>;
  /** Threads of the next piece. */
  current(): number;
}

export interface ProcessorMeter {
  /** Wall clock and processor time of this process, both in milliseconds. */
  read(): { wall: number; used: number };
  /** Processes that want a processor just now; 0 where the platform does not say. */
  waiting(): number;
}

const windowMs = 150;
/** Of the processor time its threads could have had: below this others are in the way; sampling on one thread alone costs less. */
const crowded = 0.7;
const free = 0.93;
const firstRetryMs = 1_000;
const longestRetryMs = 16_000;

/**
 * The engine's threads wait for each other by spinning, so one that is not scheduled holds up all. Measured on two busy cores,
 * 1.5B model: 0.2 tokens/s with two threads, 4.9 with one. Alone on the machine nothing is taken away.
 */
export function makeThreadThrottle(cap: ThreadCap, threads: number, meter: ProcessorMeter = processMeter): ThreadThrottle {
  let current = meter.waiting() >= 2 * threads ? 1 : threads;
  let retryMs = firstRetryMs;
  let start = meter.read();
  let used = 0;
  let wall = 0;
  let changedAt = start.wall;
  let beingMade = 0;
  const apply = () => {
    cap.maxThreads = beingMade > 0 || current === threads ? 0 : current;
  };
  const set = (next: number) => {
    current = next;
    changedAt = meter.read().wall;
    apply();
  };
  set(current);

  function judge(): void {
    const share = used / (wall * current);
    used = 0;
    wall = 0;
    const now = meter.read().wall;
    if (share < crowded && current > 1) {
      // Crowded again right after a try: wait longer before the next.
      retryMs = now - changedAt < 4 * windowMs ? Math.min(longestRetryMs, retryMs * 2) : firstRetryMs;
      set(Math.max(1, Math.min(current - 1, Math.floor(current * share))));
    } else if (share > free && current < threads && now - changedAt >= retryMs) {
      set(current + 1);
    }
  }

  return {
    async measure(piece) {
      start = meter.read();
      try {
        return await piece();
      } finally {
        const end = meter.read();
        used += end.used - start.used;
        wall += end.wall - start.wall;
        if (wall >= windowMs) judge();
      }
    },
    async uncapped(making) {
      beingMade += 1;
      apply();
      try {
        return await making();
      } finally {
        beingMade -= 1;
        apply();
      }
    },
    current: () => current,
  };
}

const processMeter: ProcessorMeter = {
  read() {
    const { user, system } = process.cpuUsage();
    return { wall: performance.now(), used: (user + system) / 1000 };
  },
  waiting: () => loadavg()[0] ?? 0,
};
