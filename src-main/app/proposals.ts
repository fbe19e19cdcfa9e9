import { badInput, KnackError } from "#contract/errors.ts";
import type { Proposal, Skill } from "#contract/skills/schema.ts";
import { isAuthored } from "#core/skills/index.ts";
import { reviseSkill, type SkillWorld, skillNamed } from "./skills.ts";

export function proposalsOf(world: SkillWorld, all: boolean, name?: string): Proposal[] {
  return world.stores.proposals.list({ all, ...(name === undefined ? {} : { skillId: skillNamed(world, name).id }) });
}

/** The proposed revision becomes the active one; its author stays who proposed it, the ledger names who accepted it. */
export async function acceptProposal(world: SkillWorld, id: string, actor: string): Promise<Skill> {
  const proposal = openProposal(world, id);
  const skill = skillNamed(world, proposal.skillId);
  const active = world.stores.skills.revision(skill.id, skill.activeRevision);
  if (active !== undefined && isAuthored(active.author)) throw badInput(`"${skill.name}" belongs to a pack; what was learned about it cannot change it.`);
  if (skill.activeRevision !== proposal.base)
    throw new KnackError(
      "proposal.outdated",
      `"${skill.name}" is at revision ${skill.activeRevision} now; this was proposed for revision ${proposal.base}. Decline it, or revert first.`,
    );
  const made = await reviseSkill(
    world,
    skill,
    { content: proposal.content, author: "agent:inline", actor, evidence: proposal.evidence, reason: `accepted: ${proposal.reason}` },
    AbortSignal.timeout(60_000),
  );
  if (made === null) throw badInput(`The proposal says the same as revision ${skill.activeRevision} of "${skill.name}"; decline it.`);
  decide(world, id, "accepted");
  return skillNamed(world, skill.id);
}

export function declineProposal(world: SkillWorld, id: string): void {
  openProposal(world, id);
  decide(world, id, "declined");
}

function decide(world: SkillWorld, id: string, status: "accepted" | "declined"): void {
  const { stores, clock } = world;
  stores.transaction(() => {
    stores.proposals.decide(id, status, clock());
    for (const alert of stores.alerts.list()) if (alert.proposalId === id) stores.alerts.resolve(alert.id, status, clock());
  });
}

function openProposal(world: SkillWorld, id: string): Proposal {
  const proposal = world.stores.proposals.get(id);
  if (!proposal) throw badInput(`There is no proposal ${id}; see: knack skills proposals`);
  if (proposal.status !== "open") throw badInput(`This proposal was ${proposal.status} already.`);
  return proposal;
}
