import type { Run, Trust } from "#contract/skills/schema.ts";
import type { SkillRecord } from "../ports/index.ts";
import { countingRuns } from "./ledger-words.ts";

const halfLifeDays = 90;
const dayInMilliseconds = 86_400_000;

/** Runs that say something about the skill: verified success or failure. Claimed, abandoned, left and running ones do not. */
export function judgedRuns<R extends Pick<Run, "outcome">>(runs: readonly R[]): R[] {
  return runs.filter((run) => run.outcome === "success" || run.outcome === "failure");
}

/**
 * Trust of one revision from its runs (SPEC 3.5). Each run weighs 0.5^(age in days / 90), so an old record
 * neither condemns nor excuses; runs and successes are plain counts.
 */
export function trustOf(runs: readonly Pick<Run, "outcome" | "startedAt" | "endedAt">[], now: number): Trust {
  const judged = judgedRuns(runs);
  let weight = 0;
  let success = 0;
  for (const run of judged) {
    const ageDays = Math.max(0, now - (run.endedAt ?? run.startedAt)) / dayInMilliseconds;
    const w = 0.5 ** (ageDays / halfLifeDays);
    weight += w;
    if (run.outcome === "success") success += w;
  }
  const trust = (success + 1) / (weight + 2);
  const successes = judged.filter((run) => run.outcome === "success").length;
  const band = bandOf(trust, judged.length);
  const unjudged = runs.length - judged.length;
  return {
    trust,
    runs: judged.length,
    successes,
    ...(unjudged === 0 ? {} : { unjudged }),
    band,
    caveat: band === "caveat" ? caveatText(successes, judged.length) : null,
  };
}

/** Trust as it decides and is shown everywhere: of the runs that count. A skill without a record has no runs. */
export function trustOfRecord(record: SkillRecord | undefined, now: number): Trust {
  return trustOf(record ? countingRuns(record.runs, record.switchedOn, now) : [], now);
}

function bandOf(trust: number, runs: number): Trust["band"] {
  if (runs === 0 || trust >= 0.7) return "offered";
  return trust < 0.4 && runs >= 5 ? "retired" : "caveat";
}

export function caveatText(successes: number, runs: number): string {
  return `This worked ${successes} of ${runs} times. Verify each step.`;
}

/** Trust from which on a skill may be driven with the model only where it is needed (SPEC 3.7). */
export function mayAssist(trust: number): boolean {
  return trust >= 0.7;
}

/** The floor of 0.4 hides a skill only after three runs, so that one early failure does not. */
export function mayBeOffered(trust: Pick<Trust, "trust" | "runs" | "band">): boolean {
  return trust.band !== "retired" && !(trust.runs >= 3 && trust.trust < 0.4);
}
