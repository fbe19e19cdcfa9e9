import type { Proposal } from "#contract/skills/schema.ts";
import type { ProposalStore } from "#core/ports/stores.ts";
import type { Connection } from "./connection.ts";

type ProposalRow = Omit<Proposal, "content" | "evidence"> & { content: string; evidence: string };

const proposalColumns = "id, skill_id AS skillId, base, author, content, diff, reason, evidence, status, created_at AS createdAt, decided_at AS decidedAt";

/** Proposed revisions, newest first. */
export function proposalStore(connection: Connection): ProposalStore {
  return {
    add({ content, evidence, ...proposal }) {
      connection.run(
        `INSERT INTO proposals (id, skill_id, base, author, content, diff, reason, evidence, status, created_at, decided_at)
         VALUES (:id, :skillId, :base, :author, :content, :diff, :reason, :evidence, :status, :createdAt, :decidedAt)`,
        { ...proposal, content: JSON.stringify(content), evidence: JSON.stringify(evidence) },
      );
    },
    get(id) {
      const row = connection.get<ProposalRow>(`SELECT ${proposalColumns} FROM proposals WHERE id = :id`, { id });
      return row && toProposal(row);
    },
    list({ all = false, skillId } = {}) {
      const open = all ? [] : ["status = 'open'"];
      const where = [...open, ...(skillId === undefined ? [] : ["skill_id = :skillId"])].join(" AND ");
      return connection
        .all<ProposalRow>(
          `SELECT ${proposalColumns} FROM proposals ${where === "" ? "" : `WHERE ${where}`} ORDER BY created_at DESC, seq DESC`,
          skillId === undefined ? {} : { skillId },
        )
        .map(toProposal);
    },
    erase(id) {
      connection.forget(() => {
        connection.run("DELETE FROM alerts WHERE proposal_id = :id", { id });
        connection.run("DELETE FROM proposals WHERE id = :id", { id });
      });
    },
    decide(id, status, at) {
      connection.change("proposal", "UPDATE proposals SET status = :status, decided_at = :at WHERE id = :id", { id, status, at });
    },
  };
}

function toProposal({ content, evidence, ...row }: ProposalRow): Proposal {
  return { ...row, content: JSON.parse(content) as Proposal["content"], evidence: JSON.parse(evidence) as string[] };
}
