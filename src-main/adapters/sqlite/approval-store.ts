import type { StandingApproval } from "#contract/approvals/schema.ts";
import type { ApprovalStore } from "#core/ports/stores.ts";
import type { Connection } from "./connection.ts";

const columns = "id, family, words, conversation_id AS conversationId, created_at AS createdAt, last_used_at AS lastUsedAt, by";

export function approvalStore(connection: Connection): ApprovalStore {
  return {
    add(approval) {
      connection.run(
        `INSERT INTO standing_approvals (id, family, words, conversation_id, created_at, last_used_at, by)
         VALUES (:id, :family, :words, :conversationId, :createdAt, :lastUsedAt, :by)`,
        { ...approval },
      );
    },
    covering: (family, conversationId) =>
      connection.get<StandingApproval>(
        `SELECT ${columns} FROM standing_approvals WHERE family = :family AND (conversation_id IS NULL OR conversation_id = :conversationId)
         ORDER BY conversation_id IS NOT NULL, seq LIMIT 1`,
        { family, conversationId },
      ),
    markUsed(id, at) {
      connection.run("UPDATE standing_approvals SET last_used_at = :at WHERE id = :id", { id, at });
    },
    remove(id) {
      connection.change("approval", "DELETE FROM standing_approvals WHERE id = :id", { id });
    },
    list: () => connection.all<StandingApproval>(`SELECT ${columns} FROM standing_approvals ORDER BY seq`),
  };
}
