import { cosine } from "#base/vectors.ts";
import type { Episode } from "#contract/chat/schema.ts";
import type { ShownAction } from "#contract/learning/schema.ts";
import type { EpisodeDigest, GroupMember, Way } from "../ports/cluster-store.ts";
import { isPager, recallText } from "../skills/index.ts";
import { anyDay, literalIn } from "../skills/values/index.ts";
import type { LearnableEpisode } from "./collect.ts";
import { link, type Pair } from "./link.ts";
import { commonLength } from "./sequence.ts";

/** What clusters are made of. */
export type ClusterMember = Pick<GroupMember, "episodeId" | "conversationId" | "goal" | "outcome" | "way" | "wayId" | "controls" | "vector">;

/** Least agreement of two tool sequences (SPEC 4.3). */
export const sequenceAgreement = 0.6;
/** Share of controls that two runs must have in common for their wording to matter little. */
const controlAgreement = 0.8;
/** Least similarity of goals then: a quarter of what is asked otherwise. Measured, all-MiniLM-L6-v2: "Change the price of my Oak desk to 95 pounds" and "my Child's bicycle should now cost £55" were apart at 0.4. */
const leniency = 0.25;

/** What an action is for the comparison of two runs: values aside. */
function shape(action: ShownAction): string {
  if (action.call) return `call ${action.call.tool}`;
  return action.kind === "fill" || action.kind === "select" ? `${action.kind} ${action.target?.name ?? ""}` : action.kind;
}

/** By its name, which for a comparison of runs is enough; the gates go by what a tool declares. */
function looksOnly({ call }: ShownAction): boolean {
  return (
    call !== undefined && /(?:^|_)(?:get|list|show|read|find|search|count|check|expect|view|calculate|think)(?:_|$)/u.test(call.tool.replaceAll(/[.-]/gu, "_"))
  );
}

function lastEffect(actions: readonly ShownAction[]): string {
  const last = actions.findLast((action) => action.kind !== "open" && !looksOnly(action)) ?? actions.findLast((action) => action.kind !== "open");
  return last ? (last.call ? shape(last) : last.kind) : "";
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

/** How a run went about it, values aside. */
export function wayOf({ actions }: Pick<LearnableEpisode, "actions">): Way {
  return { site: originOf(actions), effect: lastEffect(actions), shapes: actions.map(shape) };
}

/** Whether two runs filled the same fields for the most part; a run that filled none says nothing of that. What a form sets is what it is for. */
function sameFields(a: readonly string[], b: readonly string[]): boolean {
  const [left, right] = [a, b].map((shapes) => new Set(shapes.filter((one) => /^(?:fill|select) /u.test(one)))) as [Set<string>, Set<string>];
  return [...left].filter((field) => right.has(field)).length * 2 >= Math.min(left.size, right.size);
}

/** Whether two runs went about it in the same way: same site, same fields, same tools in the same order for the most part, same last effect. */
export function sameWay(a: Way, b: Way): boolean {
  if (a.site !== b.site || a.effect !== b.effect || !sameFields(a.shapes, b.shapes)) return false;
  const common = commonLength(a.shapes, b.shapes);
  const [shorter, longer] = [a.shapes.length, b.shapes.length].sort((x, y) => x - y) as [number, number];
  return common / longer >= sequenceAgreement || common / shorter >= 0.8;
}

/** Controls pressed by name: what stands in the goal is the goal's, and paging on is only a matter of where it was found. */
function controlsOf({ episode, actions }: LearnableEpisode): string[] {
  return actions
    .filter((action) => action.kind !== "download" && !(action.kind === "click" && isPager(action.target?.name ?? "")))
    .map((action) => {
      if (action.call) return shape(action);
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

/** What clustering keeps of a run. */
export function digestOf(run: LearnableEpisode, leftOut: string | null): EpisodeDigest {
  const { id: episodeId, outcome, createdAt } = run.episode;
  return { episodeId, outcome: outcome ?? "abandoned", createdAt, way: wayOf(run), controls: controlsOf(run), leftOut };
}

export function wentWell(outcome: string | null): boolean {
  return outcome === "success" || outcome === "claimed_success";
}

/** Least similarity of the goals of two runs that could ever share a cluster. */
export function leastAlike(threshold: number): number {
  return threshold * leniency;
}

/**
 * Average linkage over goal similarity, joined only where the ways agree too. The result does not depend on the order of arrival: episodes are
 * put in the order of their goals first (ids only where two goals are the same). Nor does it depend on what else is in the group: two clusters are
 * joined only where a pair of them is alike: both went well, the same way, for goals that are not far off, or one failed on the same site for a goal that is
 * near. Groups without such a pair never meet.
 * @param threshold least mean cosine of two clusters that are joined; belongs to the embedder
 * @param breathe awaited between small pieces of work; what it throws ends the work
 */
export async function cluster<Member extends ClusterMember>(
  members: readonly Member[],
  threshold: number,
  breathe: () => Promise<void> | undefined = () => undefined,
): Promise<Member[][]> {
  const sorted = [...members].sort(byGoal);
  const linked = await link(sorted.length, pairsOf(sorted, threshold), threshold, leastAlike(threshold), breathe);
  return linked.map((indexes) => indexes.flatMap((index) => sorted[index] ?? []));
}

/** How two members compare; ways and controls that stand in many episodes are compared once. */
function pairsOf(members: readonly ClusterMember[], threshold: number): (a: number, b: number) => Pair {
  const pressed = new Map<string, number>();
  const controlsIds = members.map(({ controls }) => {
    const text = controls.join("\n");
    const id = pressed.get(text) ?? pressed.size;
    pressed.set(text, id);
    return id;
  });
  const compareWays = once((a: number, b: number) => sameWay((members[a] as ClusterMember).way, (members[b] as ClusterMember).way));
  const compareControls = once((a: number, b: number) => agreeOn((members[a] as ClusterMember).controls, (members[b] as ClusterMember).controls));
  const isGood = members.map(({ outcome }) => wentWell(outcome));
  return (a, b) => {
    const [left, right] = [members[a] as ClusterMember, members[b] as ClusterMember];
    const similarity = cosine(left.vector, right.vector);
    if (!isGood[a] || !isGood[b])
      return { similarity, isGood: false, sameWay: false, sameControls: false, isAlike: left.way.site === right.way.site && similarity >= threshold };
    const same = compareWays(left.wayId, right.wayId, a, b);
    const sameControls = compareControls(controlsIds[a] as number, controlsIds[b] as number, a, b);
    return { similarity, isGood: true, sameWay: same, sameControls, isAlike: same && similarity >= leastAlike(threshold) };
  };
}

/** Remembers the answer by two keys. */
function once(compare: (a: number, b: number) => boolean): (keyA: number, keyB: number, a: number, b: number) => boolean {
  const known = new Map<string, boolean>();
  return (keyA, keyB, a, b) => {
    const key = `${keyA} ${keyB}`;
    const there = known.get(key);
    if (there !== undefined) return there;
    const made = compare(a, b);
    known.set(key, made);
    return made;
  };
}

function byGoal(a: ClusterMember, b: ClusterMember): number {
  const [left, right] = [`${a.goal}\n${a.episodeId}`, `${b.goal}\n${b.episodeId}`];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Why a cluster is not learned from; null when it qualifies (SPEC 4.3). */
export function whyNot(cluster: readonly Pick<Episode, "outcome" | "conversationId">[]): string | null {
  if (cluster.length < 3) return `only ${cluster.length} ${cluster.length === 1 ? "episode" : "episodes"}`;
  const verified = cluster.filter(({ outcome }) => outcome === "success").length;
  if (verified < 2) return `only ${verified} verified ${verified === 1 ? "success" : "successes"}`;
  const conversations = new Set(cluster.map(({ conversationId }) => conversationId)).size;
  if (conversations < 2) return "all from one conversation";
  const good = cluster.filter(({ outcome }) => wentWell(outcome)).length;
  if (good / cluster.length < 0.8) return `only ${good} of ${cluster.length} went well`;
  return null;
}
