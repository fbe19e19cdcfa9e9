/** Who has the model, and who waits for it. */
export interface Waiting<Turn> {
  /** Turns before it; 0 once it has the model. */
  readonly ahead: number;
  /** Whose turn has the model; null once it is this one's. */
  readonly behind: Turn | null;
}

/** A turn's place at the model. */
export interface Seat {
  /** Resolves when the model is this turn's, at once where it is already. Rejects with the signal's reason when that aborts, and leaves the row. */
  take(signal: AbortSignal): Promise<void>;
  /** The next one may go on. To be called in any case when the turn ends; once more changes nothing. */
  leave(): void;
}

/**
 * One turn at the model at a time, in the order in which they first needed it: what a turn reads and writes stays in the model's context until it ends. A
 * turn that needs no model takes no place, and one that waits for a person gives its place up meanwhile and comes to the end of the row.
 */
export interface ModelQueue<Turn> {
  seat(turn: Turn, onWait: (waiting: Waiting<Turn>) => void): Seat;
}

interface Place<Turn> {
  readonly turn: Turn;
  readonly tell: (waiting: Waiting<Turn>) => void;
  readonly begin: () => void;
}

export function makeModelQueue<Turn>(): ModelQueue<Turn> {
  /** The first one has the model. */
  let row: Place<Turn>[] = [];

  function remove(place: Place<Turn>): void {
    if (!row.includes(place)) return;
    const wasFirst = row[0] === place;
    row = row.filter((other) => other !== place);
    if (wasFirst) row[0]?.begin();
    for (const [index, other] of row.entries()) if (index > 0) other.tell({ ahead: index, behind: row[0]?.turn ?? null });
  }

  return {
    seat(turn, onWait) {
      let held: Place<Turn> | null = null;
      let coming: Promise<void> | null = null;
      return {
        async take(signal) {
          signal.throwIfAborted();
          if (held !== null) return coming ?? undefined;
          const { promise, resolve, reject } = Promise.withResolvers<void>();
          const place: Place<Turn> = { turn, tell: onWait, begin: resolve };
          held = place;
          const abort = (): void => {
            held = null;
            remove(place);
            reject(signal.reason as Error);
          };
          row.push(place);
          if (row[0] === place) return;
          signal.addEventListener("abort", abort, { once: true });
          onWait({ ahead: row.length - 1, behind: row[0]?.turn ?? null });
          coming = promise.finally(() => {
            signal.removeEventListener("abort", abort);
            coming = null;
          });
          await coming;
          onWait({ ahead: 0, behind: null });
        },
        leave() {
          if (held === null) return;
          const place = held;
          held = null;
          remove(place);
        },
      };
    },
  };
}
