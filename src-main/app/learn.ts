import { KnackError } from "#contract/errors.ts";
import type { PassReport } from "#contract/learning/schema.ts";
import type { RevisionContent } from "#contract/skills/schema.ts";
import { covers, envelopeOf } from "#core/envelope/index.ts";
import { runPass } from "#core/learning/index.ts";
import type { Embedder, LanguageModel, Log } from "#core/ports/index.ts";
import { contentHash } from "#core/skills/index.ts";
import { toolRegistry } from "#core/tools/index.ts";
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
): Promise<PassReport> {
  const embedder = await world.embedder();
  if (!embedder)
    throw new KnackError(
      "model.missing",
      "No embedding model is on this machine, so goals cannot be compared. Get one with: knack models get all-minilm-l6-v2",
    );
  return runPass(
    {
      stores: world.stores,
      embedder,
      model: world.model,
      log: world.log,
      clock: world.clock,
      makeId: world.makeId,
      ...(world.distilWithin === undefined ? {} : { distilWithin: world.distilWithin }),
      limits: {
        isTool: (id) => toolRegistry.has(id),
        notGranted(declared) {
          const coverage = covers(declared, envelopeOf(world.stores.grants.list()));
          return coverage.covered ? [] : coverage.missing;
        },
      },
      publish: (candidate, inner) => publish(world, candidate, inner),
    },
    { dryRun: !apply, ...(maxDistillations === undefined ? {} : { maxDistillations }) },
    signal,
  );
}

/** ADD, UPDATE or NOOP; never DELETE. A skill the user switched off, retired or wrote is left as it is. */
async function publish(
  world: SkillWorld,
  candidate: { name: string; content: RevisionContent; evidence: readonly string[] },
  signal: AbortSignal,
): Promise<{ decision: "added" | "updated" | "unchanged"; reason: string; skillName: string | null }> {
  const same = await sameMeaning(world, candidate.content, new Date(world.clock()), signal);
  if (!same) {
    const authored = await authoredAlike(world, candidate.content, new Date(world.clock()), signal);
    const beside = authored ? `, beside "${authored.name}" of a pack, which stays as it is` : "";
    const skill = await createSkill(
      world,
      {
        name: freeName(world, candidate.name),
        content: candidate.content,
        author: "agent:synthesis",
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
  const active = world.stores.skills.revision(same.id, same.activeRevision);
  if (same.status === "disabled" || same.status === "retired")
    return { decision: "unchanged", reason: `"${same.name}" means the same and is ${same.status}`, skillName: same.name };
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
  const revision = await reviseSkill(
    world,
    same,
    { content: candidate.content, author: "agent:synthesis", evidence: candidate.evidence, reason: `learned again from ${candidate.evidence.length} runs` },
    signal,
  );
  return revision
    ? { decision: "updated", reason: `revision ${revision.number} of "${same.name}"`, skillName: same.name }
    : { decision: "unchanged", reason: `"${same.name}" says the same already`, skillName: same.name };
}

function stepsOf(content: Pick<RevisionContent, "steps">): string {
  return JSON.stringify(content.steps.map((step) => step.call ?? step.do));
}
