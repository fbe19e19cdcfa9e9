import type { Calibration } from "#contract/models/schema.ts";
import { calibrationSchema } from "#contract/models/schema.ts";
import { type CalibrationStore, type Embedder, embedderKeyText } from "#core/ports/index.ts";
import { calibrate, type LabelledGoals } from "#core/recall/index.ts";
import miniLm from "#models/calibration/all-minilm-l6-v2.json" with { type: "json" };
import goals from "#models/calibration/goals.json" with { type: "json" };

/** What is known of the embedders that Knack chooses by itself. */
export const shipped: readonly Calibration[] = [calibrationSchema.parse(miniLm)];

/** The goals every embedder is calibrated with. */
export const labelledGoals: LabelledGoals = goals;

/** Takes over what is shipped for this embedder, where the store knows nothing of it yet; false where nothing is shipped. */
export function takeShippedCalibration(calibrations: CalibrationStore, { key }: Embedder): boolean {
  const text = embedderKeyText(key);
  if (calibrations.of(text)) return true;
  const known = shipped.find((calibration) => calibration.key === text);
  if (known) calibrations.put(known);
  return known !== undefined;
}

/** The embedder with what is shipped of it taken over: once for each that is loaded, whoever asks for it first. */
export function withShippedCalibration(calibrations: CalibrationStore, load: () => Promise<Embedder | null>): () => Promise<Embedder | null> {
  let known: Embedder | null = null;
  return async () => {
    const embedder = await load();
    if (embedder && embedder !== known) takeShippedCalibration(calibrations, embedder);
    known = embedder;
    return embedder;
  };
}

/** Measures an embedder on this machine and keeps the result; some minutes at most. Rejects when the embedder does, and keeps nothing then. */
export async function calibrateEmbedder(calibrations: CalibrationStore, embedder: Embedder, now: Date, signal: AbortSignal): Promise<Calibration> {
  const made = await calibrate(labelledGoals, embedder, { now, giveWay: () => new Promise((resolve) => setImmediate(resolve)) }, signal);
  calibrations.put(made);
  return made;
}
