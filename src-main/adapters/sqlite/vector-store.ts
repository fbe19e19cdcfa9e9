import { meanOf } from "#base/vectors.ts";
import { KnackError } from "#contract/errors.ts";
import { type EmbedderKey, embedderKeyText } from "#core/ports/embedder.ts";
import type { VectorHit, VectorStore } from "#core/ports/stores.ts";
import type { Connection } from "./connection.ts";
import { fullTextQuery } from "./full-text-query.ts";

type OwnerKind = Parameters<VectorStore["replace"]>[1];
type Entry = Parameters<VectorStore["replace"]>[3][number];

export function vectorStore(connection: Connection): VectorStore {
  return {
    replace(key, ownerKind, ownerId, entries) {
      const blobs = entries.map(({ text, vector }) => ({ text, vector: toBlob(key, vector) }));
      connection.transaction(() => {
        const embedderId = registerEmbedder(connection, key);
        keepOnlySameTexts(connection, embedderId, ownerKind, ownerId, entries);
        for (const { text, vector } of blobs) {
          connection.run("INSERT INTO texts (owner_kind, owner_id, text) VALUES (:ownerKind, :ownerId, :text) ON CONFLICT DO NOTHING", {
            ownerKind,
            ownerId,
            text,
          });
          connection.run(
            `INSERT INTO vectors (embedder_id, owner_kind, text_id, vector)
             SELECT :embedderId, :ownerKind, id, :vector FROM texts WHERE owner_kind = :ownerKind AND owner_id = :ownerId AND text = :text
             ON CONFLICT DO NOTHING`,
            { embedderId, ownerKind, ownerId, text, vector },
          );
        }
        keepMean(connection, key, embedderId, ownerKind, ownerId, entries);
      });
    },

    search: (key, ownerKind, vector, limit) =>
      connection.all<VectorHit>(
        `SELECT texts.owner_id AS ownerId, texts.text, 1.0 - nearest.distance AS score
         FROM (
           SELECT text_id, vec_distance_cosine(vector, :vector) AS distance FROM vectors
           WHERE embedder_id = (SELECT id FROM embedders WHERE key = :key) AND owner_kind = :ownerKind
           ORDER BY distance, text_id LIMIT :limit
         ) AS nearest
         JOIN texts ON texts.id = nearest.text_id
         ORDER BY nearest.distance, nearest.text_id`,
        { key: embedderKeyText(key), ownerKind, vector: toBlob(key, vector), limit },
      ),

    searchMeans: (key, ownerKind, vector, limit) =>
      connection.all<VectorHit>(
        `SELECT owner_id AS ownerId, '' AS text, 1.0 - vec_distance_cosine(vector, :vector) AS score FROM means
         WHERE embedder_id = (SELECT id FROM embedders WHERE key = :key) AND owner_kind = :ownerKind
         ORDER BY score DESC, owner_id LIMIT :limit`,
        { key: embedderKeyText(key), ownerKind, vector: toBlob(key, vector), limit },
      ),

    meansOf: (key, ownerKind, vector, ownerIds) =>
      connection.all<VectorHit>(
        `SELECT means.owner_id AS ownerId, '' AS text, 1.0 - vec_distance_cosine(means.vector, :vector) AS score
         FROM json_each(:ownerIds) AS wanted
         CROSS JOIN means ON means.embedder_id = (SELECT id FROM embedders WHERE key = :key)
           AND means.owner_kind = :ownerKind AND means.owner_id = wanted.value
         ORDER BY score DESC, means.owner_id`,
        { key: embedderKeyText(key), ownerKind, vector: toBlob(key, vector), ownerIds: JSON.stringify(ownerIds) },
      ),

    nearestOf: (key, ownerKind, vector, ownerIds) =>
      connection.all<VectorHit & { of: number }>(
        `SELECT texts.owner_id AS ownerId, texts.text, 1.0 - min(vec_distance_cosine(vectors.vector, :vector)) AS score, count(*) AS of
         FROM json_each(:ownerIds) AS wanted
         CROSS JOIN texts ON texts.owner_kind = :ownerKind AND texts.owner_id = wanted.value
         CROSS JOIN vectors ON vectors.text_id = texts.id AND vectors.embedder_id = (SELECT id FROM embedders WHERE key = :key)
         GROUP BY texts.owner_id ORDER BY score DESC, texts.owner_id`,
        { key: embedderKeyText(key), ownerKind, vector: toBlob(key, vector), ownerIds: JSON.stringify(ownerIds) },
      ),

    vectorsOf: (key, ownerKind, ownerId) =>
      connection
        .all<{ text: string; vector: Uint8Array }>(
          `SELECT texts.text, vectors.vector FROM texts JOIN vectors ON vectors.text_id = texts.id
           WHERE texts.owner_kind = :ownerKind AND texts.owner_id = :ownerId
             AND vectors.embedder_id = (SELECT id FROM embedders WHERE key = :key)
           ORDER BY vectors.id`,
          { key: embedderKeyText(key), ownerKind, ownerId },
        )
        .map(({ text, vector }) => ({ text, vector: fromBlob(vector) })),

    searchText(ownerKind, text, limit) {
      const query = fullTextQuery(text, "any");
      if (query === undefined) return [];
      return connection.all<{ ownerId: string; text: string }>(
        `SELECT texts.owner_id AS ownerId, texts.text FROM text_words JOIN texts ON texts.id = text_words.rowid
         WHERE text_words MATCH :query AND texts.owner_kind = :ownerKind ORDER BY text_words.rank LIMIT :limit`,
        { query, ownerKind, limit },
      );
    },

    missing: (key, ownerKind, ownerIds) =>
      connection
        .all<{ ownerId: string }>(
          `SELECT wanted.value AS ownerId FROM json_each(:ownerIds) AS wanted
           WHERE NOT EXISTS (
             SELECT 1 FROM texts JOIN vectors ON vectors.text_id = texts.id
             WHERE texts.owner_kind = :ownerKind AND texts.owner_id = wanted.value
               AND vectors.embedder_id = (SELECT id FROM embedders WHERE key = :key)
           )
           ORDER BY wanted.key`,
          { key: embedderKeyText(key), ownerKind, ownerIds: JSON.stringify(ownerIds) },
        )
        .map(({ ownerId }) => ownerId),

    unknown: (ownerKind, ownerIds) =>
      connection
        .all<{ ownerId: string }>(
          `SELECT wanted.value AS ownerId FROM json_each(:ownerIds) AS wanted
           WHERE NOT EXISTS (SELECT 1 FROM texts WHERE owner_kind = :ownerKind AND owner_id = wanted.value)
           ORDER BY wanted.key`,
          { ownerKind, ownerIds: JSON.stringify(ownerIds) },
        )
        .map(({ ownerId }) => ownerId),

    otherKeys: (key, ownerKind) =>
      connection
        .all<{ key: string }>(
          `SELECT key FROM embedders WHERE key <> :key AND EXISTS (SELECT 1 FROM vectors WHERE embedder_id = embedders.id AND owner_kind = :ownerKind)
           ORDER BY id`,
          { key: embedderKeyText(key), ownerKind },
        )
        .map((row) => row.key),

    remove(ownerId) {
      connection.forget(() => connection.run("DELETE FROM texts WHERE owner_kind IN ('phrasing', 'counter', 'episode') AND owner_id = :ownerId", { ownerId }));
    },
  };
}

function registerEmbedder(connection: Connection, key: EmbedderKey): number {
  const parameters = { key: embedderKeyText(key), dimension: key.dimension };
  connection.run("INSERT INTO embedders (key, dimension) VALUES (:key, :dimension) ON CONFLICT DO NOTHING", parameters);
  const row = connection.get<{ id: number }>("SELECT id FROM embedders WHERE key = :key", { key: parameters.key });
  return row?.id ?? 0;
}

/**
 * An owner has one set of texts. Another set makes every older vector of it obsolete, also under other embedders, which
 * `missing` then reports; the same set under another embedder leaves that one's vectors alone.
 */
function keepOnlySameTexts(connection: Connection, embedderId: number, ownerKind: OwnerKind, ownerId: string, entries: readonly Entry[]): void {
  const stored = connection.all<{ id: number; text: string }>("SELECT id, text FROM texts WHERE owner_kind = :ownerKind AND owner_id = :ownerId", {
    ownerKind,
    ownerId,
  });
  const wanted = new Set(entries.map(({ text }) => text));
  if (stored.length !== wanted.size || stored.some(({ text }) => !wanted.has(text))) {
    connection.run("DELETE FROM texts WHERE owner_kind = :ownerKind AND owner_id = :ownerId", { ownerKind, ownerId });
    return;
  }
  for (const { id } of stored) connection.run("DELETE FROM vectors WHERE text_id = :id AND embedder_id = :embedderId", { id, embedderId });
}

/** The mean of what an owner has; none where its vectors cancel out, or there are none. */
function keepMean(connection: Connection, key: EmbedderKey, embedderId: number, ownerKind: OwnerKind, ownerId: string, entries: readonly Entry[]): void {
  const owner = { embedderId, ownerKind, ownerId };
  connection.run("DELETE FROM means WHERE embedder_id = :embedderId AND owner_kind = :ownerKind AND owner_id = :ownerId", owner);
  const mean = meanOf(entries.map(({ vector }) => vector));
  if (mean.every((value) => value === 0)) return;
  connection.run("INSERT INTO means (embedder_id, owner_kind, owner_id, vector) VALUES (:embedderId, :ownerKind, :ownerId, :vector)", {
    ...owner,
    vector: toBlob(key, mean),
  });
}

/** Float32 in the machine's (everywhere little-endian) order, as sqlite-vec reads it. */
export function toBlob(key: EmbedderKey, vector: Float32Array): Uint8Array {
  if (vector.length !== key.dimension) {
    throw new KnackError("store.dimension", `A vector of ${vector.length} dimensions cannot be kept or compared under an embedder of ${key.dimension}.`, {
      fields: { embedder: embedderKeyText(key), dimension: vector.length },
    });
  }
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length) || length === 0) {
    throw new KnackError(
      "store.vector",
      "A vector without direction (all zero, or not a number) cannot be compared. The embedding model failed; verify its file.",
      {
        fields: { embedder: embedderKeyText(key) },
      },
    );
  }
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}

export function fromBlob(blob: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(blob).buffer);
}
