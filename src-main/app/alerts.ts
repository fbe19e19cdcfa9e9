import type { Alert, AlertAction } from "#contract/alerts/schema.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import { isUsable } from "#core/skills/index.ts";
import { acceptProposal, declineProposal } from "./proposals.ts";
import { reindexChanged, requireTeachable, type SkillWorld, setOpenToLearning, setRevision, setStatus, skillNamed } from "./skills.ts";

/** Answers an alert about a skill that switched itself off (SPEC 3.5), or about what waits for a yes, and settles it. Throws bad-input for an unknown alert, "alert.settled" and "alert.no-action" (exit 3) where there is nothing to do. */
export async function actOnAlert(world: SkillWorld, id: string, action: AlertAction, actor: string): Promise<Alert> {
  const { proposalId } = alertNamed(world, id);
  if (proposalId !== null && (action === "accept" || action === "decline")) {
    requireOpen(alertNamed(world, id));
    if (action === "accept") await acceptProposal(world, proposalId, actor);
    else declineProposal(world, proposalId);
    return alertNamed(world, id);
  }
  const { skillId, reverted } = world.stores.transaction(() => act(world, id, action, actor));
  if (reverted) await reindexChanged(world, skillId, AbortSignal.timeout(60_000));
  return alertNamed(world, id);
}

export function alertNamed(world: SkillWorld, id: string): Alert {
  const alert = world.stores.alerts.get(id);
  if (!alert) throw badInput(`There is no alert ${id}; see: knack alerts list`);
  return alert;
}

/** Settles an alert with a word of the person's. Throws bad-input for an unknown one and for no word, "alert.settled" (exit 3) for one that is settled. */
export function resolveAlert(world: SkillWorld, id: string, resolution: string): void {
  const said = resolution.trim();
  if (said === "" || said.length > 1000) throw badInput("Say how it was settled, in 1 to 1000 characters", { field: "resolution" });
  world.stores.transaction(() => {
    requireOpen(alertNamed(world, id));
    world.stores.alerts.resolve(id, said, world.clock());
  });
}

function requireOpen(alert: Alert): void {
  if (alert.resolvedAt !== null) throw refused("alert.settled", `This alert is settled already: ${alert.resolution}.`);
}

function act(world: SkillWorld, id: string, action: AlertAction, actor: string): { skillId: string; reverted: boolean } {
  const alert = alertNamed(world, id);
  requireOpen(alert);
  if (alert.kind === "review" && alert.skillId !== null && (action === "accept" || action === "decline")) {
    // Taken it is in use; declined it is retired: nothing is deleted, and it may be revived.
    setStatus(world, alert.skillId, action === "accept" ? "active" : "retired", actor, action === "accept" ? "looked at and taken" : "looked at and declined");
    if (alertNamed(world, id).resolvedAt === null) world.stores.alerts.resolve(id, action === "accept" ? "taken" : "declined", world.clock());
    return { skillId: alert.skillId, reverted: false };
  }
  if (action === "accept" || action === "decline")
    throw refused("alert.no-action", `"${alert.title}" is about nothing that waits for a yes, so there is nothing to ${words[action]}.`);
  if (alert.kind !== "drift" || alert.skillId === null)
    throw refused("alert.no-action", `"${alert.title}" is not about a skill that stopped working, so there is nothing to ${words[action]}.`);
  const skill = skillNamed(world, alert.skillId);
  const settle = (resolution: string): void => world.stores.alerts.resolve(id, resolution, world.clock());
  switch (action) {
    case "revert": {
      const { revertTo } = alert;
      if (revertTo === null)
        throw refused("alert.no-revision", `"${skill.name}" has no earlier revision to go back to; have it learned again, or keep it off.`);
      const reverted = skill.activeRevision !== revertTo;
      if (reverted) setRevision(world, skill.id, revertTo, actor);
      settle(`went back to revision ${revertTo}`);
      setStatus(world, skill.id, "active", actor, `went back to revision ${revertTo}`);
      return { skillId: skill.id, reverted };
    }
    case "learn-again":
      if (isUsable(skill.status)) throw refused("alert.no-action", `"${skill.name}" is in use again, so there is nothing to learn anew.`);
      requireTeachable(world, skill.id);
      setOpenToLearning(world, skill.id, true, actor, alert.detail);
      settle("to be learned again");
      break;
    default:
      setOpenToLearning(world, skill.id, false, actor, alert.detail);
      settle("kept off");
  }
  return { skillId: skill.id, reverted: false };
}

const words: Readonly<Record<AlertAction, string>> = {
  revert: "go back to",
  "learn-again": "learn again",
  "keep-off": "keep off",
  accept: "take",
  decline: "decline",
};

function refused(code: string, message: string): KnackError {
  return new KnackError(code, message, { exit: 3 });
}
