import type { ShownAction } from "#contract/learning/schema.ts";
import { isPager, recallText } from "../skills/index.ts";
import { anyDay, literalIn } from "../skills/values/index.ts";
import type { LearnableEpisode } from "./collect.ts";
import { commonLength } from "./sequence.ts";

/** An episode with the unit vector of its goal. */
export interface EmbeddedEpisode extends LearnableEpisode {
  readonly vector: Float32Array;
}

/** Least agreement of two tool sequences (SPEC 4.3). */
export const sequenceAgreement = 0.6;
/** Share of controls that two runs must have in common for their wording to matter little. */
const controlAgreement = 0.8;
/** Least similarity of goals then: a quarter of what is asked otherwise. Measured, all-MiniLM-L6-v2: "Change the price of my Oak desk to 95 pounds" and "my Child's bicycle should now cost £55" were apart at 0.4. */
const leniency = 0.25;

/** Of vectors of length 1, as embedders give them. */
export function cosine(a: Float32Array, b: Float32Array): number {
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

/** Whether two runs filled the same fields for the most part; a run that filled none says nothing of that. What a form sets is what it is for. */
function sameFields(a: readonly ShownAction[], b: readonly ShownAction[]): boolean {
  const [left, right] = [a, b].map((actions) => new Set(actions.filter(({ kind }) => kind === "fill" || kind === "select").map(shape))) as [
    Set<string>,
    Set<string>,
  ];
  return [...left].filter((field) => right.has(field)).length * 2 >= Math.min(left.size, right.size);
}

/** Whether two runs went about it in the same way: same site, same fields, same tools in the same order for the most part, same last effect. */
export function sameWay(a: LearnableEpisode, b: LearnableEpisode): boolean {
  if (originOf(a.actions) !== originOf(b.actions) || lastEffect(a.actions) !== lastEffect(b.actions) || !sameFields(a.actions, b.actions)) return false;
  const [left, right] = [a.actions.map(shape), b.actions.map(shape)];
  return (
    commonLength(left, right) / Math.max(left.length, right.length) >= sequenceAgreement ||
    commonLength(left, right) / Math.min(left.length, right.length) >= 0.8
  );
}

/** Controls pressed by name: what stands in the goal is the goal's, and paging on is only a matter of where it was found. */
function controls({ episode, actions }: LearnableEpisode): string[] {
  return actions
    .filter((action) => action.kind !== "download" && !(action.kind === "click" && isPager(action.target?.name ?? "")))
    .map((action) => {
      const name = action.target?.name ?? "";
      const masked = literalIn(episode.goal, name) ? "it" : recallText(name, anyDay);
      return `${action.kind} ${action.target?.role ?? ""} ${masked}`;
    });
}

/**
 * Whether two runs pressed and filled the same controls, the goal's values aside, and ended on the same one. Nothing says more that two requests
 * are of one kind, however differently they are worded.
 */
function agreeOn(left: readonly string[], right: readonly string[]): boolean {
  return left.at(-1) === right.at(-1) && commonLength(left, right) / Math.max(left.length, right.length) >= controlAgreement;
}

/**
 * Average linkage over goal similarity, joined only where the ways agree too. The result does not depend on the order of arrival: episodes are
 * put in the order of their goals first (ids only where two goals are the same).
 * @param threshold least mean cosine of two clusters that are joined; belongs to the embedder
 */
export function cluster(episodes: readonly EmbeddedEpisode[], threshold: number): EmbeddedEpisode[][] {
  const sorted = [...episodes].sort(byGoal);
  const pair = pairsOf(sorted);
  let clusters = sorted.map((_, index) => [index]);
  for (;;) {
    let best: { i: number; j: number; score: number } | undefined;
    for (let i = 0; i < clusters.length; i++) {
      for (let j = i + 1; j < clusters.length; j++) {
        const [left, right] = [clusters[i] ?? [], clusters[j] ?? []];
        const all = left.flatMap((a) => right.map((b) => pair(a, b)));
        // Runs that failed may have gone astray; only the goals and the successful ways decide.
        const good = all.filter(({ isGood }) => isGood);
        const share = (same: "sameWay" | "sameControls"): number => good.filter((one) => one[same]).length / good.length;
        if (good.length > 0 && share("sameWay") < 0.5) continue;
        const least = good.length > 0 && share("sameControls") >= 0.5 ? threshold * leniency : threshold;
        const score = all.reduce((sum, { similarity }) => sum + similarity, 0) / all.length;
        if (score >= least && (!best || score > best.score)) best = { i, j, score };
      }
    }
    if (!best) return clusters.map((members) => members.flatMap((index) => sorted[index] ?? []));
    const { i, j } = best;
    const merged = [...(clusters[i] ?? []), ...(clusters[j] ?? [])];
    clusters = [...clusters.filter((_, index) => index !== i && index !== j), merged];
  }
}

interface Pair {
  readonly similarity: number;
  /** Both went well, so that their ways say something. */
  readonly isGood: boolean;
  readonly sameWay: boolean;
  readonly sameControls: boolean;
}

/** Every pair is compared once; merging asks for them again and again. */
function pairsOf(episodes: readonly EmbeddedEpisode[]): (a: number, b: number) => Pair {
  const pressed = episodes.map(controls);
  const rows = episodes.map((left, i) =>
    episodes.slice(0, i).map(
      (right, j): Pair => ({
        similarity: cosine(left.vector, right.vector),
        isGood: isGood(left) && isGood(right),
        sameWay: sameWay(left, right),
        sameControls: agreeOn(pressed[i] ?? [], pressed[j] ?? []),
      }),
    ),
  );
  return (a, b) => rows[Math.max(a, b)]?.[Math.min(a, b)] as Pair;
}

export function byGoal(a: LearnableEpisode, b: LearnableEpisode): number {
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
