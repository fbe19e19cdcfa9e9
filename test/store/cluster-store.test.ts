import { describe, expect, it } from "vitest";
import type { EpisodeDigest, Stores } from "#core/ports/index.ts";
import { conversation, episode } from "./fixtures/records.ts";
import { memoryStores } from "./fixtures/stores.ts";

const key = { modelHash: "aa", quantisation: "", dimension: 2, prefixes: "clustering:" };
const site = "https://portal.example";

/** A goal at an angle, in degrees: the cosine of two is that of the angle between. */
const at = (degrees: number): Float32Array => new Float32Array([Math.cos((degrees / 180) * Math.PI), Math.sin((degrees / 180) * Math.PI)]);

function digest(id: string, change: Partial<EpisodeDigest> = {}): EpisodeDigest {
  return { episodeId: id, outcome: "success", createdAt: 1, way: { site, effect: "click", shapes: ["open", "click"] }, controls: [], leftOut: null, ...change };
}

/** An episode in a conversation of its own, with its goal at an angle, placed in these groups. */
function placed(
  stores: Stores,
  id: string,
  degrees: number,
  groups: readonly number[] = [],
  change: Partial<EpisodeDigest> & { nearness?: number } = {},
): number {
  const { nearness, ...rest } = change;
  stores.conversations.create(conversation(id));
  stores.trace.addEpisode(episode(id, id, { open: false, outcome: rest.outcome ?? "success" }));
  stores.vectors.replace(key, "episode", id, [{ text: id, vector: at(degrees) }]);
  return stores.clusters.place(digest(id, rest), groups, nearness);
}
const ways = (stores: Stores): number[] => stores.clusters.waysAt(site).map(({ id }) => id);
const members = (stores: Stores, group: number, perKind = 60, most = 600): string[] =>
  stores.clusters.members(group, key, perKind, most).map(({ episodeId }) => episodeId);

describe("groups of episodes", () => {
  it("are found by way and by how near a goal is, and become one where an episode is like both", () => {
    const stores = memoryStores();
    const [left, right] = [placed(stores, "a", 0), placed(stores, "b", 90)];
    const like = stores.clusters.groupsLike(key, at(45), ways(stores), 0.7);
    expect(like).toEqual([left, right]);
    expect(stores.clusters.groupsLike(key, at(45), ways(stores), 0.72)).toEqual([]);
    expect(stores.clusters.groupsLike(key, at(45), [], 0.1)).toEqual([]);
    expect(members(stores, placed(stores, "c", 45, like)).sort()).toEqual(["a", "b", "c"]);
    expect(stores.clusters.touched()).toEqual([left]);
  });

  it("leave out what is too short or failed when another one is placed", () => {
    const stores = memoryStores();
    placed(stores, "short", 0, [], { leftOut: "2 steps" });
    placed(stores, "failed", 0, [], { outcome: "failure", nearness: -1 });
    expect(stores.clusters.groupsLike(key, at(0), ways(stores), 0.1)).toEqual([]);
    expect(stores.clusters.nearest(key, at(0), ways(stores))).toBeUndefined();
  });

  it("give the newest, and of those that pressed the same controls only so many, so that a rare task is not crowded out", () => {
    const stores = memoryStores();
    const group = placed(stores, "rare", 0, [], { createdAt: 1, controls: ["click Rare"] });
    for (let n = 1; n <= 5; n += 1) placed(stores, `daily-${n}`, 0, [group], { createdAt: 1 + n, controls: ["click Daily"] });
    expect(members(stores, group, 2)).toEqual(["daily-5", "daily-4", "rare"]);
    expect(members(stores, group, 60, 2)).toEqual(["daily-5", "daily-4"]);
  });
});

describe("an episode that failed", () => {
  it("follows the nearest one that went well, and is adrift when that one goes", () => {
    const stores = memoryStores();
    const far = placed(stores, "far", 50);
    placed(stores, "failed", 0, [far], { outcome: "failure", nearness: Math.cos((50 / 180) * Math.PI) });
    expect(stores.clusters.nearer(key, at(60), ways(stores), 0.4)).toEqual([]);
    expect(stores.clusters.nearer(key, at(10), ways(stores), 0.4).map(({ episodeId }) => episodeId)).toEqual(["failed"]);
    const near = placed(stores, "near", 10);
    stores.clusters.follow("failed", { group: near, nearness: 0.98 });
    expect([members(stores, far), members(stores, near).sort()]).toEqual([["far"], ["failed", "near"]]);
    expect(stores.clusters.adrift()).toEqual([]);
    stores.conversations.delete("near");
    expect(stores.clusters.adrift()).toEqual(["failed"]);
    expect(stores.clusters.nearest(key, at(0), ways(stores))).toEqual({ group: far, nearness: expect.closeTo(Math.cos((50 / 180) * Math.PI), 5) });
  });
});

describe("the clusters of a group", () => {
  const cluster = (ids: readonly string[], state: "short" | "waiting" | "settled" = "waiting") => ({
    members: ids.map((id): [string, string] => [id, "success"]),
    goal: ids.join(),
    state,
    reason: "",
  });

  it("are worked on in this order: what an earlier pass left, the largest, what was blocked", () => {
    const stores = memoryStores();
    const group = placed(stores, "a", 0);
    stores.clusters.keepClusters(group, [
      cluster(["small"]),
      cluster(["large", "larger"]),
      cluster(["left"]),
      cluster(["blocked", "b", "c"]),
      cluster(["no"], "short"),
    ]);
    const byGoal = new Map(stores.clusters.untold().map(({ goal, id }) => [goal, id]));
    stores.clusters.markTold([byGoal.get("left") ?? 0]);
    const decided = { decision: "skipped" as const, reason: "", skillId: null, skillName: null, stamp: null };
    stores.clusters.decide(byGoal.get("blocked,b,c") ?? 0, { ...decided, state: "blocked" });
    const goals = (limit: number): string[] => stores.clusters.toWork(limit).map(({ goal }) => goal);
    expect([goals(10), goals(2), stores.clusters.countWaiting()]).toEqual([["left", "large,larger", "small", "blocked,b,c"], ["left", "large,larger"], 3]);
  });

  it("wait again when the skill they were decided by is no longer as it was", () => {
    const stores = memoryStores();
    stores.clusters.keepClusters(placed(stores, "a", 0), [cluster(["a"])]);
    const [{ id } = { id: 0 }] = stores.clusters.untold();
    stores.clusters.decide(id, { state: "settled", decision: "added", reason: "", skillId: "s", skillName: "bills", stamp: "in use" });
    expect([stores.clusters.toWork(5), stores.clusters.stamps()]).toEqual([[], [{ skillId: "s", stamp: "in use" }]]);
    stores.clusters.reopen("s", "another");
    expect(stores.clusters.countWaiting()).toBe(0);
    stores.clusters.reopen("s", "in use");
    expect(stores.clusters.countWaiting()).toBe(1);
  });

  it("go with an episode that is erased, and so does what is kept of its way", () => {
    const stores = memoryStores();
    const group = placed(stores, "a", 0);
    placed(stores, "b", 0, [group], { way: { site, effect: "click", shapes: ["open", "fill Secret field"] } });
    stores.clusters.keepClusters(group, [cluster(["a", "b"]), cluster(["a"])]);
    stores.conversations.delete("b");
    expect([stores.clusters.untold().map(({ goal }) => goal), stores.clusters.touched(), ways(stores)]).toEqual([["a"], [group], [1]]);
  });

  it("are forgotten with all groups when another embedder compares the goals", () => {
    const stores = memoryStores();
    stores.clusters.compareBy(key);
    stores.clusters.keepClusters(placed(stores, "a", 0), [cluster(["a"])]);
    stores.learning.setWatermark(7);
    stores.clusters.compareBy(key);
    expect([stores.clusters.open().length, stores.learning.watermark()]).toEqual([1, 7]);
    stores.clusters.compareBy({ ...key, modelHash: "bb" });
    expect([stores.clusters.open(), stores.clusters.placed("a"), stores.learning.watermark()]).toEqual([[], undefined, 0]);
    expect(stores.vectors.vectorsOf(key, "episode", "a")).toEqual([]);
  });
});
