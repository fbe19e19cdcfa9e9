import { createHash, createHmac } from "node:crypto";
import type { Fact, FactVersion, ProfileField } from "#contract/memory/schema.ts";
import type { FactStore } from "#core/ports/stores.ts";
import type { Connection } from "./connection.ts";
import { searchWords } from "./full-text-query.ts";

/** What two facts are told to be the same by, however they are worded. */
export type FactKeys = (text: string) => readonly string[];

type PlaceColumns = { conversationId: string | null; messageId: string | null; sentence: string | null };
type FactRow = Omit<Fact, "provenance"> & PlaceColumns;
type VersionRow = Omit<FactVersion, "provenance"> & PlaceColumns;

const placeColumns = "conversation_id AS conversationId, message_id AS messageId, sentence";
const factColumns = `facts.id, facts.label, facts.text, facts.source, facts.created_at AS createdAt, facts.updated_at AS updatedAt, ${placeColumns}`;
/** What a person wrote, worded anew or brought along is theirs, and nobody else changes it. */
const ofUser = "('user', 'imported')";

/** Facts, oldest first; those that were let go of are kept apart until they are erased or taken back. */
export function factStore(connection: Connection, keysOf: FactKeys): FactStore {
  let sealKey: Uint8Array | undefined;
  const sealed = (hash: string): string => {
    sealKey ??= connection.get<{ key: Uint8Array }>("SELECT key FROM fact_seal WHERE only = 1")?.key;
    return createHmac("sha256", sealKey ?? "")
      .update(hash, "utf8")
      .digest("hex");
  };
  const digestOf = (key: string): string => sealed(hashOf(key));
  sealOld();

  /** Digests of a store that had no key yet. */
  function sealOld(): void {
    const old = connection.all<{ hash: string }>("SELECT hash FROM fact_tombstones WHERE sealed = 0");
    if (old.length === 0) return;
    connection.forget(() => {
      for (const { hash } of old)
        connection.run("UPDATE OR REPLACE fact_tombstones SET hash = :digest, sealed = 1 WHERE hash = :hash AND sealed = 0", { hash, digest: sealed(hash) });
    });
  }

  /** Leaves of a fact what tells it again, and none of its words. */
  function bury(id: string, at: number): void {
    const row = connection.get<{ text: string }>("SELECT text FROM facts WHERE id = :id", { id });
    for (const key of row ? keysOf(row.text) : [])
      connection.run("INSERT INTO fact_tombstones (hash, sealed, at) VALUES (:digest, 1, :at) ON CONFLICT (hash) DO UPDATE SET at = max(at, excluded.at)", {
        digest: digestOf(key),
        at,
      });
  }

  function unbury(keys: readonly string[]): void {
    for (const key of keys) connection.run("DELETE FROM fact_tombstones WHERE hash = :digest AND sealed = 1", { digest: digestOf(key) });
  }

  /** What a fact said until now. Throws "store.missing" where there is none that whoever writes it may change. */
  function keepVersion({ id, source, updatedAt: at }: Pick<Fact, "id" | "source" | "updatedAt">): void {
    connection.change(
      "fact",
      `INSERT INTO fact_history (fact_id, label, text, source, updated_at, replaced_at, conversation_id, message_id, sentence)
       SELECT id, label, text, source, updated_at, :at, conversation_id, message_id, sentence FROM facts
       WHERE id = :id AND let_go_at IS NULL AND (source NOT IN ${ofUser} OR :source IN ${ofUser})`,
      { id, source, at },
    );
  }

  /** Facts said in what is lost go; one that said something else before, elsewhere, says that again. */
  function lose(where: "conversation_id = :lost" | "conversation_id IS NOT NULL AND message_id IN (SELECT value FROM json_each(:lost))", lost: string): void {
    connection.forget(() => {
      const said = connection.all<{ id: string }>(`SELECT id FROM facts WHERE ${where}`, { lost });
      connection.run(`DELETE FROM fact_history WHERE ${where}`, { lost });
      for (const { id } of said) {
        const before = connection.get<VersionRow & { seq: number }>(
          `SELECT seq, label, text, source, updated_at AS updatedAt, ${placeColumns} FROM fact_history WHERE fact_id = :id ORDER BY seq DESC LIMIT 1`,
          { id },
        );
        if (!before) {
          connection.run("DELETE FROM facts WHERE id = :id", { id });
          continue;
        }
        const { label, text, source, updatedAt, conversationId, messageId, sentence } = before;
        write({ id, label, text, source, updatedAt, conversationId, messageId, sentence });
        connection.run("DELETE FROM fact_history WHERE seq = :seq", { seq: before.seq });
      }
    });
  }

  function write(row: Omit<FactRow, "createdAt">): number {
    const { id, label, text, source, updatedAt, conversationId, messageId, sentence } = row;
    return connection.run(
      `UPDATE facts SET label = :label, text = :text, source = :source, updated_at = :updatedAt, conversation_id = :conversationId, message_id = :messageId,
         sentence = :sentence WHERE id = :id`,
      { id, label, text, source, updatedAt, conversationId, messageId, sentence },
    );
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
      connection.forget(() => {
        bury(id, at);
        connection.change(
          "fact",
          `UPDATE facts SET text = :text, updated_at = :at, source = 'user', conversation_id = NULL, message_id = NULL, sentence = NULL
           WHERE id = :id AND let_go_at IS NULL`,
          { id, text, at },
        );
      });
    },
    relabel(id, label, at) {
      connection.change("fact", "UPDATE facts SET label = :label, updated_at = :at, source = 'user' WHERE id = :id AND let_go_at IS NULL", { id, label, at });
    },
    remove(id, at = 0) {
      connection.forget(() => {
        bury(id, at);
        connection.run("DELETE FROM facts WHERE id = :id", { id });
      });
    },
    renew({ provenance, ...fact }) {
      connection.transaction(() => {
        keepVersion(fact);
        write({ ...fact, ...placeOf(provenance) });
      });
    },
    history: (id) =>
      connection
        .all<VersionRow>(
          `SELECT label, text, source, updated_at AS updatedAt, replaced_at AS replacedAt, ${placeColumns} FROM fact_history WHERE fact_id = :id ORDER BY seq DESC`,
          { id },
        )
        .map(withPlace),
    isForgotten: (keys) => keys.some((key) => forgottenAt(key) !== undefined),
    forgottenAt: (keys) => {
      const times = keys.flatMap((key) => forgottenAt(key) ?? []);
      return times.length === 0 ? null : Math.max(...times);
    },
    unforget: unbury,
    loseConversation: (conversationId) => lose("conversation_id = :lost", conversationId),
    loseMessages: (messageIds) => lose("conversation_id IS NOT NULL AND message_id IN (SELECT value FROM json_each(:lost))", JSON.stringify(messageIds)),
    letGo(id, at) {
      connection.transaction(() => {
        bury(id, at);
        connection.change("fact", "UPDATE facts SET let_go_at = :at WHERE id = :id AND let_go_at IS NULL", { id, at });
      });
    },
    takeBack(id) {
      connection.transaction(() => {
        connection.change("fact", "UPDATE facts SET let_go_at = NULL WHERE id = :id AND let_go_at IS NOT NULL", { id });
        const row = connection.get<{ text: string }>("SELECT text FROM facts WHERE id = :id", { id });
        unbury(row ? keysOf(row.text) : []);
      });
    },
    letGoUntil: (at) =>
      connection
        .all<FactRow>(`SELECT ${factColumns} FROM facts WHERE let_go_at IS NOT NULL AND let_go_at <= :at ORDER BY let_go_at, seq`, { at })
        .map(withPlace),
    list: () => connection.all<FactRow>(`SELECT ${factColumns} FROM facts WHERE let_go_at IS NULL ORDER BY created_at, seq`).map(withPlace),
    search: (text, limit) =>
      searchWords(text, (query) =>
        connection
          .all<FactRow>(
            `SELECT ${factColumns} FROM fact_words JOIN facts ON facts.seq = fact_words.rowid
           WHERE fact_words MATCH :query AND facts.let_go_at IS NULL ORDER BY fact_words.rank LIMIT :limit`,
            { query, limit },
          )
          .map(withPlace),
      ),
    declined: () => connection.all<{ field: ProfileField }>("SELECT field FROM declined_fields ORDER BY field").map(({ field }) => field),
    decline(field, at) {
      connection.run("INSERT INTO declined_fields (field, at) VALUES (:field, :at) ON CONFLICT (field) DO NOTHING", { field, at });
    },
    undecline(field) {
      connection.run("DELETE FROM declined_fields WHERE field = :field", { field });
    },
  };

  function forgottenAt(key: string): number | undefined {
    return connection.get<{ at: number }>("SELECT at FROM fact_tombstones WHERE hash = :digest AND sealed = 1", { digest: digestOf(key) })?.at;
  }
}

function hashOf(key: string): string {
  return createHash("sha256").update(key, "utf8").digest("hex");
}

function columnsOf({ id, label, text, source, createdAt, updatedAt }: Omit<Fact, "provenance">) {
  return { id, label, text, source, createdAt, updatedAt };
}

function placeOf(provenance: Fact["provenance"]): PlaceColumns {
  return { conversationId: provenance?.conversationId ?? null, messageId: provenance?.messageId ?? null, sentence: provenance?.sentence ?? null };
}

function withPlace<Row extends PlaceColumns>({ conversationId, messageId, sentence, ...rest }: Row): Omit<Row, keyof PlaceColumns> & Pick<Fact, "provenance"> {
  return conversationId === null || messageId === null || sentence === null ? rest : { ...rest, provenance: { conversationId, messageId, sentence } };
}
