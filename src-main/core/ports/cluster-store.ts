import type { Outcome } from "#contract/chat/schema.ts";
import type { PassEntry } from "#contract/learning/schema.ts";
import type { EmbedderKey } from "./embedder.ts";

/** How an episode went about it, values aside. */
export interface Way {
  /** Origin of the first page; "" where there was none. */
  readonly site: string;
  /** Kind of the last action that did more than open a page. */
  readonly effect: string;
  /** Each action by its kind, and by the field it filled. */
  readonly shapes: readonly string[];
}

/** What clustering keeps of an episode, so that its steps need not be read again. */
export interface EpisodeDigest {
  readonly episodeId: string;
  readonly outcome: Outcome;
  readonly createdAt: number;
  readonly way: Way;
  /** Controls pressed and fields filled, the goal's values aside. */
  readonly controls: readonly string[];
  /** Why it is never learned from; null where it may be. */
  readonly leftOut: string | null;
}

/** An episode of a group, with the unit vector of its goal. */
export interface GroupMember extends EpisodeDigest {
  readonly conversationId: string;
  readonly goal: string;
  /** Same number, same way. */
  readonly wayId: number;
  readonly vector: Float32Array;
}

/**
 * `short`: does not qualify, later episodes may complete it. `waiting`: to be worked on. `blocked`: lacks something that is no matter of its episodes (a
 * grant, a tool), and is looked at again. `settled`: decided or ruled out, until its episodes or its skill change.
 */
export type ClusterState = "short" | "waiting" | "blocked" | "settled";

export interface FoundCluster {
  /** Episodes and their outcomes, in order of id: by this the cluster is known again. */
  readonly members: readonly (readonly [episodeId: string, outcome: string])[];
  readonly goal: string;
  readonly state: "short" | "waiting" | "settled";
  readonly reason: string;
}

export interface StoredCluster {
  readonly id: number;
  readonly goal: string;
  readonly episodes: readonly string[];
  readonly state: ClusterState;
  readonly decision: PassEntry["decision"];
  readonly reason: string;
  readonly skillName: string | null;
}

/**
 * Episodes in groups that average linkage never crosses, and the clusters found in each group. Those that went well make the groups; one that failed is
 * in the group of the nearest one on its site that went well, so that what went wrong on a site does not tie all its tasks together.
 */
export interface ClusterStore {
  /** Goals are compared by this embedder from now on. Where it was another one, all groups are forgotten and learning reads from the start. */
  compareBy(key: EmbedderKey): void;
  /** Whether it still is this one: another process may compare by another. */
  isComparedBy(key: EmbedderKey): boolean;
  waysAt(site: string): { readonly id: number; readonly way: Way }[];
  /** Groups that hold an episode that went well, in one of these ways, with a goal at least so similar. */
  groupsLike(key: EmbedderKey, vector: Float32Array, wayIds: readonly number[], least: number): number[];
  /** The nearest episode that went well, in one of these ways. */
  nearest(key: EmbedderKey, vector: Float32Array, wayIds: readonly number[]): { readonly group: number; readonly nearness: number } | undefined;
  /** Episodes that failed, in one of these ways, with a goal at least so similar and more similar than to any that went well so far. */
  nearer(key: EmbedderKey, vector: Float32Array, wayIds: readonly number[], least: number): { readonly episodeId: string; readonly nearness: number }[];
  /** Episodes that failed whose nearest one is no longer there. */
  adrift(): string[];
  /** Puts an episode that failed into this group, or into one of its own; both this group and the one it left are touched. */
  follow(episodeId: string, to: { readonly group: number | null; readonly nearness: number }): void;
  /**
   * Puts an episode into these groups, which become one, or into a new one; takes it out of the one it was in. All of them are touched. Returns the group
   * it is in. `nearness` only where it failed.
   */
  place(digest: EpisodeDigest, groups: readonly number[], nearness?: number): number;
  /** What is kept of an episode; undefined where it is in no group. */
  placed(episodeId: string): EpisodeDigest | undefined;
  /** Takes an episode out of its group, which is touched by that. */
  remove(episodeId: string): void;
  /** Groups in which something changed since they were clustered. */
  touched(): number[];
  /** The newest of those that pressed the same controls in the same way, at most `perKind` each, and of these the newest `most`. */
  members(group: number, key: EmbedderKey, perKind: number, most: number): GroupMember[];
  /** The clusters of a group, which is no longer touched. One that has the same members as before keeps what was decided and whether it was told. */
  keepClusters(group: number, clusters: readonly FoundCluster[]): void;
  /** Waiting ones first, among them those an earlier pass left, then the largest; blocked ones last. At most `limit`. */
  toWork(limit: number): StoredCluster[];
  /** Waiting ones: how many there are. */
  countWaiting(): number;
  decide(
    id: number,
    decided: {
      readonly state: "settled" | "blocked" | "short";
      readonly decision: PassEntry["decision"];
      readonly reason: string;
      readonly skillId: string | null;
      readonly skillName: string | null;
      /** What the skill was like then; when it is no longer like that, the cluster waits again. */
      readonly stamp: string | null;
    },
  ): void;
  /** Those no report told of yet. */
  untold(): StoredCluster[];
  /** Those that did not become a skill, or wait, whoever told of them. */
  open(): StoredCluster[];
  markTold(ids: readonly number[]): void;
  /** The skills that clusters were decided by, each with the stamps it had then. */
  stamps(): { readonly skillId: string; readonly stamp: string }[];
  /** Clusters that were decided by this skill when it was like that wait again. */
  reopen(skillId: string, stamp: string): void;
}
