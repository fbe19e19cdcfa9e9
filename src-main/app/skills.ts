import { badInput, KnackError } from "#contract/errors.ts";
import type { Settings } from "#contract/settings/schema.ts";
import type { LedgerEntry, Recall, Revision, RevisionContent, Skill, SkillStatus, SkillSummary } from "#contract/skills/schema.ts";
import type { Digest, Embedder, Stores } from "#core/ports/index.ts";
import { indexSkill, matchSkill } from "#core/recall/index.ts";
import { actionTowards, changeStatus, diffBodies, freezeState, fullyMechanical, makeRevision, trustOf, undoOf } from "#core/skills/index.ts";
import type { Tool } from "#core/tools/index.ts";
import type { SkillDetail } from "./agent.ts";
import { endReview, holdExpansion, raiseReview, waitsForReview } from "./review.ts";

export interface SkillWorld {
  readonly stores: Stores;
  readonly embedder: () => Promise<Embedder | null>;
  readonly makeId: () => string;
  readonly clock: () => number;
  readonly digest: Digest;
  /** The user's switches; as they come where nothing is said. */
  readonly settings?: () => Settings;
  /** What state predicates read; nothing is known where nothing is said. */
  readonly state?: () => Readonly<Record<string, unknown>>;
  /** The tools there are; those that are built in where nothing is said. */
  readonly tools?: ReadonlyMap<string, Tool>;
}

export function skillNamed(world: SkillWorld, name: string): Skill {
  const skill = world.stores.skills.byName(name) ?? world.stores.skills.get(name);
  if (!skill) throw badInput(`There is no skill "${name}"; see: knack skills list --all`);
  return skill;
}

export function summaryOf(world: SkillWorld, skill: Skill): SkillSummary {
  const { skills } = world.stores;
  const revisions = skills.revisions(skill.id);
  const active = revisions.find((revision) => revision.number === skill.activeRevision);
  if (!active) throw new KnackError("skill.revision-missing", `The skill "${skill.name}" has no revision ${skill.activeRevision}`);
  const runs = skills.runs(skill.id);
  return {
    ...skill,
    summary: active.summary,
    whenToUse: active.whenToUse,
    author: active.author,
    revisions: revisions.length,
    fullyMechanical: fullyMechanical(active),
    trust: trustOf(
      runs.filter((run) => run.revision === skill.activeRevision),
      world.clock(),
    ),
    lastUsedAt: runs.at(-1)?.startedAt ?? null,
  };
}

export function detailOf(world: SkillWorld, name: string, number?: number): SkillDetail {
  const skill = skillNamed(world, name);
  const { skills, trace } = world.stores;
  const revision = skills.revision(skill.id, number ?? skill.activeRevision);
  if (!revision) throw badInput(`"${skill.name}" has no revision ${number}; it has 1 to ${skills.revisions(skill.id).length}`);
  return {
    skill: summaryOf(world, skill),
    revision,
    revisions: skills.revisions(skill.id),
    runs: skills.runs(skill.id),
    ledger: skills.ledger(skill.id),
    evidence: revision.evidence.map((episodeId) => {
      const episode = trace.episode(episodeId);
      return { episodeId, goal: episode?.goal ?? null, conversationId: episode?.conversationId ?? null };
    }),
  };
}

function ledger(world: SkillWorld, skillId: string, action: string, actor: string, reason: string, before: string | null, after: string | null): LedgerEntry {
  return { id: world.makeId(), skillId, action, actor, reason, before, after, at: world.clock() };
}

/** A name that is free: the wish, else the wish with a number. */
export function freeName(world: SkillWorld, wish: string): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? wish : `${wish}-${count}`;
    if (!world.stores.skills.byName(name)) return name;
  }
}

/** Revision 1 of a new skill, stored and made findable; one by the agent waits switched off where the user wants to review it. */
export async function createSkill(
  world: SkillWorld,
  made: { name: string; content: RevisionContent; author: string; evidence: readonly string[]; reason: string },
  signal: AbortSignal,
): Promise<Skill> {
  const now = world.clock();
  const id = world.makeId();
  const revision = makeRevision(made.content, { skillId: id, number: 1, author: made.author, evidence: made.evidence, createdAt: now }, world.digest);
  const waits = waitsForReview(world, made.author);
  const skill: Skill = {
    id,
    name: made.name,
    status: waits ? "disabled" : "provisional",
    activeRevision: 1,
    pinned: false,
    supersededBy: null,
    createdAt: now,
    updatedAt: now,
  };
  world.stores.skills.create(skill, revision, ledger(world, id, "create", made.author, made.reason, null, revision.contentHash));
  try {
    await reindex(world, id, signal);
  } catch (error) {
    // An embedder that fails leaves no skill that cannot be found.
    world.stores.skills.erase(id, world.clock());
    throw error;
  }
  if (waits) raiseReview(world, skill);
  return skill;
}

/** A further revision, active at once; `actor` is who had it made, where that is not its author. Content that says the same is refused as unchanged (TRU-10). Throws "skill.waits" where it was kept as a proposal instead. */
export async function reviseSkill(
  world: SkillWorld,
  skill: Skill,
  made: { content: RevisionContent; author: string; actor?: string; evidence: readonly string[]; reason: string },
  signal: AbortSignal,
): Promise<Revision | null> {
  const revisions = world.stores.skills.revisions(skill.id);
  const active = revisions.find((revision) => revision.number === skill.activeRevision);
  const revision = makeRevision(
    made.content,
    { skillId: skill.id, number: revisions.length + 1, author: made.author, evidence: made.evidence, createdAt: world.clock() },
    world.digest,
  );
  if (revision.contentHash === active?.contentHash) return null;
  const held = made.actor === undefined ? holdExpansion(world, skill, active, made) : null;
  if (held !== null) throw held;
  world.stores.skills.addRevision(
    revision,
    ledger(world, skill.id, "modify", made.actor ?? made.author, made.reason, active?.contentHash ?? null, revision.contentHash),
    world.clock(),
  );
  await reindex(world, skill.id, signal);
  return revision;
}

export async function reindex(world: SkillWorld, skillId: string, signal: AbortSignal): Promise<void> {
  const embedder = await world.embedder();
  if (embedder) await indexSkill(skillId, { skills: world.stores.skills, vectors: world.stores.vectors, embedder, now: world.clock() }, signal);
}

export async function revertSkill(
  world: SkillWorld,
  name: string,
  number: number,
  actor: string,
  signal: AbortSignal = AbortSignal.timeout(60_000),
): Promise<void> {
  const skill = skillNamed(world, name);
  const revisions = world.stores.skills.revisions(skill.id);
  const to = revisions.find((revision) => revision.number === number);
  if (!to) throw badInput(`"${skill.name}" has no revision ${number}; it has 1 to ${revisions.length}`);
  if (number === skill.activeRevision) throw badInput(`Revision ${number} of "${skill.name}" is the one in use`);
  const from = revisions.find((revision) => revision.number === skill.activeRevision);
  world.stores.skills.setActiveRevision(
    skill.id,
    number,
    ledger(world, skill.id, "revert", actor, `back to revision ${number}`, from?.contentHash ?? null, to.contentHash),
    world.clock(),
  );
  await reindex(world, skill.id, signal);
}

export function setStatus(world: SkillWorld, name: string, status: SkillStatus, actor: string, reason: string): void {
  const skill = skillNamed(world, name);
  if (skill.status === status) return;
  const action = actionTowards(skill.status, status);
  if (action === null) throw badInput(`"${skill.name}" is ${skill.status} and cannot become ${status}${skill.status === "retired" ? "; revive it first" : ""}`);
  const changed = changeStatus(skill, action, "human");
  if (!changed.ok) throw badInput(changed.error);
  world.stores.skills.setStatus(skill.id, changed.value, ledger(world, skill.id, action, actor, reason, skill.status, changed.value), world.clock());
  endReview(world, skill, changed.value);
}

export function setPinned(world: SkillWorld, name: string, pinned: boolean, actor: string): void {
  const skill = skillNamed(world, name);
  if (skill.pinned === pinned) return;
  const word = (is: boolean) => (is ? "pinned" : "unpinned");
  world.stores.skills.setPinned(
    skill.id,
    pinned,
    ledger(world, skill.id, pinned ? "pin" : "unpin", actor, "", word(skill.pinned), word(pinned)),
    world.clock(),
  );
}

/** Takes back one entry of a ledger, with an entry of its own that can be taken back again. */
export async function undoChange(world: SkillWorld, entryId: string, actor: string, signal: AbortSignal = AbortSignal.timeout(60_000)): Promise<Skill> {
  const { skills } = world.stores;
  const entry = skills.ledgerEntry(entryId);
  const skill = entry && skills.get(entry.skillId);
  if (!entry || !skill) throw badInput(`There is no change ${entryId}; see: knack skills history NAME`);
  const revisions = skills.revisions(skill.id);
  const undo = undoOf(entry, skill, skills.ledger(skill.id), revisions);
  if (!undo.ok) throw badInput(undo.error);
  const row = (before: string | null, after: string | null) => ledger(world, skill.id, "undo", actor, `undo of ${entry.action}`, before, after);
  if ("status" in undo.value) skills.setStatus(skill.id, undo.value.status, row(skill.status, undo.value.status), world.clock());
  else if ("pinned" in undo.value)
    skills.setPinned(skill.id, undo.value.pinned, row(skill.pinned ? "pinned" : "unpinned", undo.value.pinned ? "pinned" : "unpinned"), world.clock());
  else {
    const { revision } = undo.value;
    const hashOf = (number: number) => revisions.find((one) => one.number === number)?.contentHash ?? null;
    skills.setActiveRevision(skill.id, revision, row(hashOf(skill.activeRevision), hashOf(revision)), world.clock());
    await reindex(world, skill.id, signal);
  }
  return skillNamed(world, skill.id);
}

export function diffSkill(world: SkillWorld, name: string, a: number, b: number): string {
  const skill = skillNamed(world, name);
  const [left, right] = [a, b].map((number) => {
    const revision = world.stores.skills.revision(skill.id, number);
    if (!revision) throw badInput(`"${skill.name}" has no revision ${number}`);
    return revision;
  });
  return diffBodies({ label: `revision ${a}`, body: left?.body ?? "" }, { label: `revision ${b}`, body: right?.body ?? "" });
}

export async function matchGoal(world: SkillWorld, goal: string, signal: AbortSignal): Promise<Recall> {
  if (goal.trim() === "") throw badInput('Say the task to look for, for example: knack skills match "download my bill"');
  const embedder = await world.embedder();
  if (!embedder)
    throw new KnackError("model.missing", "No embedding model is on this machine, so nothing can be recalled. Get one with: knack models get all-minilm-l6-v2");
  const match = await matchSkill(
    goal,
    { skills: world.stores.skills, vectors: world.stores.vectors, embedder, model: null, state: freezeState(world.state?.() ?? {}), now: world.clock() },
    signal,
  );
  return match.recall;
}
