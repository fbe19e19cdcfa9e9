import type { SkillSummary, Trust } from "./schema.ts";

/** How often it worked, the same wherever a skill is shown: "not used yet", "worked 3 of 4 times", "worked 3 of 4 times, 2 more not judged". */
export function recordWords({ runs, successes, unjudged = 0 }: Pick<Trust, "runs" | "successes" | "unjudged">): string {
  if (runs === 0) return unjudged === 0 ? "not used yet" : `used ${times(unjudged)}, not judged yet`;
  return `worked ${successes} of ${times(runs)}${unjudged === 0 ? "" : `, ${unjudged} more not judged`}`;
}

function times(count: number): string {
  return `${count} ${count === 1 ? "time" : "times"}`;
}

/** What "provisional" means, said wherever the word stands. */
export const provisionalMeans = "not used with success yet";

/** The status of a skill with what cannot be guessed from the word. */
export function statusWords({ status }: Pick<SkillSummary, "status">): string {
  return status === "provisional" ? `provisional: ${provisionalMeans}` : status;
}
