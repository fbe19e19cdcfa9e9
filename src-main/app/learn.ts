import { KnackError } from "#contract/errors.ts";
import type { PassReport } from "#contract/learning/schema.ts";
import type { RevisionContent, Skill } from "#contract/skills/schema.ts";
import { covers, envelopeOf } from "#core/envelope/index.ts";
import { type Candidate, type Decided, type Limits, type PassOptions, runPass } from "#core/learning/index.ts";
import type { Embedder, LanguageModel, Log } from "#core/ports/index.ts";
import { contentHash, isOpenToLearning, isUsable, outdatedBefore } from "#core/skills/index.ts";
import { toolRegistry } from "#core/tools/index.ts";
import { makePause } from "./pause.ts";
import { isToBeRelearned, relearn, skillToRelearn, whyOutdated } from "./relearn.ts";
import { holdChange } from "./review.ts";
import { authoredAlike, sameMeaning } from "./same-meaning.ts";
import { createSkill, freeName, type MadeRevision, reviseSkill, type SkillWorld } from "./skills.ts";

export interface LearnWorld extends SkillWorld {
  readonly model: () => Promise<LanguageModel>;
  readonly embedder: () => Promise<Embedder | null>;
  readonly log: Log;
  readonly distilWithin?: number;
  /** Called between small pieces of work; by default the event loop gets its turn every few milliseconds. */
  readonly pause?: () => Promise<void> | undefined;
}

export interface LearnOptions {
  readonly maxDistillations?: number;
  readonly maxClusters?: number;
  /** What the report says beside its entries. */
  readonly note?: string;
  readonly onStage?: (stage: string) => void;
  readonly dream?: NonNullable<PassOptions["dream"]>;
}

/** Runs a learning pass over the store; with `apply` what it finds is published, else only said. */
export async function learn(given: LearnWorld, apply: boolean, signal: AbortSignal, { onStage, ...options }: LearnOptions = {}): Promise<PassReport> {
  const world = { ...given, pause: given.pause ?? makePause() };
  const embedder = await world.embedder();
  if (!embedder)
    throw new KnackError(
      "model.missing",
      "No embedding model is on this machine, so goals cannot be compared. Get one with: knack models get all-minilm-l6-v2",
    );
  const author = options.dream ? "agent:dreaming" : "agent:synthesis";
  return runPass(
    {
      stores: world.stores,
      embedder,
      model: world.model,
      log: world.log,
      clock: world.clock,
      makeId: world.makeId,
      pause: world.pause,
      ...(onStage === undefined ? {} : { onStage }),
      ...(world.distilWithin === undefined ? {} : { distilWithin: world.distilWithin }),
      limits: limitsOf(world),
      whyOutdated: () => whyOutdated(world),
      async whyUnchanged(candidate, inner) {
        const plan = await planFor(world, candidate, inner);
        return plan.kind === "unchanged" ? plan.decided : null;
      },
      publish: (candidate, inner) => publish(world, candidate, author, inner),
      stampOf: (skillId) => stampOf(world, skillId),
    },
    { ...options, dryRun: !apply },
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

type Plan =
  | { readonly kind: "add" }
  | { readonly kind: "revise"; readonly skill: Skill }
  | { readonly kind: "relearn"; readonly skill: Skill; readonly recent: readonly string[] }
  | { readonly kind: "unchanged"; readonly decided: Decided };

/** Fewest runs that a skill is learned again from where others of the same kind are older than the day it stopped working. */
const fewestNewRuns = 3;

/**
 * ADD, UPDATE or NOOP; never DELETE. A skill the user switched off, retired or wrote is left as it is, unless they asked for it to be learned again. The
 * wording of the candidate makes no difference: it is asked for before a model is.
 */
async function planFor(world: LearnWorld, candidate: Candidate, signal: AbortSignal): Promise<Plan> {
  const { skills, trace } = world.stores;
  const { content } = candidate;
  const found = (await sameMeaning(world, content, new Date(world.clock()), signal)) ?? (await skillToRelearn(world, content, signal));
  // As it is now: a person may have switched it off, or erased it, while goals were compared.
  const skill = found && skills.get(found.id);
  if (!skill) return { kind: "add" };
  const unchanged = (reason: string): Plan => ({ kind: "unchanged", decided: about(skill, "unchanged", reason) });
  if (isToBeRelearned(world, skill)) {
    const since = outdatedBefore(skills.ledger(skill.id));
    const recent = candidate.evidence.filter((id) => (trace.episode(id)?.createdAt ?? 0) >= since);
    return recent.length < candidate.evidence.length && recent.length < fewestNewRuns
      ? unchanged(`"${skill.name}" is learned again only from runs since it was switched off`)
      : { kind: "relearn", skill, recent };
  }
  if (!isUsable(skill.status)) return unchanged(`"${skill.name}" means the same and is ${skill.status}`);
  const active = skills.revision(skill.id, skill.activeRevision);
  if (active && !active.author.startsWith("agent:")) return unchanged(`"${skill.name}" by ${active.author} means the same`);
  const isEarlier = skills.revisions(skill.id).some((revision) => {
    const { whenToUse, summary, goal } = revision;
    return revision.contentHash === contentHash({ ...content, whenToUse, summary, goal }, world.digest) || stepsOf(revision) === stepsOf(content);
  });
  return isEarlier ? unchanged(`"${skill.name}" says the same already`) : { kind: "revise", skill };
}

function about(skill: Skill, decision: Decided["decision"], reason: string): Decided {
  return { decision, reason, skillId: skill.id, skillName: skill.name };
}

/** What decides whether runs of a skill's kind lead anywhere: whether it is there, in use, in which revision, open to be learned again, and since when. */
function stampOf({ stores: { skills } }: SkillWorld, skillId: string): string {
  const skill = skills.get(skillId);
  if (!skill) return "gone";
  const ledger = skills.ledger(skillId);
  return JSON.stringify([isUsable(skill.status), skill.activeRevision, isOpenToLearning(ledger), outdatedBefore(ledger)]);
}

type Author = "agent:synthesis" | "agent:dreaming";

/** What happened while the pass waited for a model: thrown where something is about to be written that no longer stands as it was read. */
class Changed extends Error {
  override readonly name = "Changed";
}

/** Stores a candidate; null where what it was learned from was erased or judged otherwise meanwhile, which the next pass reads. */
async function publish(world: LearnWorld, candidate: Candidate, author: Author, signal: AbortSignal): Promise<Decided | null> {
  const { trace } = world.stores;
  const isSuccess = (id: string): boolean => trace.episode(id)?.outcome === "success";
  for (;;) {
    try {
      return await publishOnce(world, candidate, author, signal);
    } catch (error) {
      if (!(error instanceof Changed)) throw error;
      signal.throwIfAborted();
      if (!candidate.evidence.every(isSuccess)) return null;
    }
  }
}

async function publishOnce(world: LearnWorld, candidate: Candidate, author: Author, signal: AbortSignal): Promise<Decided> {
  const { skills, trace } = world.stores;
  const before = new Map(skills.list({ all: true }).map(({ id, activeRevision, status }) => [id, `${activeRevision} ${status}`]));
  const plan = await planFor(world, candidate, signal);
  if (plan.kind === "unchanged") return plan.decided;
  // Another process may have learned, or a person changed, the same meanwhile.
  const requireStill = (): void => {
    if (candidate.evidence.some((id) => trace.episode(id)?.outcome !== "success")) throw new Changed("evidence");
    const now = skills.list({ all: true });
    const isOther = plan.kind === "add" ? now.some(({ id }) => !before.has(id)) : now.some((one) => one.id === plan.skill.id && isOtherThan(before, one));
    if (isOther || (plan.kind !== "add" && !skills.get(plan.skill.id))) throw new Changed("skills");
  };
  if (plan.kind === "add") return addSkill(world, candidate, author, requireStill, signal);
  if (plan.kind === "relearn") return learnAgain(world, plan.skill, { content: candidate.content, author, evidence: plan.recent, requireStill }, signal);
  const { skill } = plan;
  requireStill();
  const change = {
    content: candidate.content,
    author,
    evidence: candidate.evidence,
    reason: `learned again from ${candidate.evidence.length} runs`,
    requireStill,
  };
  const held = holdChange(world, skill, world.stores.skills.revision(skill.id, skill.activeRevision), change);
  if (held !== null) return about(skill, "unchanged", held.message);
  const revision = await reviseSkill(world, skill, change, signal);
  return revision
    ? about(skill, "updated", `revision ${revision.number} of "${skill.name}"`)
    : about(skill, "unchanged", `"${skill.name}" says the same already`);
}

function isOtherThan(before: ReadonlyMap<string, string>, { id, activeRevision, status }: Skill): boolean {
  return before.get(id) !== `${activeRevision} ${status}`;
}

async function addSkill(
  world: LearnWorld,
  { name, content, evidence }: Candidate,
  author: Author,
  requireStill: () => void,
  signal: AbortSignal,
): Promise<Decided> {
  const authored = await authoredAlike(world, content, new Date(world.clock()), signal);
  const beside = authored ? `, beside "${authored.name}" of a pack, which stays as it is` : "";
  const skill = await createSkill(
    world,
    { name: freeName(world, name), content, author, evidence, reason: `learned from ${evidence.length} runs${beside}`, requireStill },
    signal,
  );
  return about(skill, "added", `learned from ${evidence.length} successful runs, ${content.steps.length} steps${beside}`);
}

/** From runs since it was switched off, and only to something it did not say before (SPEC 3.5). */
async function learnAgain(
  world: LearnWorld,
  skill: Skill,
  { content, author, evidence, requireStill }: Pick<MadeRevision, "content" | "evidence" | "requireStill"> & { readonly author: Author },
  signal: AbortSignal,
): Promise<Decided> {
  const { skills } = world.stores;
  requireStill?.();
  const made = {
    ...{ content, author, actor: "knack", evidence, reason: `learned again from ${evidence.length} runs` },
    ...(requireStill === undefined ? {} : { requireStill }),
  };
  const held = holdChange(world, skill, skills.revision(skill.id, skill.activeRevision), made);
  if (held !== null) return about(skill, "unchanged", held.message);
  try {
    const revision = await relearn(world, skill, made, signal);
    const isInUse = isUsable(skills.get(skill.id)?.status ?? skill.status);
    const now = isInUse ? "which is in use again" : "which waits for your review";
    return about(skill, "updated", `revision ${revision.number} of "${skill.name}", ${now}`);
  } catch (error) {
    if (!(error instanceof KnackError) || error.code !== "skill.unchanged") throw error;
    return about(skill, "unchanged", error.message);
  }
}

function stepsOf(content: Pick<RevisionContent, "steps">): string {
  return JSON.stringify(content.steps.map((step) => step.call ?? step.do));
}
