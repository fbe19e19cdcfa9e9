import type { Calibration } from "#contract/models/schema.ts";
import { type EmbedderKey, embedderKeyText } from "../ports/embedder.ts";
import type { CalibrationStore } from "../ports/stores.ts";
import { learnedShift } from "./learn-from-answers.ts";

/** Certainties (score and lead, see `certaintyOf`) from which a skill is used or suggested, and the least lead over the next one with which it is used. */
export interface Thresholds {
  readonly use: number;
  readonly suggest: number;
  readonly margin: number;
  readonly calibrated: boolean;
  /** For goals that name a site. */
  readonly onSite: boolean;
}

/** What a lead adds: half of it, of the first 0.15. Measured: the same certainty then means the same precision for skills of one phrasing and of a hundred (DECISIONS.md). */
const leadWeight = 0.5;
const fullLead = 0.15;

/**
 * How sure it is that a skill is meant: its score, and more so the further the next one is behind. Without a next one the lead is full.
 * @param runnerUp score of the next candidate that still stands
 */
export function certaintyOf(score: number, runnerUp: number | undefined, onSite = false): number {
  // Of the few skills of a site any may be far behind.
  return onSite ? score : score + leadWeight * Math.min(fullLead, score - (runnerUp ?? Number.NEGATIVE_INFINITY));
}

/**
 * What the certainty of a skill with so many phrasings owes to chance: of more, one is near a goal that it has nothing to do with. It is asked on top before
 * a skill is suggested. Measured: 0.05 for every ten times as many (DECISIONS.md); before a skill is used, the lead tells that better.
 */
export function chanceOf(phrasings: number): number {
  return 0.05 * Math.log10(Math.max(1, phrasings));
}

/** The most that a lead adds to a score. */
export const highestLead = leadWeight * fullLead;

/** For an embedder nobody has calibrated (SPEC 4): a score of 0.82 where nothing else is near. */
const uncalibrated: Thresholds = { use: 0.895, suggest: 0.775, margin: 0.05, calibrated: false, onSite: false };

/**
 * Thresholds for an embedder, as it was calibrated and moved by what the user answered since. A goal that names a site is compared only with the skills of
 * that site: a handful instead of all, which a lower similarity tells apart as surely.
 */
export function thresholdsFor(calibrations: CalibrationStore, key: EmbedderKey, namesSite: boolean): Thresholds {
  const calibration = calibrations.of(embedderKeyText(key));
  if (calibration === undefined) return { ...uncalibrated, onSite: namesSite };
  return thresholdsOf(calibration, namesSite, namesSite ? 0 : learnedShift(calibration, calibrations.answers(embedderKeyText(key))));
}

/** @param shift how far the answers moved the threshold of use; see `learnedShift` */
export function thresholdsOf(calibration: Calibration, namesSite: boolean, shift = 0): Thresholds {
  const { use, suggest, margin } = namesSite ? calibration.site : calibration.free;
  return { use: use + shift, suggest, margin, calibrated: true, onSite: namesSite };
}
