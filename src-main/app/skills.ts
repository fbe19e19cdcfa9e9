import { clip } from "#base/text.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import type { Settings } from "#contract/settings/schema.ts";
import type { Evidence } from "#contract/skills/explain.ts";
import type { LedgerEntry, Recall, Revision, RevisionContent, Skill, SkillStatus, SkillSummary, Trust } from "#contract/skills/schema.ts";
import { envelopeOf } from "#core/envelope/index.ts";
import type { Digest, Embedder, LanguageModel, SkillOutline, Stores } from "#core/ports/index.ts";
import { indexSkill, matchSkill } from "#core/recall/index.ts";
import {
  actionTowards,
  changeStatus,
  cleanContent,
  contentHash,
  countingRuns,
  diffBodies,
  freeSkillName,
  freezeState,
  fullyMechanical,
  isAuthored,
  isOpenToLearning,
  isUsable,
  learningWord,
  makeRevision,
  mayAssist,
  modeWord,
  newSkill,
  parseSkillName,
  pinnedWord,
  readStatusWord,
  requireFreeName,
  requireWhole,
  type StatusActor,
  statusWord,
  trustOf,
  trustOfRecord,
  type Undo,
  undoOf,
} from "#core/skills/index.ts";
import { type Tool, toolRegistry } from "#core/tools/index.ts";
import type { SkillDetail } from "./agent.ts";
import { endReview, holdChange, raiseReview, waitsForReview } from "./review.ts";

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
  const { skills } = world.stores;
  const mapped = parseSkillName(name);
  const skill = skills.byName(name) ?? skills.get(name) ?? (mapped.ok ? skills.byName(mapped.value) : undefined);
  if (!skill) throw badInput(`There is no skill "${clip(name, 80)}"; see: knack skills list --all`);
  return skill;
}

/** Skills of packs are changed by a person only (SPEC 3.1). */
export function isOfPack({ stores }: Pick<SkillWorld, "stores">, skillId: string): boolean {
  return stores.skills.revisions(skillId).some(({ author }) => isAuthored(author));
}

/** Throws where a showing cannot take the place of what this skill does. */
export function requireTeachable(world: SkillWorld, name: string): Skill {
  const skill = skillNamed(world, name);
  if (isOfPack(world, skill.id)) throw new KnackError("skill.authored", `"${skill.name}" belongs to a pack; what is learned cannot change it.`, { exit: 3 });
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

/** The trust of one revision as recall sees it: what counts against it, and what was forgiven. */
function trustIn(world: SkillWorld, skillId: string, revision: number): Trust {
  const { skills } = world.stores;
  return trustOf(countingRuns(skills.runs(skillId, revision), skills.ledger(skillId), world.clock()), world.clock());
}

export function detailOf(world: SkillWorld, name: string, number?: number): SkillDetail {
  const skill = skillNamed(world, name);
  const { skills } = world.stores;
  const revisions = skills.revisions(skill.id);
  const revision = revisions.find((one) => one.number === (number ?? skill.activeRevision));
  if (!revision) throw badInput(`"${skill.name}" has no revision ${number}; it has 1 to ${revisions.length}`);
  return {
    skill: summaryOf(world, skill),
    revision,
    revisions,
    runs: skills.runs(skill.id),
    records: skills.revisions(skill.id).map((one) => ({ revision: one.number, ...trustIn(world, skill.id, one.number) })),
    ledger: skills.ledger(skill.id),
    file: world.stores.skillFiles.of(skill.id, revision.number) ?? null,
    evidence: [...shownFor(world, revision, revisions), ...evidenceOf(world, revision)],
  };
}

/** What a person showed for a skill until it went on to the next revision; of what stands for a showing, its episode is evidence already. */
function shownFor({ stores: { learning } }: SkillWorld, { skillId, number }: Revision, revisions: readonly Revision[]): Evidence[] {
  const until = revisions.find((one) => one.number === number + 1)?.createdAt ?? Number.POSITIVE_INFINITY;
  return learning
    .showingsOf(skillId)
    .filter(({ createdAt, episodeId, status }) => status === "confirmed" && createdAt < until && episodeId === undefined)
    .map(({ id, goal, createdAt }) => ({ episodeId: id, goal, conversationId: null, at: createdAt, fate: "kept", isShown: true }));
}

/** What a revision was learned from, and what became of it. */
function evidenceOf({ stores: { trace } }: SkillWorld, { evidence }: Revision): Evidence[] {
  const gone = new Map(trace.gone(evidence).map((one) => [one.id, one]));
  return evidence.map((episodeId) => {
    const episode = trace.episode(episodeId);
    if (episode) return { episodeId, goal: episode.goal, conversationId: episode.conversationId, at: episode.createdAt, fate: "kept" };
    const { how = "pruned", at = null } = gone.get(episodeId) ?? {};
    return { episodeId, goal: null, conversationId: null, at, fate: how };
  });
}

type Change = Pick<LedgerEntry, "action" | "actor" | "reason" | "before" | "after" | "beforeRevision" | "afterRevision" | "undoes">;

export function ledgerRow(world: SkillWorld, skillId: string, change: Change): LedgerEntry {
  return { id: world.makeId(), skillId, ...change, at: world.clock() };
}

/** A name that is free: the wish, else the wish with a number. */
export function freeName(world: SkillWorld, wish: string): string {
  return freeSkillName(wish, (name) => world.stores.skills.byName(name) !== undefined);
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

interface MadeSkill {
  readonly name: string;
  readonly content: RevisionContent;
  readonly author: string;
  readonly evidence: readonly string[];
  readonly reason: string;
  /** Called under the lock that the skill is written under, before it is: where what it rests on changed meanwhile it throws, and nothing is written. */
  readonly requireStill?: () => void;
  /** What is written in the same transaction, and what takes that back where the skill could not be made findable and goes again. */
  readonly alongside?: { readonly write: (skill: Skill) => void; readonly undo: () => void };
}

/** Revision 1 of a new skill, stored and made findable; one by the agent waits switched off where the user wants to review it. */
export async function createSkill(world: SkillWorld, made: MadeSkill, signal: AbortSignal): Promise<Skill> {
  const name = nameForNew(world, made.name);
  const now = world.clock();
  const id = world.makeId();
  const revision = makeRevision(made.content, { skillId: id, number: 1, author: made.author, evidence: made.evidence, createdAt: now }, world.digest);
  const waits = waitsForReview(world, made.author);
  const skill = newSkill(id, name, waits ? "disabled" : "provisional", now);
  const entry = { action: "create", actor: made.author, reason: made.reason, before: null, after: revision.contentHash, afterRevision: 1 };
  world.stores.transaction(() => {
    made.requireStill?.();
    world.stores.skills.create(skill, revision, ledgerRow(world, id, entry));
    if (waits) raiseReview(world, skill);
    made.alongside?.write(skill);
  });
  try {
    await reindex(world, id, signal);
  } catch (error) {
    // An embedder that fails leaves no skill that cannot be found. Somebody may have erased it meanwhile.
    world.stores.transaction(() => {
      made.alongside?.undo();
      if (world.stores.skills.get(id)) world.stores.skills.erase(id, world.clock());
    });
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
  /** As for a new skill. */
  readonly requireStill?: () => void;
}

/**
 * A further revision, active at once. Content that says the same is refused as unchanged (TRU-10): null. Throws "skill.waits" where it was kept as a
 * proposal instead.
 */
export async function reviseSkill(world: SkillWorld, skill: Skill, made: MadeRevision, signal: AbortSignal): Promise<Revision | null> {
  const active = world.stores.skills.revision(skill.id, skill.activeRevision);
  const isSame = active !== undefined && contentHash(cleanContent(made.content), world.digest) === active.contentHash;
  const held = made.actor === undefined && !isSame ? holdChange(world, skill, active, made) : null;
  if (held !== null) throw held;
  const revision = addRevision(world, skill.id, made);
  if (revision) await reindexChanged(world, skill.id, signal);
  return revision;
}

/** The writing part of `reviseSkill`, for use inside a transaction; the skill is to be indexed anew afterwards. */
export function addRevision(world: SkillWorld, skillId: string, made: MadeRevision): Revision | null {
  const { skills } = world.stores;
  // Read and written under one lock: of two processes each takes its own number, and no row says what was not so.
  return world.stores.transaction(() => {
    made.requireStill?.();
    const skill = skillNamed(world, skillId);
    const revisions = skills.revisions(skillId);
    const pack = revisions.find(({ author }) => isAuthored(author))?.author;
    if (pack !== undefined && made.author !== pack)
      throw badInput(`"${skill.name}" belongs to the pack "${packOf(pack)}"; it is changed by its file there alone. Make a skill of your own instead.`);
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
    world.stores.vectors.remove(skillId);
    return revision;
  });
}

/**
 * Makes the revision in use findable. What changed it took the words of the one before out of the index in the same transaction, so that a process
 * that ends in between leaves none of them: recall then reads the new ones when it is next asked.
 */
export async function reindex(world: SkillWorld, skillId: string, signal: AbortSignal): Promise<void> {
  const embedder = await world.embedder();
  if (embedder) await indexSkill(skillId, { skills: world.stores.skills, vectors: world.stores.vectors, embedder, now: world.clock() }, signal);
}

/** After a change that stands: throws "skill.unindexed" where the new words could not be read, and says that the change was made. */
export async function reindexChanged(world: SkillWorld, skillId: string, signal: AbortSignal): Promise<void> {
  try {
    await reindex(world, skillId, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    const name = world.stores.skills.get(skillId)?.name ?? skillId;
    const why = error instanceof Error ? error.message : String(error);
    throw new KnackError("skill.unindexed", `"${name}" was changed, but it is not recalled until the embedding model can read it (${why}).`, { cause: error });
  }
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
  await reindexChanged(world, skill.id, signal);
}

/** The writing part of `revertSkill`, for use inside a transaction; the skill is to be indexed anew afterwards. It grants nothing (SPEC 3). */
export function setRevision(world: SkillWorld, skillId: string, number: number, actor: string): void {
  const { skills } = world.stores;
  world.stores.transaction(() => {
    const skill = skillNamed(world, skillId);
    const revisions = skills.revisions(skill.id);
    const to = revisions.find((revision) => revision.number === number);
    if (!to) throw badInput(`"${skill.name}" has no revision ${number}; it has 1 to ${revisions.length}`);
    requireWhole(skill.name, to);
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
    world.stores.vectors.remove(skill.id);
  });
}

/** What the table of statuses allows this kind of actor. Throws bad-input for the rest; the status it has already is no change, nor is enabling what is in use. */
export function setStatus(world: SkillWorld, name: string, status: SkillStatus, actor: string, reason: string, by: StatusActor = "human"): void {
  const { skills } = world.stores;
  world.stores.transaction(() => {
    const skill = skillNamed(world, name);
    if (skill.status === status || (status === "active" && isUsable(skill.status))) return;
    if (isUsable(status) && isWithdrawn(world, skill))
      throw badInput(`The file of "${skill.name}" is gone from its pack; put it back, and the skill is there again.`);
    if (isUsable(status)) requireWhole(skill.name, skills.revision(skill.id, skill.activeRevision));
    const action = actionTowards(skill.status, status);
    if (action === null)
      throw badInput(`"${skill.name}" is ${skill.status} and cannot become ${status}${skill.status === "retired" ? "; revive it first" : ""}`);
    const changed = changeStatus({ ...skill, isAuthored: isOfPack(world, skill.id) }, action, by);
    if (!changed.ok) throw badInput(changed.error);
    const entry = { action, actor, reason, before: statusWord(skill), after: changed.value };
    skills.setStatus(skill.id, changed.value, ledgerRow(world, skill.id, entry), world.clock());
    if (isUsable(changed.value)) settleAlerts(world, skill.id, `switched on by ${actor}`);
    endReview(world, skill, changed.value);
  });
}

/** A skill gives way to another that does the same: it is retired, and says which one took its place. Nothing of the two is united (SPEC 3.5). */
export function supersedeSkill(world: SkillWorld, name: string, byName: string, actor: string): Skill {
  const { skills } = world.stores;
  return world.stores.transaction(() => {
    const [skill, by] = [skillNamed(world, name), skillNamed(world, byName)];
    if (skill.id === by.id) throw badInput(`"${skill.name}" cannot take the place of itself`);
    const packed = [skill, by].find(({ id }) => isOfPack(world, id));
    if (packed)
      throw new KnackError("skill.authored", `"${packed.name}" belongs to a pack and takes no part in this; retire the other one, or disable it.`, { exit: 3 });
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

/** Whether it is retired because its file is gone from its pack: it comes back with the file, as it was. */
export function isWithdrawn(world: SkillWorld, skill: Skill): boolean {
  return skill.status === "retired" && statusRow(world, skill.id)?.action === "withdraw";
}

/** The newest change of a skill's status. */
export function statusRow(world: SkillWorld, skillId: string): LedgerEntry | undefined {
  return world.stores.skills.ledger(skillId).findLast(({ after }) => readStatusWord(after) !== null);
}

/** "office" of "authored:office". */
function packOf(author: string): string {
  return author.slice(author.indexOf(":") + 1);
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

/** How a skill is followed unless a turn says otherwise; one that is not trusted yet is not driven (SPEC 3.7). */
export function setMode(world: SkillWorld, name: string, mode: Skill["mode"], actor: string): void {
  const { skills } = world.stores;
  world.stores.transaction(() => {
    const skill = skillNamed(world, name);
    if (skill.mode === mode) return;
    const { trust } = summaryOf(world, skill).trust;
    if (mode === "assisted" && !mayAssist(trust))
      throw new KnackError(
        "skill.untrusted",
        `"${skill.name}" has a trust of ${trust.toFixed(2)}; it can be driven with assistance from 0.70 on, which a few more successful runs bring.`,
        { exit: 3 },
      );
    const entry = { action: "mode", actor, reason: "", before: modeWord(skill.mode), after: modeWord(mode) };
    skills.setMode(skill.id, mode, ledgerRow(world, skill.id, entry), world.clock());
  });
}

/** Takes back one entry of a ledger, with an entry of its own that can be taken back again. Throws "skill.not-undone" (exit 3) where something later rests on it. */
export async function undoChange(world: SkillWorld, entryId: string, actor: string, signal: AbortSignal = AbortSignal.timeout(60_000)): Promise<Skill> {
  const { undone, skill } = world.stores.transaction(() => takeBack(world, entryId, actor));
  if (undone.kind === "revision") await reindexChanged(world, skill.id, signal);
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
      requireWhole(skill.name, skills.revision(skill.id, to));
      const hashOf = (number: number) => skills.revision(skill.id, number)?.contentHash ?? null;
      skills.setActiveRevision(skill.id, to, row(hashOf(from), hashOf(to), { beforeRevision: from, afterRevision: to }), now);
      world.stores.vectors.remove(skill.id);
      break;
    }
    case "pinned":
      skills.setPinned(skill.id, undo.value.pinned, row(pinnedWord(skill.pinned), pinnedWord(undo.value.pinned)), now);
      break;
    case "mode":
      skills.setMode(skill.id, undo.value.mode, row(modeWord(skill.mode), modeWord(undo.value.mode)), now);
      break;
    case "learning":
      skills.note(row(learningWord(!undo.value.isOpen), learningWord(undo.value.isOpen)));
      break;
    case "status": {
      const { status } = undo.value;
      if (isUsable(status)) requireWhole(skill.name, skills.revision(skill.id, skill.activeRevision));
      // The skill that took its place may have been erased since.
      const supersededBy = undo.value.supersededBy !== null && skills.get(undo.value.supersededBy) ? undo.value.supersededBy : null;
      skills.setStatus(skill.id, status, row(statusWord(skill), statusWord({ status, supersededBy })), now, supersededBy);
      if (isUsable(status)) settleAlerts(world, skill.id, `switched on by ${actor}`);
      endReview(world, skill, status);
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
  const { skills, vectors, calibrations, grants } = world.stores;
  const match = await matchSkill(
    goal,
    {
      skills,
      vectors,
      calibrations,
      embedder,
      model: world.model ?? null,
      state: freezeState(world.state?.() ?? {}),
      hasTool: (id) => (world.tools ?? toolRegistry).has(id),
      envelope: envelopeOf(grants.list()),
      fileExists: null,
      now: world.clock(),
    },
    signal,
  );
  return match.recall;
}
