import type { Calibration } from "#contract/models/schema.ts";
import { percentText } from "./units.ts";

/** What a calibration found, for people. */
export function calibrationLines(made: Calibration): string[] {
  const { kinds, phrasings, outOfScope } = made.goals;
  return [
    `${made.embedder}: calibrated with ${phrasings} goals of ${kinds} kinds and ${outOfScope} that no skill is for`,
    `among all skills: used from ${made.free.use.toFixed(2)} with a lead of ${made.free.margin.toFixed(2)}, suggested from ${made.free.suggest.toFixed(2)}`,
    `on a site that is named: used from ${made.site.use.toFixed(2)} with a lead of ${made.site.margin.toFixed(2)}, suggested from ${made.site.suggest.toFixed(2)}`,
    `goals of one task: from ${made.cluster.toFixed(2)} on average`,
    "",
    "FROM  PRECISION  RECALL   FALSE",
    ...made.curve.points.map(
      ({ threshold, precision, recall, falseRecalls }) =>
        `${threshold.toFixed(2)}  ${percentText(precision).padStart(9)}  ${percentText(recall).padStart(6)}  ${percentText(falseRecalls).padStart(6)}`,
    ),
    "",
    ...made.nearMisses.map((one) => `${one.class}: ${one.recalled} of ${one.goals} goals of a task nearly the same used it`),
  ];
}
