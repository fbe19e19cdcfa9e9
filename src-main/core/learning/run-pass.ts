import { clip } from "#base/text.ts";
import type { PassEntry, PassReport } from "#contract/learning/schema.ts";
import { leftForNextPass } from "#contract/learning/words.ts";
import type { RevisionContent } from "#contract/skills/schema.ts";
import type { ClusterStore, StoredCluster } from "../ports/cluster-store.ts";
import { type Embedder, embedderKeyText } from "../ports/embedder.ts";
import type { LanguageModel } from "../ports/language-model.ts";
import type { Log } from "../ports/log.ts";
import type { Stores } from "../ports/stores.ts";
import { type Aligned, align, dayOf, generalised } from "./align.ts";
import { whyNot } from "./cluster.ts";
import { collect, type LearnableEpisode } from "./collect.ts";
import { distil, UnreadableWording, type Wording } from "./distil.ts";
import { contentFrom } from "./draft.ts";
import { clusterTouched, readChanges } from "./group-episodes.ts";
import { withoutPersonal, withoutPersonalText } from "./personal.ts";
import { tellStep } from "./tell-step.ts";
import { type Limits, whatIsMissing, whyNotPublish } from "./verify.ts";

export interface Candidate {
  readonly name: string;
  readonly content: RevisionContent;
  readonly evidence: readonly string[];
}

/** What became of a candidate, and the skill it is about. */
export interface Decided {
  readonly decision: PassEntry["decision"];
  readonly reason: string;
  readonly skillId: string | null;
  readonly skillName: string | null;
}

export interface PassWorld {
  readonly stores: Stores;
  readonly embedder: Embedder;
  readonly model: () => Promise<LanguageModel>;
  readonly log: Log;
  readonly clock: () => number;
  readonly makeId: () => string;
  readonly limits: Limits;
  /** Called between small pieces of work, so that others get their turn; waits as long as they need. */
  readonly pause?: () => Promise<void> | undefined;
  /** Told what the pass turns to next. */
  readonly onStage?: (stage: string) => void;
  /** Why a run is no evidence any more, null while it is: the routine it followed has stopped working since. Null where that is so of no run. */
  readonly whyOutdated: () => ((run: LearnableEpisode) => string | null) | null;
  /** Milliseconds a distillation may take; two minutes unless told otherwise. */
  readonly distilWithin?: number;
  /** What `publish` would leave unchanged, and why, however the candidate is worded; null where it would add or change something. */
  readonly whyUnchanged: (candidate: Candidate, signal: AbortSignal) => Promise<Decided | null>;
  /** Stores a candidate as ADD, UPDATE or NOOP, and says which; null where what it was learned from was erased or judged otherwise meanwhile. */
  readonly publish: (candidate: Candidate, signal: AbortSignal) => Promise<Decided | null>;
  /** What of a skill decides whether it may be learned (again), in one text; it is gone where the skill is. */
  readonly stampOf: (skillId: string) => string;
}

/** A name and a sentence take seconds; a model that has not answered by then does not answer (IND-10). */
const distilWithin = 120_000;
/** Clusters and distillations a pass may work on (SPEC 4). */
const maxClusters = 10;
const maxDistillations = 2;
/** Successful runs of a cluster that are aligned, the newest: they say how it is done now. */
const mostAligned = 20;
/** Least mean similarity of goals in a cluster where the embedder was not calibrated; the way of doing it must agree as well, so this may be lower than for recall. */
const uncalibratedSimilarity = 0.4;

export interface PassOptions {
  readonly dryRun: boolean;
  readonly maxDistillations?: number;
  readonly maxClusters?: number;
  /** What the report says beside its entries. */
  readonly note?: string;
  /**
   * What a dream did before the pass, which ends its report. Then only clusters are worked on in which the conversations dreamt of have a part, and in
   * which all conversations have come to rest: the others stay as they are.
   */
  readonly dream?: Pick<PassReport, "id" | "startedAt" | "entries"> & {
    readonly dream: NonNullable<PassReport["dream"]>;
    readonly rests: (conversationId: string) => boolean;
  };
}

/**
 * One learning pass: collect → detect → cluster → align → distil → verify → publish → report. It reads what changed since the last one and works on the
 * clusters that this touched or that are left from earlier passes. Whatever it has done is kept at once, so that an aborted pass is taken up again where
 * it stopped. A dry run keeps what it read, but nothing of what it found, and tells of everything that is open.
 */
export async function runPass(world: PassWorld, options: PassOptions, signal: AbortSignal): Promise<PassReport> {
  const { stores, clock } = world;
  const startedAt = options.dream?.startedAt ?? clock();
  const breathe = async (): Promise<void> => {
    await world.pause?.();
    signal.throwIfAborted();
  };
  const goalSimilarity = stores.calibrations.of(embedderKeyText(world.embedder.key))?.cluster ?? uncalibratedSimilarity;
  world.onStage?.("while reading what was done");
  const episodesRead = await readChanges(world, goalSimilarity, breathe, signal);
  world.onStage?.("while comparing what is alike");
  await clusterTouched(world, goalSimilarity, breathe);
  reopenChanged(world);
  world.onStage?.("while working out routines");
  const worked = await workOnClusters(world, options, breathe, signal);
  const isOfDream = dreamFilter(world, options);
  // What was erased while the pass went on is not told of.
  const isKept = ({ episodes }: PassEntry): boolean => episodes.every((id) => stores.trace.episode(id) !== undefined);
  const { entries, ids } = entriesOf(stores.clusters, worked, { dryRun: options.dryRun, isTold: isOfDream, isKept });
  const report: PassReport = {
    id: options.dream?.id ?? world.makeId(),
    startedAt,
    endedAt: clock(),
    dryRun: options.dryRun,
    episodesRead: options.dream ? episodesOf(world, options.dream) : episodesRead,
    entries: [...(options.dream?.entries ?? []), ...entries.map(withoutPersonalEntry)],
    note: [options.note ?? "", worked.note].filter((text) => text !== "").join(" "),
    ...(options.dream ? { dream: options.dream.dream } : {}),
  };
  if (!options.dryRun) {
    stores.transaction(() => {
      stores.learning.addReport(report);
      stores.clusters.markTold(ids);
    });
  }
  return report;
}

/** A skill that was asked to be learned again, switched on or erased since: what was decided by it is decided anew. */
function reopenChanged({ stores, stampOf }: PassWorld): void {
  for (const { skillId, stamp } of stores.clusters.stamps()) if (stampOf(skillId) !== stamp) stores.clusters.reopen(skillId, stamp);
}

interface Worked {
  /** Of episodes that are no evidence any more. */
  readonly outdated: PassEntry[];
  /** What a dry run found, by cluster. */
  readonly found: Map<number, PassEntry>;
  readonly note: string;
}

/** Works on as many clusters as the budget allows. What is decided is stored with each, except in a dry run. */
async function workOnClusters(world: PassWorld, options: PassOptions, breathe: () => Promise<void>, signal: AbortSignal): Promise<Worked> {
  const { clusters } = world.stores;
  const outdated: PassEntry[] = [];
  const found = new Map<number, PassEntry>();
  const whyOutdated = world.whyOutdated();
  let distillations = options.maxDistillations ?? maxDistillations;
  let note = "";
  const isOfDream = dreamFilter(world, options);
  const waiting = options.dream ? clusters.toWork(Number.MAX_SAFE_INTEGER).filter(isOfDream) : clusters.toWork(options.maxClusters ?? maxClusters);
  for (const stored of waiting.slice(0, options.maxClusters ?? maxClusters)) {
    await breathe();
    const { goal, episodes } = stored;
    const decide = (state: "settled" | "blocked" | "short", decided: Decided): void => {
      const { skillId, skillName, decision, reason } = decided;
      if (options.dryRun) found.set(stored.id, { goal, episodes: [...episodes], decision, reason, skillName });
      else clusters.decide(stored.id, { ...decided, state, stamp: skillId === null ? null : world.stampOf(skillId) });
    };
    const skip = (reason: string, state: "settled" | "blocked" | "short" = "settled"): void =>
      decide(state, { decision: "skipped", reason, skillId: null, skillName: null });
    const evidence = await evidenceOf(world, stored, whyOutdated, breathe);
    outdated.push(...evidence.outdated);
    if (evidence.unfit !== null) {
      skip(evidence.unfit, "short");
      continue;
    }
    const { runs } = evidence;
    const [first] = runs;
    const aligned = align(runs);
    await breathe();
    if (!first || !aligned.ok) {
      skip(aligned.ok ? "no successful run" : aligned.error);
      continue;
    }
    const day = dayOf(first);
    const content = withoutPersonal({ ...contentFrom(first.episode.goal, aligned.value), bindings: aligned.value.bindings });
    const missing = whatIsMissing(content, world.limits);
    if (missing !== null) {
      skip(missing, "blocked");
      continue;
    }
    // What is known already need not be verified or worded: that is most of what a person does again and again.
    const ids = runs.map(({ episode }) => episode.id);
    const unchanged = await world.whyUnchanged({ name: "", content, evidence: ids }, signal);
    if (unchanged !== null) {
      decide("settled", unchanged);
      continue;
    }
    const unpublished = await whyNotPublish(content, runs, world.limits, breathe);
    if (unpublished !== null) {
      skip(unpublished);
      continue;
    }
    if (distillations <= 0) continue;
    distillations--;
    const worded = await wordingOf(world, content, aligned.value.values, day, signal);
    if (worded.kind === "stopped") {
      note = worded.note;
      world.log.warn("pass-stopped", { error: worded.error });
      break;
    }
    if (worded.kind === "skipped") {
      if (worded.error) world.log.warn("cluster-skipped", { episodes: ids });
      skip(worded.reason);
      continue;
    }
    const { name, whenToUse } = worded.wording;
    if (options.dryRun) {
      const reason = `would be learned from ${runs.length} successful runs, ${content.steps.length} steps`;
      decide("settled", { decision: "added", reason, skillId: null, skillName: name });
      continue;
    }
    const published = await world.publish({ name, content: { ...content, whenToUse, summary: clip(whenToUse, 200) }, evidence: ids }, signal);
    if (published !== null) decide("settled", published);
  }
  return { outdated, found, note };
}

/** The successful runs of a cluster that still say how it is done, the newest of them; `unfit` where too little is left. */
async function evidenceOf(
  { stores }: PassWorld,
  { episodes }: StoredCluster,
  whyOutdated: ((run: LearnableEpisode) => string | null) | null,
  breathe: () => Promise<void>,
): Promise<{ runs: LearnableEpisode[]; outdated: PassEntry[]; unfit: string | null }> {
  const outdated: PassEntry[] = [];
  const left = [];
  for (const id of episodes) {
    const episode = stores.trace.episode(id);
    if (!episode) continue;
    const collected = whyOutdated === null ? null : collect(stores.trace, episode);
    const reason = collected?.kind === "run" ? (whyOutdated?.(collected.run) ?? null) : null;
    if (reason === null) left.push(episode);
    else outdated.push({ goal: episode.goal, episodes: [id], decision: "skipped", reason, skillName: null });
    await breathe();
  }
  const newest = left
    .filter(({ outcome }) => outcome === "success")
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
    .slice(0, mostAligned);
  const runs: LearnableEpisode[] = [];
  for (const episode of newest) {
    const collected = collect(stores.trace, episode);
    if (collected.kind === "run") {
      generalised(collected.run);
      runs.push(collected.run);
    }
    await breathe();
  }
  runs.sort((a, b) => (`${a.episode.goal}\n${a.episode.id}` < `${b.episode.goal}\n${b.episode.id}` ? -1 : 1));
  // An answer that was asked for once more in a branch is no second conversation.
  const unfit = whyNot(left.map(({ outcome, conversationId }) => ({ outcome, conversationId: stores.conversations.familyOf(conversationId) })));
  return { runs, outdated, unfit };
}

type Worded =
  | { readonly kind: "worded"; readonly wording: Wording }
  | { readonly kind: "skipped"; readonly reason: string; readonly error: boolean }
  | { readonly kind: "stopped"; readonly note: string; readonly error: unknown };

/** What cannot be read costs this cluster; a model that is missing or fails costs the pass. */
async function wordingOf(world: PassWorld, content: RevisionContent, values: Aligned["values"], day: Date, signal: AbortSignal): Promise<Worded> {
  let model: LanguageModel;
  try {
    model = await world.model();
  } catch (error) {
    signal.throwIfAborted();
    return { kind: "stopped", note: `The pass stopped: the model is not available (${error instanceof Error ? error.message : String(error)}).`, error };
  }
  try {
    const wording = await within(world.distilWithin ?? distilWithin, signal, (inner) =>
      distil(
        content.bindings.map((binding) => binding.goal),
        content.steps.map((step) => tellStep(step, content.bindings)),
        [...new Set([...Object.values(values), ...content.bindings.flatMap(({ inputs }) => Object.values(inputs))])],
        content.whenToUse,
        day,
        model,
        inner,
      ),
    );
    return wording ? { kind: "worded", wording } : { kind: "skipped", reason: "the model saw no common task (SKIP)", error: false };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof UnreadableWording) return { kind: "skipped", reason: error.message, error: true };
    return { kind: "stopped", note: `The pass stopped: the model failed (${error instanceof Error ? error.message : String(error)}).`, error };
  }
}

/** Which clusters a dream is about; all of them in any other pass. */
function dreamFilter({ stores }: PassWorld, { dream }: PassOptions): (cluster: StoredCluster) => boolean {
  if (!dream) return () => true;
  const dreamt = new Set(dream.dream.conversations.map(({ id }) => id));
  return ({ episodes }) => {
    const conversations = episodes.flatMap((id) => stores.trace.episode(id)?.conversationId ?? []);
    return conversations.some((id) => dreamt.has(id)) && conversations.every(dream.rests);
  };
}

/** Episodes of the conversations dreamt of that something can be learned from, or that are left out by their length. */
function episodesOf({ stores: { trace } }: PassWorld, { dream }: NonNullable<PassOptions["dream"]>): number {
  return dream.conversations.flatMap(({ id }) => trace.episodesOf(id)).filter((episode) => collect(trace, episode).kind !== "none").length;
}

function withoutPersonalEntry(entry: PassEntry): PassEntry {
  return { ...entry, goal: withoutPersonalText(entry.goal), reason: withoutPersonalText(entry.reason) };
}

/** What the report tells: of a pass what no report told yet, of a dry run everything that is open; the largest clusters first. */
function entriesOf(
  clusters: ClusterStore,
  { outdated, found }: Worked,
  {
    dryRun,
    isTold,
    isKept,
  }: { readonly dryRun: boolean; readonly isTold: (cluster: StoredCluster) => boolean; readonly isKept: (entry: PassEntry) => boolean },
): { entries: PassEntry[]; ids: number[] } {
  const told = (dryRun ? clusters.open() : clusters.untold()).filter(isTold);
  const entries = told
    .map((stored): PassEntry => {
      const { goal, episodes, decision, state, skillName } = stored;
      const isLeft = state === "waiting";
      const reason = isLeft ? leftForNextPass : stored.reason;
      return found.get(stored.id) ?? { goal, episodes: [...episodes], decision: isLeft ? "skipped" : decision, reason, skillName: isLeft ? null : skillName };
    })
    .sort((a, b) => b.episodes.length - a.episodes.length);
  return { entries: [...outdated.filter(isKept), ...entries], ids: told.map(({ id }) => id) };
}

/** Fails when the work has not ended by then, also where it does not listen to its signal. */
async function within<T>(milliseconds: number, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const inner = AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]);
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(inner.reason as Error);
  inner.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work(inner), promise]);
  } finally {
    inner.removeEventListener("abort", stop);
  }
}
