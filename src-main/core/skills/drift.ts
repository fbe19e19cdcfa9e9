import type { Run } from "#contract/skills/schema.ts";
import { runsSince } from "./ledger-words.ts";
import { judgedRuns } from "./trust.ts";

export interface Drift {
  readonly rule: "same-finding" | "three-in-a-row" | "four-of-six";
  /** For the alert: "Step 3 failed twice: expected heading 'Billing', saw 'Sign in'". */
  readonly message: string;
}

type JudgedRun = Pick<Run, "outcome" | "finding" | "startedAt">;

/**
 * Whether one revision stopped working (SPEC 3.5). `runs` oldest first, of that revision only.
 * Runs that started before `since`, when a person last switched the skill on, are forgiven.
 */
export function detectDrift(runs: readonly JudgedRun[], since = 0, now = Number.POSITIVE_INFINITY): Drift | null {
  const judged = judgedRuns(runsSince(runs, since, now));
  const [last, before] = [judged.at(-1), judged.at(-2)];
  if (last?.outcome !== "failure") return null;

  const finding = checkFinding(last);
  if (finding !== null && before?.outcome === "failure" && before.finding === last.finding) {
    return { rule: "same-finding", message: `Step ${finding.step} failed twice: ${finding.text}` };
  }
  if (judged.length >= 3 && judged.slice(-3).every((run) => run.outcome === "failure")) {
    return { rule: "three-in-a-row", message: `Failed 3 times in a row${tail(last)}` };
  }
  const recent = judged.slice(-6);
  const failures = recent.filter((run) => run.outcome === "failure").length;
  if (failures >= 4) return { rule: "four-of-six", message: `Failed ${failures} of the last ${recent.length} times${tail(last)}` };
  return null;
}

/** How a failed check is written into a run. */
export function findingText(step: number, finding: string): string {
  return `Step ${step}: ${finding}`;
}

/** Only findings of checks: a site that did not answer twice has not changed. */
function checkFinding(run: JudgedRun): { step: string; text: string } | null {
  const match = /^Step (\d+): (expected [\s\S]+)$/u.exec(run.finding ?? "");
  return match === null ? null : { step: match[1] as string, text: match[2] as string };
}

function tail(run: JudgedRun): string {
  return run.finding === null || run.finding === "" ? "" : `; last: ${run.finding}`;
}
