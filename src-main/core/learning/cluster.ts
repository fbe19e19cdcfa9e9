import type { ShownAction } from "#contract/learning/schema.ts";
import type { LearnableEpisode } from "./collect.ts";
import { commonLength } from "./sequence.ts";

/** An episode with the unit vector of its goal. */
export interface EmbeddedEpisode extends LearnableEpisode {
  readonly vector: Float32Array;
}

/** Least agreement of two tool sequences (SPEC 4.3). */
export const sequenceAgreement = 0.6;

function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}

/** What an action is for the comparison of two runs: values aside. */
function shape(action: ShownAction): string {
  return action.kind === "fill" || action.kind === "select" ? `${action.kind} ${action.target?.name ?? ""}` : action.kind;
}

function lastEffect(actions: readonly ShownAction[]): string {
  const last = actions.findLast((action) => action.kind !== "open");
  return last?.kind === "download" ? "download" : (last?.kind ?? "");
}

function originOf(actions: readonly ShownAction[]): string {
  for (const action of actions) {
    try {
      return new URL(action.after.url || action.value || "").origin;
    } catch {
      // an action without a page says nothing about the site
    }
  }
  return "";
}

/** Whether two runs went about it in the same way: same site, same tools in the same order for the most part, same last effect. */
export function sameWay(a: LearnableEpisode, b: LearnableEpisode): boolean {
  if (originOf(a.actions) !== originOf(b.actions) || lastEffect(a.actions) !== lastEffect(b.actions)) return false;
  const [left, right] = [a.actions.map(shape), b.actions.map(shape)];
  return (
    commonLength(left, right) / Math.max(left.length, right.length) >= sequenceAgreement ||
    commonLength(left, right) / Math.min(left.length, right.length) >= 0.8
  );
}

/**
 * Average linkage over goal similarity, joined only where the ways agree too. The result does not depend on the order of arrival: episodes are
 * put in the order of their goals first (ids only where two goals are the same).
 * @param threshold least mean cosine of two clusters that are joined; belongs to the embedder
 */
export function cluster(episodes: readonly EmbeddedEpisode[], threshold: number): EmbeddedEpisode[][] {
  let clusters = [...episodes].sort(byGoal).map((episode) => [episode]);
  for (;;) {
    let best: { i: number; j: number; score: number } | undefined;
    for (let i = 0; i < clusters.length; i++) {
      for (let j = i + 1; j < clusters.length; j++) {
        const [left, right] = [clusters[i] ?? [], clusters[j] ?? []];
        // Runs that failed may have gone astray; only the goals and the successful ways decide.
        const ways = left.filter(isGood).flatMap((a) => right.filter(isGood).map((b) => sameWay(a, b)));
        if (ways.length > 0 && ways.filter(Boolean).length * 2 < ways.length) continue;
        const score = left.reduce((sum, a) => sum + right.reduce((inner, b) => inner + cosine(a.vector, b.vector), 0), 0) / (left.length * right.length);
        if (score >= threshold && (!best || score > best.score)) best = { i, j, score };
      }
    }
    if (!best) return clusters;
    const { i, j } = best;
    const merged = [...(clusters[i] ?? []), ...(clusters[j] ?? [])];
    clusters = [...clusters.filter((_, index) => index !== i && index !== j), merged];
  }
}

function byGoal(a: LearnableEpisode, b: LearnableEpisode): number {
  const [left, right] = [`${a.episode.goal}\n${a.episode.id}`, `${b.episode.goal}\n${b.episode.id}`];
  return left < right ? -1 : left > right ? 1 : 0;
}

function isGood(episode: LearnableEpisode): boolean {
  return episode.episode.outcome === "success" || episode.episode.outcome === "claimed_success";
}

/** Why a cluster is not learned from; null when it qualifies (SPEC 4.3). */
export function whyNot(cluster: readonly LearnableEpisode[]): string | null {
  if (cluster.length < 3) return `only ${cluster.length} ${cluster.length === 1 ? "episode" : "episodes"}`;
  const verified = cluster.filter(({ episode }) => episode.outcome === "success").length;
  if (verified < 2) return `only ${verified} verified ${verified === 1 ? "success" : "successes"}`;
  const conversations = new Set(cluster.map(({ episode }) => episode.conversationId)).size;
  if (conversations < 2) return "all from one conversation";
  const good = cluster.filter(isGood).length;
  if (good / cluster.length < 0.8) return `only ${good} of ${cluster.length} went well`;
  return null;
}
