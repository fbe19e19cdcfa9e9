import type { Run, Skill } from "#contract/skills/schema.ts";
import { countAnswer } from "../recall/index.ts";
import { changeStatus, countingRuns, detectDrift, revisionToGoBackTo, type StatusAction, statusWord, switchedOnAt, trustOf } from "../skills/index.ts";
import type { TurnWorld } from "./world.ts";

interface Raised {
  readonly id: string;
  readonly title: string;
}

/**
 * Writes down how a run ended and what follows from it: the first success makes a provisional skill active, drift switches it off, too little
 * trust retires it; both with an alert (SPEC 3.5). Only the skill that was in charge is touched, and only while the revision that ran is in use.
 */
export function finishRun(world: TurnWorld, run: Run, outcome: NonNullable<Run["outcome"]>, finding: string | null): void {
  // Under one lock: of two hosts that see the same drift one switches off and says so.
  const raised = world.stores.transaction(() => writeEnd(world, { ...run, outcome, finding, endedAt: world.clock() }));
  if (raised) world.emit({ type: "alert-raised", alertId: raised.id, title: raised.title });
  const proposed = outcome === "success" ? world.propose({ ...run, outcome, finding, endedAt: world.clock() }) : null;
  if (proposed) world.emit({ type: "alert-raised", ...proposed });
}

function writeEnd(world: TurnWorld, run: Run): Raised | null {
  const { skills, trace, calibrations } = world.stores;
  const before = skills.runOfTurn(run.turnId)?.outcome;
  skills.updateRun(run);
  const recall = trace.turn(run.turnId)?.recall ?? null;
  // What was suggested was answered when it was taken.
  if (run.outcome === "success" && before !== "success" && recall?.verdict === "matched") countAnswer(calibrations, recall, true, world.clock());
  const skill = skills.get(run.skillId);
  if (!skill) return null;
  if (run.outcome === "success" && run.revision === skill.activeRevision) change(world, skill, "succeed", "activate", "first successful run");
  if (run.outcome !== "failure" || run.revision !== skill.activeRevision) return null;
  const [runs, ledger] = [skills.runs(skill.id, run.revision), skills.ledger(skill.id)];
  const drift = detectDrift(runs, switchedOnAt(ledger), world.clock());
  if (drift) return change(world, skill, "drift", "disable", drift.message) ? raise(world, skill, `"${skill.name}" switched itself off`, drift.message) : null;
  const { trust, successes, ...record } = trustOf(countingRuns(runs, ledger, world.clock()), world.clock());
  if (record.band !== "retired") return null;
  const isRetired = change(world, skill, "outlive", "retire", `trust ${trust.toFixed(2)} after ${record.runs} runs`);
  return isRetired ? raise(world, skill, `"${skill.name}" was retired`, `It worked ${successes} of ${record.runs} times.`) : null;
}

/** A change of status by rule; false where the status does not allow it, so that a skill that is off already raises nothing more. */
function change(world: TurnWorld, skill: Skill, by: StatusAction, action: string, reason: string): boolean {
  const to = changeStatus(skill, by, "rule");
  if (!to.ok) return false;
  const [id, at] = [world.makeId(), world.clock()];
  world.stores.skills.setStatus(
    skill.id,
    to.value,
    { id, skillId: skill.id, action, actor: "knack", reason, before: statusWord(skill), after: to.value, at },
    at,
  );
  return true;
}

function raise(world: TurnWorld, skill: Skill, title: string, detail: string): Raised {
  const { alerts, skills } = world.stores;
  const [id, at] = [world.makeId(), world.clock()];
  for (const open of alerts.list()) if (open.kind === "drift" && open.skillId === skill.id) alerts.resolve(open.id, "it happened again", at);
  const revertTo = revisionToGoBackTo(skill, skills.revisions(skill.id), skills.runs(skill.id));
  alerts.add({ id, kind: "drift", title, detail, skillId: skill.id, proposalId: null, revertTo, createdAt: at, resolvedAt: null, resolution: null });
  return { id, title };
}
