import { badInput, KnackError } from "#contract/errors.ts";
import type { Proposal, Skill } from "#contract/skills/schema.ts";
import { isToBeRelearned } from "./relearn.ts";
import { addRevision, isOfPack, reindexChanged, type SkillWorld, setStatus, skillNamed } from "./skills.ts";

export function proposalsOf(world: SkillWorld, all: boolean, name?: string): Proposal[] {
  return world.stores.proposals.list({ all, ...(name === undefined ? {} : { skillId: skillNamed(world, name).id }) });
}

/** The proposed revision becomes the active one; its author stays who proposed it, the ledger names who accepted it. Exit 3 where it no longer fits. */
export async function acceptProposal(world: SkillWorld, id: string, actor: string): Promise<Skill> {
  // Under one lock, so that of two people who answer at once one is told that it was answered.
  const { skillId } = world.stores.transaction(() => accept(world, id, actor));
  await reindexChanged(world, skillId, AbortSignal.timeout(60_000));
  return skillNamed(world, skillId);
}

function accept(world: SkillWorld, id: string, actor: string): Proposal {
  const proposal = openProposal(world, id);
  const skill = skillNamed(world, proposal.skillId);
  if (isOfPack(world, skill.id)) throw refused("skill.authored", `"${skill.name}" belongs to a pack; what was learned about it cannot change it.`);
  if (skill.activeRevision !== proposal.base)
    throw refused(
      "proposal.outdated",
      `"${skill.name}" is at revision ${skill.activeRevision} now; this was proposed for revision ${proposal.base}. Decline it, or revert first.`,
    );
  const { content, author, evidence, reason } = proposal;
  const isAwaited = isToBeRelearned(world, skill);
  const made = addRevision(world, skill.id, { content, author, actor, evidence, reason: `accepted: ${reason}` });
  if (made === null) throw refused("skill.unchanged", `The proposal says the same as revision ${skill.activeRevision} of "${skill.name}"; decline it.`);
  decide(world, id, "accepted");
  // What a person had learned again is in use again once they took it; any other skill stays on or off as it is.
  if (isAwaited) setStatus(world, skill.id, "active", actor, `accepted: ${reason}`);
  return proposal;
}

export function declineProposal(world: SkillWorld, id: string): void {
  world.stores.transaction(() => {
    openProposal(world, id);
    decide(world, id, "declined");
  });
}

function decide(world: SkillWorld, id: string, status: "accepted" | "declined"): void {
  const { stores, clock } = world;
  stores.proposals.decide(id, status, clock());
  for (const alert of stores.alerts.list()) if (alert.proposalId === id) stores.alerts.resolve(alert.id, status, clock());
}

function openProposal(world: SkillWorld, id: string): Proposal {
  const proposal = world.stores.proposals.get(id);
  if (!proposal) throw badInput(`There is no proposal ${id}; see: knack skills proposals`);
  if (proposal.status !== "open") throw refused("proposal.decided", `This proposal was ${proposal.status} already.`);
  return proposal;
}

function refused(code: string, message: string): KnackError {
  return new KnackError(code, message, { exit: 3 });
}
