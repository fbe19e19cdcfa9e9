import { createHash } from "node:crypto";
import type { Fact, ProfileField } from "#contract/memory/schema.ts";
import type { FactStore } from "#core/ports/stores.ts";
import type { Connection } from "./connection.ts";
import { searchWords } from "./full-text-query.ts";

/** What two facts are told to be the same by, however they are worded. */
export type FactKeys = (text: string) => readonly string[];

type FactRow = Omit<Fact, "provenance"> & { conversationId: string | null; messageId: string | null; sentence: string | null };

const factColumns = `facts.id, facts.label, facts.text, facts.source, facts.created_at AS createdAt, facts.updated_at AS updatedAt,
  facts.conversation_id AS conversationId, facts.message_id AS messageId, facts.sentence`;
/** What a person has worded is theirs, whoever found it first. */
const dreamt = "agent:dreaming";

/** Facts, oldest first. */
export function factStore(connection: Connection, keysOf: FactKeys): FactStore {
  /** Leaves of a fact what tells it again, and none of its words. */
  function bury(id: string): void {
    const row = connection.get<{ text: string }>("SELECT text FROM facts WHERE id = :id", { id });
    for (const key of row ? keysOf(row.text) : [])
      connection.run("INSERT INTO fact_tombstones (hash) VALUES (:hash) ON CONFLICT (hash) DO NOTHING", { hash: hashOf(key) });
  }

  return {
    add({ provenance, ...fact }) {
      connection.run(
        `INSERT INTO facts (id, label, text, source, created_at, updated_at, conversation_id, message_id, sentence)
         VALUES (:id, :label, :text, :source, :createdAt, :updatedAt, :conversationId, :messageId, :sentence)`,
        { ...columnsOf(fact), ...placeOf(provenance) },
      );
    },
    update(id, text, at) {
      connection.transaction(() => {
        bury(id);
        connection.change(
          "fact",
          `UPDATE facts SET text = :text, updated_at = :at, source = CASE source WHEN '${dreamt}' THEN 'user' ELSE source END,
             conversation_id = NULL, message_id = NULL, sentence = NULL WHERE id = :id`,
          { id, text, at },
        );
      });
    },
    remove(id) {
      connection.forget(() => {
        bury(id);
        connection.run("DELETE FROM facts WHERE id = :id", { id });
      });
    },
    renew({ provenance, ...fact }) {
      const { id, label, text, updatedAt } = fact;
      connection.change(
        "fact",
        `UPDATE facts SET label = :label, text = :text, updated_at = :updatedAt, conversation_id = :conversationId, message_id = :messageId, sentence = :sentence
         WHERE id = :id AND source = '${dreamt}'`,
        { id, label, text, updatedAt, ...placeOf(provenance) },
      );
    },
    isForgotten: (keys) => keys.some((key) => connection.get("SELECT 1 FROM fact_tombstones WHERE hash = :hash", { hash: hashOf(key) }) !== undefined),
    loseConversation(conversationId) {
      connection.forget(() => connection.run("DELETE FROM facts WHERE conversation_id = :conversationId", { conversationId }));
    },
    loseMessages(messageIds) {
      connection.forget(() =>
        connection.run("DELETE FROM facts WHERE conversation_id IS NOT NULL AND message_id IN (SELECT value FROM json_each(:ids))", {
          ids: JSON.stringify(messageIds),
        }),
      );
    },
    list: () => connection.all<FactRow>(`SELECT ${factColumns} FROM facts ORDER BY created_at, seq`).map(toFact),
    search: (text, limit) =>
      searchWords(text, (query) =>
        connection
          .all<FactRow>(
            `SELECT ${factColumns} FROM fact_words JOIN facts ON facts.seq = fact_words.rowid
           WHERE fact_words MATCH :query ORDER BY fact_words.rank LIMIT :limit`,
            { query, limit },
          )
          .map(toFact),
      ),
    declined: () => connection.all<{ field: ProfileField }>("SELECT field FROM declined_fields ORDER BY field").map(({ field }) => field),
    decline(field, at) {
      connection.run("INSERT INTO declined_fields (field, at) VALUES (:field, :at) ON CONFLICT (field) DO NOTHING", { field, at });
    },
    undecline(field) {
      connection.run("DELETE FROM declined_fields WHERE field = :field", { field });
    },
  };
}

function hashOf(key: string): string {
  return createHash("sha256").update(key, "utf8").digest("hex");
}

function columnsOf({ id, label, text, source, createdAt, updatedAt }: Omit<Fact, "provenance">) {
  return { id, label, text, source, createdAt, updatedAt };
}

function placeOf(provenance: Fact["provenance"]) {
  return { conversationId: provenance?.conversationId ?? null, messageId: provenance?.messageId ?? null, sentence: provenance?.sentence ?? null };
}

function toFact({ conversationId, messageId, sentence, ...fact }: FactRow): Fact {
  return conversationId === null || messageId === null || sentence === null ? fact : { ...fact, provenance: { conversationId, messageId, sentence } };
}
