import type { Calibration } from "#contract/models/schema.ts";
import type { RecallAnswer } from "../ports/stores.ts";

/** Standard deviation, in logits, of how far one user's goals lie from those the calibration was made with; a prior that few answers do not move. */
const spread = 2;
/** Furthest the threshold moves either way: answers come from what was asked so far, and tell nothing of what is out of scope tomorrow. */
const furthest = 0.1;

/**
 * How far the threshold of use moves so that at it a skill is meant as surely as it was when it was calibrated: the calibrated curve (logistic, of given
 * slope) is shifted to fit the answers best, the most probable shift under a prior of none. Negative where the user's goals are easier to tell apart.
 */
export function learnedShift({ free, curve: { slope, intercept } }: Calibration, answers: readonly RecallAnswer[]): number {
  // A curve that does not rise says nothing of where more is asked for.
  if (answers.length === 0 || slope <= 0) return 0;
  /** Whether a threshold further up would fit the answers better: the fit has one best place, so halving the way finds it however steep the curve is. */
  const isToGoUp = (shift: number): boolean => {
    const moved = intercept - slope * shift;
    const fit = answers.reduce((sum, { certainty, right }) => sum + (right ? 1 : 0) - 1 / (1 + Math.exp(-(moved + slope * certainty))), 0);
    return (intercept - moved) / spread ** 2 + fit < 0;
  };
  let [low, high] = [Math.max(free.suggest - free.use, -furthest), furthest];
  if (isToGoUp(high)) return high;
  if (!isToGoUp(low)) return low;
  for (let round = 0; round < 40; round += 1) {
    const middle = (low + high) / 2;
    if (isToGoUp(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
