import { stripInvisible } from "#base/invisible.ts";
import { clip } from "#base/text.ts";
import { routineNoteSchema, type Step } from "#contract/chat/schema.ts";
import type { Proposal, Run } from "#contract/skills/schema.ts";
import { reviseFromRun, unsafeIn } from "#core/learning/index.ts";
import type { Log } from "#core/ports/index.ts";
import { cleanContent, contentHash, diffBodies, onlyContent, renderBody } from "#core/skills/index.ts";
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
    world.log.error("proposal-failed", { runId: run.id, error });
    return null;
  }
}

/** Longest reason; what is proposed is in the diff. */
const longestReason = 1000;

function propose(world: SkillWorld & { readonly log: Log }, run: Run): { readonly alertId: string; readonly title: string } | null {
  // Off means off: a run may be asked for by name all the same, and then nothing is learned from it.
  if (world.settings?.().learning === false) return null;
  const { skills, proposals, alerts } = world.stores;
  const skill = skills.get(run.skillId);
  const base = skills.revision(run.skillId, run.revision);
  if (!skill || !base || isOfPack(world, skill.id) || skill.activeRevision !== base.number) return null;
  const revised = reviseFromRun(onlyContent(base), stepsOfRun(world, run), run.inputs);
  if (revised === null) return null;
  // As it would be stored: what is shown for a yes is what a yes would make.
  const content = cleanContent(revised.content);
  const unsafe = unsafeIn(content);
  if (unsafe !== null) {
    world.log.warn("proposal-unsafe", { runId: run.id, skillId: skill.id, reason: unsafe });
    return null;
  }
  const hash = contentHash(content, world.digest);
  const known = [
    ...skills.revisions(skill.id).map(({ contentHash: one }) => one),
    ...proposals
      .list({ all: true, skillId: skill.id })
      .filter((one) => isAnswered(one, base))
      .map((one) => contentHash(one.content, world.digest)),
  ];
  if (known.includes(hash)) return null;
  const now = world.clock();
  const proposal: Proposal = {
    id: world.makeId(),
    skillId: skill.id,
    base: base.number,
    author: "agent:inline",
    content,
    diff: diffBodies({ label: `revision ${base.number}`, body: base.body }, { label: "proposed", body: renderBody(content) }),
    reason: clip(stripInvisible(revised.changes.join("; ")), longestReason),
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
      detail: `${proposal.reason}. Nothing changes until you accept it, and accepting grants nothing.`,
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

/** The steps of a run: those of its turn, and where that went on from a halt, those of the turns before it as well. */
function stepsOfRun({ stores }: SkillWorld, run: Run): Step[] {
  const turns = stores.trace
    .turns(stores.trace.turn(run.turnId)?.conversationId ?? "")
    .filter(({ episodeId, skillId, revision }) => episodeId === run.episodeId && skillId === run.skillId && revision === run.revision);
  const steps: Step[] = [];
  for (const turn of turns.slice(0, turns.findIndex(({ id }) => id === run.turnId) + 1).toReversed()) {
    steps.unshift(...stores.trace.stepsOfTurn(turn.id));
    const first = steps.find(({ details }) => details.routine !== undefined);
    const note = routineNoteSchema.safeParse(first?.details.routine);
    if (note.success && note.data.at === 0) break;
  }
  return steps;
}
