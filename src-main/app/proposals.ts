import { badInput, KnackError } from "#contract/errors.ts";
import type { Proposal, Run, Skill } from "#contract/skills/schema.ts";
import { reviseFromRun, unsafeIn } from "#core/learning/index.ts";
import type { Log } from "#core/ports/index.ts";
import { contentHash, diffBodies, isAuthored, onlyContent, renderBody } from "#core/skills/index.ts";
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

/**
 * What a run that went well would change in its routine, kept as a proposal with an alert; null where it would change nothing. Skills of packs are
 * never touched. Never throws: a proposal that cannot be made is logged, for the run itself went well.
 */
export function proposeFromRun(world: SkillWorld & { readonly log: Log }, run: Run): { readonly alertId: string; readonly title: string } | null {
  try {
    return propose(world, run);
  } catch (error) {
    world.log.error("proposal-failed", { runId: run.id, error: String(error) });
    return null;
  }
}

function propose(world: SkillWorld, run: Run): { readonly alertId: string; readonly title: string } | null {
  const { skills, trace, proposals, alerts } = world.stores;
  const skill = skills.get(run.skillId);
  const base = skills.revision(run.skillId, run.revision);
  if (!skill || !base || isAuthored(base.author) || skill.activeRevision !== base.number) return null;
  const own = trace.stepsOfEpisode(run.episodeId).filter((step) => {
    const turn = trace.turn(step.turnId);
    return turn?.skillId === run.skillId && turn.revision === run.revision;
  });
  // A run that was begun anew in its episode counts from there.
  const begun = own.findLastIndex((step) => step.tool === "browser_open" && step.status === "ok");
  const revised = reviseFromRun(onlyContent(base), own.slice(Math.max(0, begun)), run.inputs);
  if (revised === null || unsafeIn(revised.content) !== null) return null;
  const hash = contentHash(revised.content, world.digest);
  const known = [
    ...skills.revisions(skill.id).map(({ contentHash: one }) => one),
    ...proposals.list({ all: true, skillId: skill.id }).map(({ content }) => contentHash(content, world.digest)),
  ];
  if (known.includes(hash)) return null;
  const now = world.clock();
  const proposal: Proposal = {
    id: world.makeId(),
    skillId: skill.id,
    base: base.number,
    content: revised.content,
    diff: diffBodies({ label: `revision ${base.number}`, body: base.body }, { label: "proposed", body: renderBody(revised.content) }),
    reason: revised.changes.join("; "),
    evidence: [run.episodeId],
    status: "open",
    createdAt: now,
    decidedAt: null,
  };
  const alertId = world.makeId();
  const title = `"${skill.name}" could be mended`;
  world.stores.transaction(() => {
    proposals.add(proposal);
    alerts.add({
      id: alertId,
      kind: "proposal",
      title,
      detail: `${proposal.reason}. Nothing changes until you accept it.`,
      skillId: skill.id,
      proposalId: proposal.id,
      createdAt: now,
      resolvedAt: null,
      resolution: null,
    });
  });
  return { alertId, title };
}
