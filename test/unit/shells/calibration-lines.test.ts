import { expect, it } from "vitest";
import { shipped } from "#app/calibration.ts";
import type { Calibration } from "#contract/models/schema.ts";
import { calibrationLines } from "#shells/cli/calibration-lines.ts";

it("knack models calibrate says the thresholds, what each other one would give, and what was nearly mistaken", () => {
  const made: Calibration = {
    ...(shipped[0] as Calibration),
    free: { use: 0.788, suggest: 0.417, margin: 0.05 },
    site: { use: 0.505, suggest: 0.205, margin: 0.04 },
    cluster: 0.45,
    curve: { slope: 9, intercept: -4, points: [{ threshold: 0.3, precision: 0.577, recall: 1, falseRecalls: 0 }] },
    nearMisses: [{ class: "send-draft", goals: 1344, recalled: 68 }],
  };
  expect(calibrationLines(made)).toEqual([
    "all-minilm-l6-v2: calibrated with 984 goals of 123 kinds and 100 that no skill is for",
    "among all skills: used from 0.79 with a lead of 0.05, suggested from 0.42",
    "on a site that is named: used from 0.51 with a lead of 0.04, suggested from 0.20",
    "goals of one task: from 0.45 on average",
    "",
    "FROM  PRECISION  RECALL   FALSE",
    "0.30     57.7 %  100.0 %   0.0 %",
    "",
    "send-draft: 68 of 1344 goals of a task nearly the same used it",
  ]);
});
