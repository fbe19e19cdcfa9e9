import { canonicalJson } from "#base/json.ts";
import { KnackError } from "#contract/errors.ts";
import type { FoundCluster, GroupMember } from "../ports/cluster-store.ts";
import { type Embedder, type EmbedderKey, keyOfKind } from "../ports/embedder.ts";
import type { Stores } from "../ports/stores.ts";
import { recallText } from "../skills/index.ts";
import { dayOf } from "./align.ts";
import { cluster, digestOf, leastAlike, sameWay, wentWell, whyNot } from "./cluster.ts";
import { type Collected, collect } from "./collect.ts";
import { withoutPersonalText } from "./personal.ts";
import { withoutSecretText } from "./unsafe-text.ts";

type Breathe = () => Promise<void>;

/** Episodes that are read before their goals are embedded, and of these so many that are put into groups in one transaction, milliseconds of work. */
const batch = 8;
const placedAtOnce = 2;
/**
 * Of a group so many of the newest are clustered, and so many of those that pressed the same controls: a task done daily for years costs a pass no more
 * than one of some months, and does not crowd out another one on the same site that is done seldom.
 */
const mostOfKind = 60;
const mostOfGroup = 600;

/** The key that goals are kept and compared under for clustering. */
export function clusteringKey(embedder: Embedder): EmbedderKey {
  return keyOfKind(embedder.key, "clustering");
}

/**
 * Reads the episodes that changed since the last pass, and puts each into the group of those it could share a cluster with. How far it came is kept
 * after every few, so that an aborted pass goes on from there. Returns how many were read.
 * @param threshold least mean cosine of goals in a cluster
 */
export async function readChanges(
  world: { readonly stores: Stores; readonly embedder: Embedder },
  threshold: number,
  breathe: Breathe,
  signal: AbortSignal,
): Promise<number> {
  const { stores, embedder } = world;
  const key = clusteringKey(embedder);
  stores.clusters.compareBy(key);
  let read = 0;
  for (;;) {
    const changed = stores.trace.episodesChangedAfter(stores.learning.watermark(), batch);
    if (changed.length === 0) break;
    const some: Read[] = [];
    for (const { episode, change } of changed) {
      const collected = collect(stores.trace, episode);
      some.push({ id: episode.id, change, collected, text: collected.kind === "run" ? recallText(collected.run.episode.goal, dayOf(collected.run)) : null });
      await breathe();
    }
    const vectors = await vectorsOf(some, world, key, signal);
    for (let from = 0; from < some.length; from += placedAtOnce) {
      stores.transaction(() => {
        // How far was read is counted for one embedder: put on from here, it would have the other pass over what it never compared.
        if (!stores.clusters.isComparedBy(key))
          throw new KnackError("learn.embedder-changed", "Another embedding model compares goals since this pass began; it starts anew with that one.");
        for (const one of some.slice(from, from + placedAtOnce)) {
          // It may have been erased while its goal was embedded.
          if (stores.trace.episode(one.id)) keep(stores, key, one, vectors.get(one.id), threshold);
          stores.learning.setWatermark(one.change);
        }
      });
      await breathe();
    }
    read += some.length;
  }
  for (const id of stores.clusters.adrift()) {
    takeHome(stores, key, id, threshold);
    await breathe();
  }
  return read;
}

/** An episode as it was read; `text` is what is embedded of its goal, null where nothing is learned from it. */
interface Read {
  readonly id: string;
  readonly change: number;
  readonly collected: Collected;
  readonly text: string | null;
}

/** The vectors by episode, the kept one where the text is the same still. */
async function vectorsOf(
  some: readonly Read[],
  { stores, embedder }: { readonly stores: Stores; readonly embedder: Embedder },
  key: EmbedderKey,
  signal: AbortSignal,
): Promise<Map<string, Float32Array>> {
  const vectors = new Map<string, Float32Array>();
  const wanted: { id: string; text: string }[] = [];
  for (const { id, text } of some) {
    if (text === null) continue;
    const kept = stores.vectors.vectorsOf(key, "episode", id).find((one) => one.text === text);
    if (kept) vectors.set(id, kept.vector);
    else wanted.push({ id, text });
  }
  if (wanted.length === 0) return vectors;
  const texts = wanted.map(({ text }) => text);
  for (const [index, vector] of (await embedder.embed(texts, "clustering", signal)).entries()) vectors.set(wanted[index]?.id ?? "", vector);
  return vectors;
}

/** Puts an episode where it belongs, and failures that it is the nearest to beside it. */
function keep(stores: Stores, key: EmbedderKey, { id, collected, text }: Read, vector: Float32Array | undefined, threshold: number): void {
  const { clusters, vectors } = stores;
  if (collected.kind === "none") {
    clusters.remove(id);
    return;
  }
  const digest = digestOf(collected.run, collected.kind === "left-out" ? collected.reason : null);
  const before = clusters.placed(id);
  const [kept] = vectors.vectorsOf(key, "episode", id);
  // A word of thanks reopens an episode and closes it again; what was found of it stands.
  if (before && (kept?.text ?? null) === text && canonicalJson(before) === canonicalJson(digest)) return;
  clusters.remove(id);
  if (text === null || vector === undefined) {
    clusters.place(digest, []);
    return;
  }
  const ways = clusters.waysAt(digest.way.site);
  const onSite = ways.map(({ id }) => id);
  if (wentWell(digest.outcome)) {
    const sameWays = ways.filter(({ way }) => sameWay(way, digest.way)).map(({ id }) => id);
    const group = clusters.place(digest, clusters.groupsLike(key, vector, sameWays, leastAlike(threshold)));
    for (const failed of clusters.nearer(key, vector, onSite, threshold)) clusters.follow(failed.episodeId, { group, nearness: failed.nearness });
  } else {
    const home = homeOf(stores, key, vector, onSite, threshold);
    clusters.place(digest, home.group === null ? [] : [home.group], home.nearness);
  }
  vectors.replace(key, "episode", id, [{ text, vector }]);
}

/** Where a run that failed belongs: with the nearest one on its site that went well, if its goal is near enough. */
function homeOf(
  { clusters }: Stores,
  key: EmbedderKey,
  vector: Float32Array,
  onSite: readonly number[],
  threshold: number,
): { group: number | null; nearness: number } {
  const nearest = clusters.nearest(key, vector, onSite);
  return nearest && nearest.nearness >= threshold ? nearest : { group: null, nearness: -1 };
}

/** Runs that failed whose nearest one went or was judged otherwise. */
function takeHome(stores: Stores, key: EmbedderKey, episodeId: string, threshold: number): void {
  const digest = stores.clusters.placed(episodeId);
  const [kept] = stores.vectors.vectorsOf(key, "episode", episodeId);
  if (!digest || !kept) return;
  const onSite = stores.clusters.waysAt(digest.way.site).map(({ id }) => id);
  stores.clusters.follow(episodeId, homeOf(stores, key, kept.vector, onSite, threshold));
}

/** Clusters every group in which something changed; each is kept as soon as it is done. */
export async function clusterTouched(
  { stores, embedder }: { readonly stores: Stores; readonly embedder: Embedder },
  threshold: number,
  breathe: Breathe,
): Promise<void> {
  const key = clusteringKey(embedder);
  for (const group of stores.clusters.touched()) {
    let isKept = false;
    while (!isKept) {
      const members = stores.clusters.members(group, key, mostOfKind, mostOfGroup);
      const found = await foundIn(members, threshold, breathe);
      await breathe();
      // One of them may have been erased, judged otherwise, or joined by others meanwhile: then what was found is not of this group any more.
      isKept = stores.transaction(() => {
        if (marksOf(stores.clusters.members(group, key, mostOfKind, mostOfGroup)) !== marksOf(members)) return false;
        stores.clusters.keepClusters(group, found);
        return true;
      });
      await breathe();
    }
  }
}

async function foundIn(members: readonly GroupMember[], threshold: number, breathe: Breathe): Promise<FoundCluster[]> {
  const runs = members.filter(({ leftOut }) => leftOut === null);
  const found = await cluster(runs, threshold, breathe);
  return [
    ...members.flatMap((member) => (member.leftOut === null ? [] : [{ ...named([member]), state: "settled" as const, reason: member.leftOut }])),
    ...found.map((some) => {
      const unfit = whyNot(some);
      return { ...named(some), state: unfit === null ? ("waiting" as const) : ("short" as const), reason: unfit ?? "" };
    }),
  ];
}

/** What clustering goes by, of each that is in the group. */
function marksOf(members: readonly GroupMember[]): string {
  return JSON.stringify(members.map(({ episodeId, outcome, goal, wayId, leftOut }) => [episodeId, outcome, goal, wayId, leftOut]));
}

function named(members: readonly GroupMember[]): { members: [string, string][]; goal: string } {
  const ids = members.map(({ episodeId, outcome }): [string, string] => [episodeId, outcome]);
  return { members: ids.sort(([a], [b]) => (a < b ? -1 : 1)), goal: withoutPersonalText(withoutSecretText(members[0]?.goal ?? "")) };
}
