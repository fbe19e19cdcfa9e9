import type { Proposal, Run } from "#contract/skills/schema.ts";
import { reviseFromRun, unsafeIn } from "#core/learning/index.ts";
import type { Log } from "#core/ports/index.ts";
import { contentHash, diffBodies, onlyContent, renderBody } from "#core/skills/index.ts";
import { isAnswered } from "./review.ts";
import { isOfPack, type SkillWorld } from "./skills.ts";

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
  // Off means off: a run may be asked for by name all the same, and then nothing is learned from it.
  if (world.settings?.().learning === false) return null;
  const { skills, trace, proposals, alerts } = world.stores;
  const skill = skills.get(run.skillId);
  const base = skills.revision(run.skillId, run.revision);
  if (!skill || !base || isOfPack(world, skill.id) || skill.activeRevision !== base.number) return null;
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
    ...proposals
      .list({ all: true, skillId: skill.id })
      .filter((one) => isAnswered(one, base))
      .map(({ content }) => contentHash(content, world.digest)),
  ];
  if (known.includes(hash)) return null;
  const now = world.clock();
  const proposal: Proposal = {
    id: world.makeId(),
    skillId: skill.id,
    base: base.number,
    author: "agent:inline",
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
      revertTo: null,
      createdAt: now,
      resolvedAt: null,
      resolution: null,
    });
  });
  return { alertId, title };
}
