import { KnackError } from "#contract/errors.ts";
import type { PassReport } from "#contract/learning/schema.ts";
import type { RevisionContent, Skill } from "#contract/skills/schema.ts";
import { covers, envelopeOf } from "#core/envelope/index.ts";
import { type LearnableEpisode, type Limits, type PassOptions, runPass } from "#core/learning/index.ts";
import type { Embedder, LanguageModel, Log } from "#core/ports/index.ts";
import { contentHash, isUsable, outdatedBefore } from "#core/skills/index.ts";
import { toolRegistry } from "#core/tools/index.ts";
import { isToBeRelearned, relearn, skillToRelearn, whyOutdated } from "./relearn.ts";
import { holdChange } from "./review.ts";
import { authoredAlike, sameMeaning } from "./same-meaning.ts";
import { createSkill, freeName, reviseSkill, type SkillWorld } from "./skills.ts";

/** Runs a learning pass over the store; with `apply` what it finds is published, else only said. */
export async function learn(
  world: SkillWorld & {
    readonly model: () => Promise<LanguageModel>;
    readonly embedder: () => Promise<Embedder | null>;
    readonly log: Log;
    readonly distilWithin?: number;
  },
  apply: boolean,
  signal: AbortSignal,
  maxDistillations?: number,
  dream?: PassOptions["dream"] & { readonly whyNotYet: (run: LearnableEpisode) => string | null },
): Promise<PassReport> {
  const embedder = await world.embedder();
  if (!embedder)
    throw new KnackError(
      "model.missing",
      "No embedding model is on this machine, so goals cannot be compared. Get one with: knack models get all-minilm-l6-v2",
    );
  const author = dream ? "agent:dreaming" : "agent:synthesis";
  const outdated = whyOutdated(world);
  return runPass(
    {
      stores: world.stores,
      embedder,
      model: world.model,
      log: world.log,
      clock: world.clock,
      makeId: world.makeId,
      ...(world.distilWithin === undefined ? {} : { distilWithin: world.distilWithin }),
      limits: limitsOf(world),
      whyOutdated: (run) => dream?.whyNotYet(run) ?? outdated(run),
      publish: (candidate, inner) => publish(world, { ...candidate, author }, inner),
    },
    { dryRun: !apply, ...(maxDistillations === undefined ? {} : { maxDistillations }), ...(dream ? { dream } : {}) },
    signal,
  );
}

/** What learning may declare: the tools there are, within what is granted. */
export function limitsOf(world: SkillWorld): Limits {
  return {
    isTool: (id) => (world.tools ?? toolRegistry).has(id),
    notGranted(declared) {
      const coverage = covers(declared, envelopeOf(world.stores.grants.list()));
      return coverage.covered ? [] : coverage.missing;
    },
  };
}

interface Candidate {
  readonly author: "agent:synthesis" | "agent:dreaming";
  readonly name: string;
  readonly content: RevisionContent;
  readonly evidence: readonly string[];
}
interface Published {
  readonly decision: "added" | "updated" | "unchanged";
  readonly reason: string;
  readonly skillName: string | null;
}

/** ADD, UPDATE or NOOP; never DELETE. A skill the user switched off, retired or wrote is left as it is, unless they asked for it to be learned again. */
async function publish(world: SkillWorld, candidate: Candidate, signal: AbortSignal): Promise<Published> {
  const same = (await sameMeaning(world, candidate.content, new Date(world.clock()), signal)) ?? (await skillToRelearn(world, candidate.content, signal));
  if (!same) {
    const authored = await authoredAlike(world, candidate.content, new Date(world.clock()), signal);
    const beside = authored ? `, beside "${authored.name}" of a pack, which stays as it is` : "";
    const skill = await createSkill(
      world,
      {
        name: freeName(world, candidate.name),
        content: candidate.content,
        author: candidate.author,
        evidence: candidate.evidence,
        reason: `learned from ${candidate.evidence.length} runs${beside}`,
      },
      signal,
    );
    return {
      decision: "added",
      reason: `learned from ${candidate.evidence.length} successful runs, ${candidate.content.steps.length} steps${beside}`,
      skillName: skill.name,
    };
  }
  if (isToBeRelearned(world, same)) return learnAgain(world, same, candidate, signal);
  const active = world.stores.skills.revision(same.id, same.activeRevision);
  if (!isUsable(same.status)) return { decision: "unchanged", reason: `"${same.name}" means the same and is ${same.status}`, skillName: same.name };
  if (active && !active.author.startsWith("agent:"))
    return { decision: "unchanged", reason: `"${same.name}" by ${active.author} means the same`, skillName: same.name };
  const earlier = world.stores.skills
    .revisions(same.id)
    .some(
      (revision) =>
        revision.contentHash ===
          contentHash({ ...candidate.content, whenToUse: revision.whenToUse, summary: revision.summary, goal: revision.goal }, world.digest) ||
        stepsOf(revision) === stepsOf(candidate.content),
    );
  if (earlier) return { decision: "unchanged", reason: `"${same.name}" says the same already`, skillName: same.name };
  const change = {
    content: candidate.content,
    author: candidate.author,
    evidence: candidate.evidence,
    reason: `learned again from ${candidate.evidence.length} runs`,
  };
  const held = holdChange(world, same, active, change);
  if (held !== null) return { decision: "unchanged", reason: held.message, skillName: same.name };
  const revision = await reviseSkill(world, same, change, signal);
  return revision
    ? { decision: "updated", reason: `revision ${revision.number} of "${same.name}"`, skillName: same.name }
    : { decision: "unchanged", reason: `"${same.name}" says the same already`, skillName: same.name };
}

/** Fewest runs that a skill is learned again from where others of the same kind are older than the day it stopped working. */
const fewestNewRuns = 3;

/** From runs since it was switched off, and only to something it did not say before (SPEC 3.5). */
async function learnAgain(world: SkillWorld, skill: Skill, { content, evidence, author }: Candidate, signal: AbortSignal): Promise<Published> {
  const { skills, trace } = world.stores;
  const since = outdatedBefore(skills.ledger(skill.id));
  const recent = evidence.filter((id) => (trace.episode(id)?.createdAt ?? 0) >= since);
  if (recent.length < evidence.length && recent.length < fewestNewRuns)
    return { decision: "unchanged", reason: `"${skill.name}" is learned again only from runs since it was switched off`, skillName: skill.name };
  const made = { content, author, actor: "knack", evidence: recent, reason: `learned again from ${recent.length} runs` };
  const held = holdChange(world, skill, skills.revision(skill.id, skill.activeRevision), made);
  if (held !== null) return { decision: "unchanged", reason: held.message, skillName: skill.name };
  try {
    const revision = await relearn(world, skill, made, signal);
    const isInUse = isUsable(skills.get(skill.id)?.status ?? skill.status);
    const now = isInUse ? "which is in use again" : "which waits for your review";
    return { decision: "updated", reason: `revision ${revision.number} of "${skill.name}", ${now}`, skillName: skill.name };
  } catch (error) {
    if (!(error instanceof KnackError) || error.code !== "skill.unchanged") throw error;
    return { decision: "unchanged", reason: error.message, skillName: skill.name };
  }
}

function stepsOf(content: Pick<RevisionContent, "steps">): string {
  return JSON.stringify(content.steps.map((step) => step.call ?? step.do));
}
