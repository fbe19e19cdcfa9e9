import type { Clock } from "#base/clock.ts";

/** Logins that were refused in a row, whichever names they had, and uses of one entry, that cost no wait. */
const freeRefusals = 3;
const freeUses = 60;
const longestWaitMs = 5 * 60_000;
/** After so long a quiet it begins anew. */
const windowMs = 10 * 60_000;

interface Count {
  readonly count: number;
  readonly lastAt: number;
}

const none: Count = { count: 0, lastAt: Number.NEGATIVE_INFINITY };

/**
 * How fast logins may be tried in one process. Those that were refused are counted together: a name that exists waits as long as one that does not, so that
 * neither the answer nor its time tells them apart (CRED-22).
 */
export class LoginPace {
  readonly #clock: Clock;
  #refused: Count = none;
  readonly #used = new Map<string, Count>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds until the next may be tried. */
  waitMs(entry: string): number {
    return Math.max(this.#waitAfter(this.#refused, freeRefusals), this.#waitAfter(this.#used.get(entry) ?? none, freeUses));
  }

  refused(): void {
    this.#refused = this.#next(this.#refused);
  }

  used(entry: string): void {
    this.#used.set(entry, this.#next(this.#used.get(entry) ?? none));
    this.#refused = none;
  }

  #next({ count, lastAt }: Count): Count {
    const now = this.#clock();
    return { count: now - lastAt > windowMs ? 1 : count + 1, lastAt: now };
  }

  /** Doubles from a second to five minutes. A clock that was put back shortens nothing. */
  #waitAfter({ count, lastAt }: Count, free: number): number {
    if (count < free) return 0;
    const wait = Math.min(1000 * 2 ** (count - free), longestWaitMs);
    return Math.min(wait, Math.max(0, lastAt + wait - this.#clock()));
  }
}
