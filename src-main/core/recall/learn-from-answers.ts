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
  if (answers.length === 0) return 0;
  let moved = intercept;
  for (let round = 0; round < 25; round += 1) {
    let gradient = (intercept - moved) / spread ** 2;
    let curvature = 1 / spread ** 2;
    for (const { certainty, right } of answers) {
      const probability = 1 / (1 + Math.exp(-(moved + slope * certainty)));
      gradient += (right ? 1 : 0) - probability;
      curvature += probability * (1 - probability);
    }
    moved += gradient / curvature;
  }
  const shift = (intercept - moved) / slope;
  const lowest = free.suggest - free.use;
  return Math.max(lowest, -furthest, Math.min(furthest, shift));
}
