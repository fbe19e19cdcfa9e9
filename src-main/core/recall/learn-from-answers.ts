import type { Calibration } from "#contract/models/schema.ts";
import type { RecallAnswer } from "../ports/stores.ts";

/** Standard deviation, in logits, of how far one user's goals lie from those the calibration was made with; a prior that few answers do not move. */
const spread = 0.5;
/** Furthest the threshold moves either way: answers come from what was asked so far, and tell nothing of what is out of scope tomorrow. */
const furthest = 0.1;

/**
 * How far the threshold of use moves so that at it a skill is meant as surely as it was when it was calibrated: the calibrated curve (logistic, of given
 * slope) is shifted to fit the answers best, the most probable shift under a prior of none. Negative where the user's goals are easier to tell apart. Another
 * wrong answer never lowers the threshold, another right one never raises it. 0 for a curve that does not rise: certainty says nothing there.
 */
export function learnedShift({ free, curve: { slope, intercept } }: Calibration, answers: readonly RecallAnswer[]): number {
  if (answers.length === 0 || slope <= 0) return 0;
  /** Slope of the probability of a shift; it falls only once, so that its zero can be closed in on from both sides, where Newton's steps may leap past it. */
  const pull = (shift: number): number => {
    let sum = (-shift * slope) / spread ** 2;
    for (const { certainty, right } of answers) sum += 1 / (1 + Math.exp(-(intercept + slope * (certainty - shift)))) - (right ? 1 : 0);
    return sum;
  };
  let [low, high] = [Math.max(-furthest, Math.min(0, free.suggest - free.use)), furthest];
  if (pull(low) <= 0) return low;
  if (pull(high) >= 0) return high;
  for (let round = 0; round < 30; round += 1) {
    const middle = (low + high) / 2;
    if (pull(middle) > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
