import type { Fact } from "#contract/memory/schema.ts";
import type { FactStore } from "#core/ports/stores.ts";
import type { Connection } from "./connection.ts";
import { searchWords } from "./full-text-query.ts";

const factColumns = "facts.id, facts.label, facts.text, facts.source, facts.created_at AS createdAt, facts.updated_at AS updatedAt";

/** Facts, oldest first. */
export function factStore(connection: Connection): FactStore {
  return {
    add({ id, label, text, source, createdAt, updatedAt }) {
      connection.run("INSERT INTO facts (id, label, text, source, created_at, updated_at) VALUES (:id, :label, :text, :source, :createdAt, :updatedAt)", {
        id,
        label,
        text,
        source,
        createdAt,
        updatedAt,
      });
    },
    update(id, text, at) {
      connection.change("fact", "UPDATE facts SET text = :text, updated_at = :at WHERE id = :id", { id, text, at });
    },
    remove(id) {
      connection.forget(() => connection.run("DELETE FROM facts WHERE id = :id", { id }));
    },
    list: () => connection.all<Fact>(`SELECT ${factColumns} FROM facts ORDER BY created_at, seq`),
    search: (text, limit) =>
      searchWords(text, (query) =>
        connection.all<Fact>(
          `SELECT ${factColumns} FROM fact_words JOIN facts ON facts.seq = fact_words.rowid
           WHERE fact_words MATCH :query ORDER BY fact_words.rank LIMIT :limit`,
          { query, limit },
        ),
      ),
  };
}
