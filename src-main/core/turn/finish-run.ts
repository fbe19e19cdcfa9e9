import type { Run } from "#contract/skills/schema.ts";
import { detectDrift, trustOf } from "../skills/index.ts";
import type { TurnWorld } from "./world.ts";

/**
 * Writes down how a run ended and what follows from it: the first success makes a provisional skill active, drift switches it off, too little
 * trust retires it; both with an alert (SPEC 3.5). Only the skill that was in charge is touched.
 */
export function finishRun(world: TurnWorld, run: Run, outcome: NonNullable<Run["outcome"]>, finding: string | null): void {
  const { skills, alerts } = world.stores;
  const now = world.clock();
  skills.updateRun({ ...run, outcome, finding, endedAt: now });
  const skill = skills.get(run.skillId);
  if (!skill) return;
  const entry = (action: string, reason: string, after: string) => ({
    id: world.makeId(),
    skillId: skill.id,
    action,
    actor: "knack",
    reason,
    before: skill.status,
    after,
    at: now,
  });
  if (outcome === "success") {
    const proposed = world.propose({ ...run, outcome, finding, endedAt: now });
    if (proposed) world.emit({ type: "alert-raised", ...proposed });
  }
  if (outcome === "success" && skill.status === "provisional") skills.setStatus(skill.id, "active", entry("activate", "first successful run", "active"), now);
  if (outcome !== "failure" || (skill.status !== "active" && skill.status !== "provisional")) return;
  const runs = skills.runs(skill.id, run.revision);
  const lastSwitchedOn = skills.ledger(skill.id).findLast((row) => row.action === "enable" || row.action === "revive")?.at ?? 0;
  const drift = detectDrift(runs, lastSwitchedOn);
  const raise = (title: string, detail: string): void => {
    const id = world.makeId();
    alerts.add({ id, kind: "drift", title, detail, skillId: skill.id, proposalId: null, createdAt: now, resolvedAt: null, resolution: null });
    world.emit({ type: "alert-raised", alertId: id, title });
  };
  if (drift) {
    skills.setStatus(skill.id, "disabled", entry("disable", drift.message, "disabled"), now);
    raise(`"${skill.name}" switched itself off`, drift.message);
    return;
  }
  const revivedAt = skills.ledger(skill.id).findLast((row) => row.action === "revive")?.at ?? 0;
  const trust = trustOf(
    runs.filter((one) => one.startedAt >= revivedAt),
    now,
  );
  if (trust.band === "retired") {
    skills.setStatus(skill.id, "retired", entry("retire", `trust ${trust.trust.toFixed(2)} after ${trust.runs} runs`, "retired"), now);
    raise(`"${skill.name}" was retired`, `It worked ${trust.successes} of ${trust.runs} times.`);
  }
}
