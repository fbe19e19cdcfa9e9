/** Similarities (cosine) from which a skill is used or suggested, and how far the second must be behind. */
export interface Thresholds {
  readonly use: number;
  readonly suggest: number;
  readonly margin: number;
  readonly calibrated: boolean;
}

/** Value for an embedder nobody has calibrated (SPEC 4). */
const uncalibrated: Thresholds = { use: 0.82, suggest: 0.7, margin: 0.05, calibrated: false };

const byEmbedder: Record<string, { readonly free: Omit<Thresholds, "calibrated">; readonly site: Omit<Thresholds, "calibrated"> }> = {
  "all-minilm-l6-v2": {
    free: { use: 0.82, suggest: 0.65, margin: 0.05 },
    site: { use: 0.5, suggest: 0.2, margin: 0.04 },
  },
};

/**
 * Thresholds of an embedder. A goal that names a site is compared only with the skills of that site: a handful instead of all, which a lower
 * similarity tells apart as surely; how much lower is measured, not guessed (README, decisions).
 */
export function thresholdsFor(embedderId: string, namesSite: boolean): Thresholds {
  const known = Object.entries(byEmbedder).find(([id]) => embedderId.startsWith(id))?.[1];
  if (!known) return uncalibrated;
  return { ...(namesSite ? known.site : known.free), calibrated: true };
}
