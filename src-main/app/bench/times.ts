/** Milliseconds over repetitions; the percentile by nearest rank. */
export interface Times {
  readonly min: number;
  readonly median: number;
  readonly p95: number;
  readonly max: number;
}

/** Throws RangeError for none. */
export function timesOf(milliseconds: readonly number[]): Times {
  if (milliseconds.length === 0) throw new RangeError("nothing was timed");
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number;
  return { min: at(0), median: at(0.5), p95: at(0.95), max: at(1) };
}
