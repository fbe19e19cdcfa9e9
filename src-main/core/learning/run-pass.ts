import { clip } from "#base/text.ts";
import type { PassEntry, PassReport } from "#contract/learning/schema.ts";
import type { RevisionContent } from "#contract/skills/schema.ts";
import type { Embedder } from "../ports/embedder.ts";
import type { LanguageModel } from "../ports/language-model.ts";
import type { Log } from "../ports/log.ts";
import type { Stores } from "../ports/stores.ts";
import { recallText } from "../skills/index.ts";
import { align, dayOf } from "./align.ts";
import { cluster, type EmbeddedEpisode, whyNot } from "./cluster.ts";
import { collect, type LearnableEpisode } from "./collect.ts";
import { distil, UnreadableWording, type Wording } from "./distil.ts";
import { contentFrom } from "./draft.ts";
import { type Limits, whyNotPublish } from "./verify.ts";

export interface PassWorld {
  readonly stores: Stores;
  readonly embedder: Embedder;
  readonly model: () => Promise<LanguageModel>;
  readonly log: Log;
  readonly clock: () => number;
  readonly makeId: () => string;
  readonly limits: Limits;
  /** Why a run is no evidence any more, null while it is: the routine it followed has stopped working since. */
  readonly whyOutdated: (run: LearnableEpisode) => string | null;
  /** Milliseconds a distillation may take; two minutes unless told otherwise. */
  readonly distilWithin?: number;
  /** Stores a candidate as ADD, UPDATE or NOOP, and says which. */
  readonly publish: (
    candidate: { name: string; content: RevisionContent; evidence: readonly string[] },
    signal: AbortSignal,
  ) => Promise<{ decision: PassEntry["decision"]; reason: string; skillName: string | null }>;
}

export interface PassOptions {
  readonly dryRun: boolean;
  readonly maxDistillations?: number;
  /** What a dream did before the pass, which ends its report; then only what these conversations have a part in is worked on. */
  readonly dream?: Pick<PassReport, "id" | "startedAt" | "entries"> & { readonly dream: NonNullable<PassReport["dream"]> };
}

/** A name and a sentence take seconds; a model that has not answered by then does not answer (IND-10). */
const distilWithin = 120_000;
/** Clusters and distillations a pass may work on (SPEC 4). */
const maxClusters = 10;
const maxDistillations = 2;
/** Least mean similarity of goals in a cluster; the way of doing it must agree as well, so this may be lower than for recall. */
const goalSimilarity = 0.4;

/** One learning pass: collect → detect → cluster → align → distil → verify → publish → report. A dry run stores nothing. */
export async function runPass(world: PassWorld, options: PassOptions, signal: AbortSignal): Promise<PassReport> {
  const { stores, clock } = world;
  const startedAt = options.dream?.startedAt ?? clock();
  const entries: PassEntry[] = [...(options.dream?.entries ?? [])];
  const dreamt = options.dream && new Set(options.dream.dream.conversations.map(({ id }) => id));
  const isLookedAt = ({ conversationId }: { readonly conversationId: string }): boolean => dreamt?.has(conversationId) ?? true;
  let note = "";
  const collected = collect(stores.trace, 0);
  const leftOut = [...collected.leftOut];
  const episodes = collected.episodes.filter((run) => {
    const reason = world.whyOutdated(run);
    if (reason !== null) leftOut.push({ episode: run.episode, reason });
    return reason === null;
  });
  for (const { episode, reason } of leftOut)
    if (isLookedAt(episode)) entries.push({ goal: episode.goal, episodes: [episode.id], decision: "skipped", reason, skillName: null });

  const vectors =
    episodes.length === 0
      ? []
      : await world.embedder.embed(
          episodes.map((run) => recallText(run.episode.goal, dayOf(run))),
          "clustering",
          signal,
        );
  const embedded = episodes.flatMap((episode, index): EmbeddedEpisode[] => (vectors[index] ? [{ ...episode, vector: vectors[index] }] : []));
  const clusters = cluster(embedded, goalSimilarity).sort((a, b) => b.length - a.length);
  let distillations = 0;
  for (const [index, members] of clusters.filter((all) => all.some(({ episode }) => isLookedAt(episode))).entries()) {
    signal.throwIfAborted();
    const goal = members[0]?.episode.goal ?? "";
    const ids = members.map(({ episode }) => episode.id);
    const skip = (reason: string): void => void entries.push({ goal, episodes: ids, decision: "skipped", reason, skillName: null });
    const unfit = whyNot(members);
    if (unfit !== null) {
      skip(unfit);
      continue;
    }
    if (index >= maxClusters) {
      skip("left for the next pass");
      continue;
    }
    const runs = members.filter(({ episode }) => episode.outcome === "success");
    const aligned = align(runs);
    if (!aligned.ok) {
      skip(aligned.error);
      continue;
    }
    const [first] = runs;
    if (!first) continue;
    const day = dayOf(first);
    const content: RevisionContent = { ...contentFrom(first.episode.goal, aligned.value, day), bindings: aligned.value.bindings };
    const unpublished = whyNotPublish(content, runs, world.limits);
    if (unpublished !== null) {
      skip(unpublished);
      continue;
    }
    if (distillations >= (options.maxDistillations ?? maxDistillations)) {
      skip("left for the next pass");
      continue;
    }
    distillations++;
    let model: LanguageModel;
    try {
      model = await world.model();
    } catch (error) {
      signal.throwIfAborted();
      note = `The pass stopped: the model is not available (${error instanceof Error ? error.message : String(error)}).`;
      world.log.warn("pass-stopped", { reason: note });
      break;
    }
    let wording: Wording | undefined;
    try {
      wording = await within(world.distilWithin ?? distilWithin, signal, (inner) =>
        distil(
          runs.map(({ episode }) => episode.goal),
          aligned.value.steps.map((step) => step.do),
          Object.values(aligned.value.values),
          day,
          model,
          inner,
        ),
      );
    } catch (error) {
      signal.throwIfAborted();
      // What cannot be read costs this cluster; a model that fails costs the pass.
      if (!(error instanceof UnreadableWording)) {
        note = `The pass stopped: the model failed (${error instanceof Error ? error.message : String(error)}).`;
        world.log.warn("pass-stopped", { reason: note });
        break;
      }
      world.log.warn("cluster-skipped", { goal, error: error.message });
      skip(error.message);
      continue;
    }
    if (!wording) {
      skip("the model saw no common task (SKIP)");
      continue;
    }
    const worded: RevisionContent = { ...content, whenToUse: wording.whenToUse, summary: clip(wording.whenToUse, 200) };
    if (options.dryRun) {
      entries.push({
        goal,
        episodes: ids,
        decision: "added",
        reason: `would be learned from ${runs.length} successful runs, ${content.steps.length} steps`,
        skillName: wording.name,
      });
      continue;
    }
    const published = await world.publish({ name: wording.name, content: worded, evidence: runs.map(({ episode }) => episode.id) }, signal);
    entries.push({ goal, episodes: ids, decision: published.decision, reason: published.reason, skillName: published.skillName });
  }
  const report: PassReport = {
    id: options.dream?.id ?? world.makeId(),
    startedAt,
    endedAt: clock(),
    dryRun: options.dryRun,
    episodesRead: [...episodes, ...leftOut].filter(({ episode }) => isLookedAt(episode)).length,
    entries,
    note,
    ...(options.dream ? { dream: options.dream.dream } : {}),
  };
  if (!options.dryRun) {
    stores.learning.addReport(report);
    stores.learning.setWatermark(startedAt);
  }
  return report;
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
