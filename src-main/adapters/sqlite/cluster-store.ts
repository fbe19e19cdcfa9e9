import type { ClusterStore, EpisodeDigest, GroupMember, StoredCluster, Way } from "#core/ports/cluster-store.ts";
import { embedderKeyText } from "#core/ports/embedder.ts";
import type { Connection } from "./connection.ts";
import { fromBlob, toBlob } from "./vector-store.ts";

type DigestRow = Omit<EpisodeDigest, "way" | "controls"> & { site: string; effect: string; shapes: string; controls: string };
type MemberRow = DigestRow & { conversationId: string; goal: string; wayId: number; vector: Uint8Array | null };
type ClusterRow = Omit<StoredCluster, "episodes"> & { members: string };

const digestColumns = `grouped_episodes.episode_id AS episodeId, grouped_episodes.outcome, grouped_episodes.created_at AS createdAt, ways.site, ways.effect,
  ways.shapes, grouped_episodes.controls, grouped_episodes.left_out AS leftOut`;
/** Episodes of a group that are looked at in one statement, a few milliseconds, however many there are. */
const mostLookedAt = 5000;
const clusterColumns = "id, members, goal, state, decision, reason, skill_name AS skillName";

const goodOnes = (table: string): string => `${table}.way_id = way.value AND ${table}.went_well = 1 AND ${table}.left_out IS NULL`;
const vectorOf = (episode: string): string =>
  `CROSS JOIN texts ON texts.owner_kind = 'episode' AND texts.owner_id = ${episode}
   CROSS JOIN vectors ON vectors.text_id = texts.id AND vectors.embedder_id = (SELECT id FROM embedders WHERE key = :key)`;
const similarity = "1.0 - vec_distance_cosine(vectors.vector, :vector)";

export function clusterStore(connection: Connection): ClusterStore {
  const comparedBy = (): string | undefined => connection.get<{ embedder: string }>("SELECT embedder FROM learning_progress WHERE only = 1")?.embedder;
  return {
    isComparedBy: (key) => comparedBy() === embedderKeyText(key),
    compareBy(key) {
      const text = embedderKeyText(key);
      if (comparedBy() === text) return;
      connection.transaction(() => {
        for (const table of ["clusters", "grouped_episodes", "ways", "episode_groups"]) connection.run(`DELETE FROM ${table}`);
        connection.run("DELETE FROM texts WHERE owner_kind = 'episode'");
        connection.run("UPDATE learning_progress SET watermark = 0, embedder = :text WHERE only = 1", { text });
      });
    },

    waysAt: (site) =>
      connection
        .all<{ id: number; effect: string; shapes: string }>("SELECT id, effect, shapes FROM ways WHERE site = :site ORDER BY id", { site })
        .map(({ id, effect, shapes }) => ({ id, way: { site, effect, shapes: JSON.parse(shapes) as string[] } })),

    // A group is looked into only until one like it is found.
    groupsLike: (key, vector, wayIds, least) =>
      connection
        .all<{ id: number }>(
          `WITH near AS (
             SELECT DISTINCT grouped_episodes.group_id AS id FROM json_each(:wayIds) AS way
             CROSS JOIN grouped_episodes ON ${goodOnes("grouped_episodes")}
           )
           SELECT near.id FROM near WHERE EXISTS (
             SELECT 1 FROM json_each(:wayIds) AS way
             CROSS JOIN grouped_episodes AS other ON ${goodOnes("other")} AND other.group_id = near.id
             ${vectorOf("other.episode_id")} WHERE ${similarity} >= :least
           )`,
          { key: embedderKeyText(key), vector: toBlob(key, vector), wayIds: JSON.stringify(wayIds), least },
        )
        .map(({ id }) => id),
    nearest: (key, vector, wayIds) =>
      connection.get<{ group: number; nearness: number }>(
        `SELECT other.group_id AS "group", ${similarity} AS nearness FROM json_each(:wayIds) AS way
         CROSS JOIN grouped_episodes AS other ON ${goodOnes("other")} ${vectorOf("other.episode_id")}
         ORDER BY nearness DESC, other.episode_id LIMIT 1`,
        { key: embedderKeyText(key), vector: toBlob(key, vector), wayIds: JSON.stringify(wayIds) },
      ),
    nearer: (key, vector, wayIds, least) =>
      connection.all<{ episodeId: string; nearness: number }>(
        `SELECT other.episode_id AS episodeId, ${similarity} AS nearness FROM json_each(:wayIds) AS way
         CROSS JOIN grouped_episodes AS other ON other.way_id = way.value AND other.went_well = 0 AND other.left_out IS NULL
         ${vectorOf("other.episode_id")} WHERE ${similarity} >= :least AND ${similarity} > other.nearness ORDER BY other.episode_id`,
        { key: embedderKeyText(key), vector: toBlob(key, vector), wayIds: JSON.stringify(wayIds), least },
      ),
    adrift: () => connection.all<{ id: string }>("SELECT episode_id AS id FROM grouped_episodes WHERE nearness < -1 ORDER BY episode_id").map(({ id }) => id),
    follow(episodeId, { group, nearness }) {
      connection.transaction(() => {
        connection.run("UPDATE episode_groups SET touched = 1 WHERE id = (SELECT group_id FROM grouped_episodes WHERE episode_id = :episodeId)", { episodeId });
        const to = oneGroup(connection, group === null ? [] : [group]);
        connection.run("UPDATE grouped_episodes SET group_id = :to, nearness = :nearness WHERE episode_id = :episodeId", { to, nearness, episodeId });
      });
    },

    place(digest, groups, nearness) {
      return connection.transaction(() => {
        connection.run("DELETE FROM grouped_episodes WHERE episode_id = :id", { id: digest.episodeId });
        const group = oneGroup(connection, groups);
        const { way } = digest;
        const parameters = { site: way.site, effect: way.effect, shapes: JSON.stringify(way.shapes) };
        connection.run("INSERT INTO ways (site, effect, shapes) VALUES (:site, :effect, :shapes) ON CONFLICT DO NOTHING", parameters);
        connection.run(
          `INSERT INTO grouped_episodes (episode_id, group_id, way_id, outcome, went_well, nearness, created_at, controls, left_out)
           SELECT :id, :group, id, :outcome, :wentWell, :nearness, :createdAt, :controls, :leftOut FROM ways
           WHERE site = :site AND effect = :effect AND shapes = :shapes`,
          {
            ...parameters,
            id: digest.episodeId,
            group,
            outcome: digest.outcome,
            wentWell: digest.outcome === "success" || digest.outcome === "claimed_success" ? 1 : 0,
            nearness: nearness ?? null,
            createdAt: digest.createdAt,
            controls: JSON.stringify(digest.controls),
            leftOut: digest.leftOut,
          },
        );
        return group;
      });
    },
    placed(episodeId) {
      const row = connection.get<DigestRow>(
        `SELECT ${digestColumns} FROM grouped_episodes JOIN ways ON ways.id = grouped_episodes.way_id WHERE grouped_episodes.episode_id = :episodeId`,
        { episodeId },
      );
      return row && toDigest(row);
    },
    remove(episodeId) {
      connection.transaction(() => {
        connection.run("DELETE FROM grouped_episodes WHERE episode_id = :episodeId", { episodeId });
        connection.run("DELETE FROM texts WHERE owner_kind = 'episode' AND owner_id = :episodeId", { episodeId });
      });
    },

    touched: () => connection.all<{ id: number }>("SELECT id FROM episode_groups WHERE touched = 1 ORDER BY id").map(({ id }) => id),

    members: (group, key, perKind, most) =>
      connection
        .all<MemberRow>(
          `WITH newest AS MATERIALIZED (
             SELECT episode_id FROM (
               SELECT episode_id, created_at, row_number() OVER (PARTITION BY way_id, controls ORDER BY created_at DESC, episode_id DESC) AS place
               FROM (SELECT * FROM grouped_episodes WHERE group_id = :group ORDER BY created_at DESC, episode_id DESC LIMIT ${mostLookedAt})
             ) WHERE place <= :perKind ORDER BY created_at DESC, episode_id DESC LIMIT :most
           )
           SELECT ${digestColumns}, grouped_episodes.way_id AS wayId, coalesce(conversations.family, episodes.conversation_id) AS conversationId,
             episodes.goal, vectors.vector
           FROM newest
           CROSS JOIN grouped_episodes ON grouped_episodes.episode_id = newest.episode_id
           CROSS JOIN ways ON ways.id = grouped_episodes.way_id
           CROSS JOIN episodes ON episodes.id = newest.episode_id
           LEFT JOIN conversations ON conversations.id = episodes.conversation_id
           LEFT JOIN texts ON texts.owner_kind = 'episode' AND texts.owner_id = newest.episode_id
           LEFT JOIN vectors ON vectors.text_id = texts.id AND vectors.embedder_id = (SELECT id FROM embedders WHERE key = :key)
           WHERE vectors.vector IS NOT NULL OR grouped_episodes.left_out IS NOT NULL`,
          { group, key: embedderKeyText(key), perKind, most },
        )
        .map(
          ({ conversationId, goal, wayId, vector, ...row }): GroupMember => ({
            ...toDigest(row),
            conversationId,
            goal,
            wayId,
            // What was left out is only told, and compared with nothing.
            vector: vector === null ? new Float32Array() : fromBlob(vector),
          }),
        ),

    keepClusters(group, clusters) {
      connection.transaction(() => {
        const before = new Map(
          connection
            .all<{ id: number; members: string }>("SELECT id, members FROM clusters WHERE group_id = :group", { group })
            .map(({ id, members }) => [members, id]),
        );
        for (const { members, goal, state, reason } of clusters) {
          const text = JSON.stringify(members);
          if (before.delete(text)) continue;
          connection.run(
            `INSERT INTO clusters (group_id, members, size, goal, state, decision, reason, told)
             VALUES (:group, :members, :size, :goal, :state, 'skipped', :reason, 0)`,
            { group, members: text, size: members.length, goal, state, reason },
          );
        }
        for (const id of before.values()) connection.run("DELETE FROM clusters WHERE id = :id", { id });
        connection.run("UPDATE episode_groups SET touched = 0 WHERE id = :group", { group });
        connection.run("DELETE FROM episode_groups WHERE id = :group AND NOT EXISTS (SELECT 1 FROM grouped_episodes WHERE group_id = :group)", { group });
      });
    },
    // Two statements, each in the order of the index.
    toWork(limit) {
      const of = (state: string, most: number): ClusterRow[] =>
        connection.all<ClusterRow>(
          `SELECT ${clusterColumns} FROM clusters WHERE state IN ('waiting', 'blocked') AND state = :state ORDER BY told DESC, size DESC, id DESC LIMIT :most`,
          { state, most },
        );
      const waiting = of("waiting", limit);
      return [...waiting, ...of("blocked", limit - waiting.length)].map(toCluster);
    },
    countWaiting: () =>
      connection.get<{ count: number }>("SELECT count(*) AS count FROM clusters WHERE state IN ('waiting', 'blocked') AND state = 'waiting'")?.count ?? 0,
    decide(id, { state, decision, reason, skillId, skillName, stamp }) {
      // Meanwhile an episode of it may have been erased, and the cluster with it.
      connection.run(
        `UPDATE clusters SET state = :state, decision = :decision, reason = :reason, skill_id = :skillId, skill_name = :skillName, stamp = :stamp, told = 0
         WHERE id = :id`,
        { id, state, decision, reason, skillId, skillName, stamp },
      );
    },
    untold: () => connection.all<ClusterRow>(`SELECT ${clusterColumns} FROM clusters WHERE told = 0 ORDER BY id`).map(toCluster),
    open: () => connection.all<ClusterRow>(`SELECT ${clusterColumns} FROM clusters WHERE decision = 'skipped' OR state = 'waiting' ORDER BY id`).map(toCluster),
    markTold(ids) {
      connection.run("UPDATE clusters SET told = 1 WHERE id IN (SELECT value FROM json_each(:ids))", { ids: JSON.stringify(ids) });
    },
    stamps: () =>
      connection.all<{ skillId: string; stamp: string }>(
        "SELECT DISTINCT skill_id AS skillId, stamp FROM clusters WHERE skill_id IS NOT NULL AND stamp IS NOT NULL ORDER BY skill_id",
      ),
    reopen(skillId, stamp) {
      connection.run("UPDATE clusters SET state = 'waiting' WHERE skill_id IS NOT NULL AND skill_id = :skillId AND stamp = :stamp", { skillId, stamp });
    },
  };
}

/** The group that these become, or a new one; touched either way. */
function oneGroup(connection: Connection, groups: readonly number[]): number {
  const [first, ...others] = [...new Set(groups)].sort((a, b) => a - b);
  if (first === undefined) {
    connection.run("INSERT INTO episode_groups (touched) VALUES (1)");
    return connection.get<{ id: number }>("SELECT last_insert_rowid() AS id")?.id ?? 0;
  }
  for (const other of others) {
    connection.run("UPDATE grouped_episodes SET group_id = :first WHERE group_id = :other", { first, other });
    connection.run("UPDATE clusters SET group_id = :first WHERE group_id = :other", { first, other });
    connection.run("DELETE FROM episode_groups WHERE id = :other", { other });
  }
  connection.run("UPDATE episode_groups SET touched = 1 WHERE id = :first", { first });
  return first;
}

function toDigest({ site, effect, shapes, controls, ...row }: DigestRow): EpisodeDigest {
  const way: Way = { site, effect, shapes: JSON.parse(shapes) as string[] };
  return { ...row, way, controls: JSON.parse(controls) as string[] };
}

function toCluster({ members, ...row }: ClusterRow): StoredCluster {
  return { ...row, episodes: (JSON.parse(members) as [string, string][]).map(([id]) => id) };
}
