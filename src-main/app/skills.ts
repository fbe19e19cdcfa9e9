import { badInput, KnackError } from "#contract/errors.ts";
import type { LedgerEntry, Recall, Revision, RevisionContent, Skill, SkillStatus, SkillSummary } from "#contract/skills/schema.ts";
import { envelopeOf } from "#core/envelope/index.ts";
import type { Digest, Embedder, LanguageModel, SkillOutline, Stores } from "#core/ports/index.ts";
import { indexSkill, matchSkill } from "#core/recall/index.ts";
import {
  actionTowards,
  changeStatus,
  diffBodies,
  fullyMechanical,
  isOpenToLearning,
  isUsable,
  learningWord,
  makeRevision,
  parseSkillName,
  pinnedWord,
  requireFreeName,
  statusWord,
  trustOfRecord,
  type Undo,
  undoOf,
} from "#core/skills/index.ts";
import { toolRegistry } from "#core/tools/index.ts";
import type { SkillDetail } from "./agent.ts";

export interface SkillWorld {
  readonly stores: Stores;
  readonly embedder: () => Promise<Embedder | null>;
  readonly makeId: () => string;
  readonly clock: () => number;
  readonly digest: Digest;
}

export function skillNamed(world: SkillWorld, name: string): Skill {
  const { skills } = world.stores;
  const mapped = parseSkillName(name);
  const skill = skills.byName(name) ?? skills.get(name) ?? (mapped.ok ? skills.byName(mapped.value) : undefined);
  if (!skill) throw badInput(`There is no skill "${name}"; see: knack skills list --all`);
  return skill;
}

export function summaryOf(world: SkillWorld, skill: Skill): SkillSummary {
  const [summary] = summaries(world, world.stores.skills.outlines({ all: true, ids: [skill.id] }));
  if (!summary) throw new KnackError("skill.revision-missing", `The skill "${skill.name}" has no revision ${skill.activeRevision}`);
  return summary;
}

/** By name; without `all` those in use. */
export function summariesOf(world: SkillWorld, all: boolean): SkillSummary[] {
  return summaries(world, world.stores.skills.outlines({ all }));
}

function summaries(world: SkillWorld, outlines: readonly SkillOutline[]): SkillSummary[] {
  const records = world.stores.skills.records(outlines.map(({ skill }) => skill.id));
  const now = world.clock();
  return outlines.map(({ skill, summary, whenToUse, author, steps, revisions, lastUsedAt }) => ({
    ...skill,
    summary,
    whenToUse,
    author,
    revisions,
    fullyMechanical: fullyMechanical({ steps }),
    trust: trustOfRecord(records.get(skill.id), now),
    lastUsedAt,
  }));
}

export function detailOf(world: SkillWorld, name: string, number?: number): SkillDetail {
  const skill = skillNamed(world, name);
  const { skills, trace } = world.stores;
  const revisions = skills.revisions(skill.id);
  const revision = revisions.find((one) => one.number === (number ?? skill.activeRevision));
  if (!revision) throw badInput(`"${skill.name}" has no revision ${number}; it has 1 to ${revisions.length}`);
  return {
    skill: summaryOf(world, skill),
    revision,
    revisions,
    runs: skills.runs(skill.id),
    ledger: skills.ledger(skill.id),
    evidence: revision.evidence.map((episodeId) => {
      const episode = trace.episode(episodeId);
      return { episodeId, goal: episode?.goal ?? null, conversationId: episode?.conversationId ?? null };
    }),
  };
}

type Change = Pick<LedgerEntry, "action" | "actor" | "reason" | "before" | "after" | "beforeRevision" | "afterRevision" | "undoes">;

function ledgerRow(world: SkillWorld, skillId: string, change: Change): LedgerEntry {
  return { id: world.makeId(), skillId, ...change, at: world.clock() };
}

/** A name that is free: the wish, else the wish with a number. */
export function freeName(world: SkillWorld, wish: string): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? wish : `${wish}-${count}`;
    if (!world.stores.skills.byName(name)) return name;
  }
}

/**
 * A name given for a new skill, as it is stored. Throws bad-input for what cannot be a name, "skill.name-taken" naming the other skill. Tools are no
 * matter here: a skill may be called like one, since each is called by its own id.
 */
export function nameForNew(world: SkillWorld, given: string): string {
  const name = parseSkillName(given);
  if (!name.ok) throw badInput(name.error, { field: "name" });
  requireFreeName(name.value, world.stores.skills.byName(name.value), { given });
  return name.value;
}

/** Revision 1 of a new skill, stored and made findable. */
export async function createSkill(
  world: SkillWorld,
  made: { name: string; content: RevisionContent; author: string; evidence: readonly string[]; reason: string },
  signal: AbortSignal,
): Promise<Skill> {
  const name = nameForNew(world, made.name);
  const now = world.clock();
  const id = world.makeId();
  const revision = makeRevision(made.content, { skillId: id, number: 1, author: made.author, evidence: made.evidence, createdAt: now }, world.digest);
  const skill: Skill = { id, name, status: "provisional", activeRevision: 1, pinned: false, supersededBy: null, createdAt: now, updatedAt: now };
  const entry = { action: "create", actor: made.author, reason: made.reason, before: null, after: revision.contentHash, afterRevision: 1 };
  world.stores.skills.create(skill, revision, ledgerRow(world, id, entry));
  try {
    await reindex(world, id, signal);
  } catch (error) {
    // An embedder that fails leaves no skill that cannot be found.
    world.stores.skills.erase(id, world.clock());
    throw error;
  }
  return skill;
}

export interface MadeRevision {
  readonly content: RevisionContent;
  readonly author: string;
  /** Who had it made, where that is not its author. */
  readonly actor?: string;
  readonly evidence: readonly string[];
  readonly reason: string;
}

/** A further revision, active at once. Content that says the same is refused as unchanged (TRU-10): null. */
export async function reviseSkill(world: SkillWorld, skill: Skill, made: MadeRevision, signal: AbortSignal): Promise<Revision | null> {
  const revision = addRevision(world, skill.id, made);
  if (revision) await reindex(world, skill.id, signal);
  return revision;
}

/** The writing part of `reviseSkill`, for use inside a transaction; the skill is to be indexed anew afterwards. */
export function addRevision(world: SkillWorld, skillId: string, made: MadeRevision): Revision | null {
  const { skills } = world.stores;
  // Read and written under one lock: of two processes each takes its own number, and no row says what was not so.
  return world.stores.transaction(() => {
    const skill = skillNamed(world, skillId);
    const revisions = skills.revisions(skillId);
    const active = revisions.find((revision) => revision.number === skill.activeRevision);
    const revision = makeRevision(
      made.content,
      { skillId, number: revisions.length + 1, author: made.author, evidence: made.evidence, createdAt: world.clock() },
      world.digest,
    );
    if (revision.contentHash === active?.contentHash) return null;
    const entry = {
      action: "modify",
      actor: made.actor ?? made.author,
      reason: made.reason,
      before: active?.contentHash ?? null,
      after: revision.contentHash,
      beforeRevision: skill.activeRevision,
      afterRevision: revision.number,
    };
    skills.addRevision(revision, ledgerRow(world, skillId, entry), world.clock());
    return revision;
  });
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
  setRevision(world, skill.id, number, actor);
  await reindex(world, skill.id, signal);
}

/** The writing part of `revertSkill`, for use inside a transaction; the skill is to be indexed anew afterwards. It grants nothing (SPEC 3). */
export function setRevision(world: SkillWorld, skillId: string, number: number, actor: string): void {
  const { skills } = world.stores;
  world.stores.transaction(() => {
    const skill = skillNamed(world, skillId);
    const revisions = skills.revisions(skill.id);
    const to = revisions.find((revision) => revision.number === number);
    if (!to) throw badInput(`"${skill.name}" has no revision ${number}; it has 1 to ${revisions.length}`);
    if (number === skill.activeRevision) throw badInput(`Revision ${number} of "${skill.name}" is the one in use`);
    const from = revisions.find((revision) => revision.number === skill.activeRevision);
    const entry = {
      action: "revert",
      actor,
      reason: `back to revision ${number}`,
      before: from?.contentHash ?? null,
      after: to.contentHash,
      beforeRevision: skill.activeRevision,
      afterRevision: number,
    };
    skills.setActiveRevision(skill.id, number, ledgerRow(world, skill.id, entry), world.clock());
  });
}

/** By a person: what the table of statuses allows them. Throws bad-input for the rest; the status it has already is no change. */
export function setStatus(world: SkillWorld, name: string, status: SkillStatus, actor: string, reason: string): void {
  const { skills } = world.stores;
  world.stores.transaction(() => {
    const skill = skillNamed(world, name);
    if (skill.status === status) return;
    const action = actionTowards(skill.status, status);
    if (action === null)
      throw badInput(`"${skill.name}" is ${skill.status} and cannot become ${status}${skill.status === "retired" ? "; revive it first" : ""}`);
    const changed = changeStatus(skill, action, "human");
    if (!changed.ok) throw badInput(changed.error);
    const entry = { action, actor, reason, before: statusWord(skill), after: changed.value };
    skills.setStatus(skill.id, changed.value, ledgerRow(world, skill.id, entry), world.clock());
    if (isUsable(changed.value)) settleAlerts(world, skill.id, `switched on by ${actor}`);
  });
}

/** A skill gives way to another that does the same: it is retired, and says which one took its place. Nothing of the two is united (SPEC 3.5). */
export function supersedeSkill(world: SkillWorld, name: string, byName: string, actor: string): Skill {
  const { skills } = world.stores;
  return world.stores.transaction(() => {
    const [skill, by] = [skillNamed(world, name), skillNamed(world, byName)];
    if (skill.id === by.id) throw badInput(`"${skill.name}" cannot take the place of itself`);
    if (!isUsable(by.status)) throw badInput(`"${by.name}" is ${by.status}, so it cannot take the place of another skill`);
    const changed = changeStatus(skill, "supersede", "human");
    if (!changed.ok) throw badInput(changed.error);
    const after = statusWord({ status: changed.value, supersededBy: by.id });
    const entry = { action: "supersede", actor, reason: `"${by.name}" took its place`, before: statusWord(skill), after };
    skills.setStatus(skill.id, changed.value, ledgerRow(world, skill.id, entry), world.clock(), by.id);
    return skillNamed(world, skill.id);
  });
}

/** Whether learning may change a skill that is off; a row of the ledger, where it is read again. */
export function setOpenToLearning(world: SkillWorld, skillId: string, isOpen: boolean, actor: string, reason: string): void {
  const { skills } = world.stores;
  world.stores.transaction(() => {
    const before = isOpenToLearning(skills.ledger(skillId));
    if (before === isOpen) return;
    const entry = { action: isOpen ? "learn-again" : "keep-off", actor, reason, before: learningWord(before), after: learningWord(isOpen) };
    skills.note(ledgerRow(world, skillId, entry));
  });
}

/** What an alert said of a skill that is in use again is over. */
export function settleAlerts(world: SkillWorld, skillId: string, resolution: string): void {
  const { alerts } = world.stores;
  for (const alert of alerts.list()) if (alert.kind === "drift" && alert.skillId === skillId) alerts.resolve(alert.id, resolution, world.clock());
}

export function setPinned(world: SkillWorld, name: string, pinned: boolean, actor: string): void {
  const { skills } = world.stores;
  world.stores.transaction(() => {
    const skill = skillNamed(world, name);
    if (skill.pinned === pinned) return;
    const entry = { action: pinned ? "pin" : "unpin", actor, reason: "", before: pinnedWord(skill.pinned), after: pinnedWord(pinned) };
    skills.setPinned(skill.id, pinned, ledgerRow(world, skill.id, entry), world.clock());
  });
}

/** Takes back one entry of a ledger, with an entry of its own that can be taken back again. Throws "skill.not-undone" (exit 3) where something later rests on it. */
export async function undoChange(world: SkillWorld, entryId: string, actor: string, signal: AbortSignal = AbortSignal.timeout(60_000)): Promise<Skill> {
  const { undone, skill } = world.stores.transaction(() => takeBack(world, entryId, actor));
  if (undone.kind === "revision") await reindex(world, skill.id, signal);
  return skill;
}

function takeBack(world: SkillWorld, entryId: string, actor: string): { undone: Undo; skill: Skill } {
  const { skills } = world.stores;
  const entry = skills.ledgerEntry(entryId);
  const skill = entry && skills.get(entry.skillId);
  if (!entry || !skill) throw badInput(`There is no change ${entryId}; see: knack skills history NAME`);
  const undo = undoOf(entry, skill, skills.ledger(skill.id));
  if (!undo.ok) throw new KnackError("skill.not-undone", undo.error, { exit: 3 });
  const row = (before: string | null, after: string | null, more: Partial<LedgerEntry> = {}) =>
    ledgerRow(world, skill.id, { action: "undo", actor, reason: `undo of ${entry.action}`, before, after, undoes: entry.id, ...more });
  const now = world.clock();
  switch (undo.value.kind) {
    case "revision": {
      const [from, to] = [skill.activeRevision, undo.value.revision];
      const hashOf = (number: number) => skills.revision(skill.id, number)?.contentHash ?? null;
      skills.setActiveRevision(skill.id, to, row(hashOf(from), hashOf(to), { beforeRevision: from, afterRevision: to }), now);
      break;
    }
    case "pinned":
      skills.setPinned(skill.id, undo.value.pinned, row(pinnedWord(skill.pinned), pinnedWord(undo.value.pinned)), now);
      break;
    case "learning":
      skills.note(row(learningWord(!undo.value.isOpen), learningWord(undo.value.isOpen)));
      break;
    case "status": {
      const { status } = undo.value;
      // The skill that took its place may have been erased since.
      const supersededBy = undo.value.supersededBy !== null && skills.get(undo.value.supersededBy) ? undo.value.supersededBy : null;
      skills.setStatus(skill.id, status, row(statusWord(skill), statusWord({ status, supersededBy })), now, supersededBy);
      if (isUsable(status)) settleAlerts(world, skill.id, `switched on by ${actor}`);
    }
  }
  return { undone: undo.value, skill: skillNamed(world, skill.id) };
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

/** Which skill a goal would recall, and why, as a turn without a folder would; the model is asked only where a condition in words decides. */
export async function matchGoal(world: SkillWorld & { readonly model?: () => Promise<LanguageModel> }, goal: string, signal: AbortSignal): Promise<Recall> {
  if (goal.trim() === "") throw badInput('Say the task to look for, for example: knack skills match "download my bill"');
  const embedder = await world.embedder();
  if (!embedder)
    throw new KnackError("model.missing", "No embedding model is on this machine, so nothing can be recalled. Get one with: knack models get all-minilm-l6-v2");
  const { skills, vectors, grants } = world.stores;
  const match = await matchSkill(
    goal,
    {
      skills,
      vectors,
      embedder,
      model: world.model ?? null,
      state: {},
      hasTool: (id) => toolRegistry.has(id),
      envelope: envelopeOf(grants.list()),
      fileExists: null,
      now: world.clock(),
    },
    signal,
  );
  return match.recall;
}
