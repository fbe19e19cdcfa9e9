import type { Grant } from "#contract/grants/schema.ts";
import type { GrantStore } from "#core/ports/stores.ts";
import type { Connection } from "./connection.ts";

/** Grants, oldest first. */
export function grantStore(connection: Connection): GrantStore {
  return {
    add(grant) {
      connection.run("INSERT INTO grants (id, kind, content, created_at) VALUES (:id, :kind, :content, :createdAt)", {
        id: grant.id,
        kind: grant.kind,
        content: JSON.stringify(grant),
        createdAt: grant.createdAt,
      });
    },
    remove(id) {
      connection.run("DELETE FROM grants WHERE id = :id", { id });
    },
    list: () => connection.all<{ content: string }>("SELECT content FROM grants ORDER BY created_at, id").map(({ content }) => JSON.parse(content) as Grant),
  };
}
