import type { LedgerEntry, Revision, RevisionContent } from "#contract/skills/schema.ts";
import type { Connection } from "./connection.ts";

interface RevisionRow {
  readonly skillId: string;
  readonly number: number;
  readonly content: string;
  readonly body: string;
  readonly author: string;
  readonly evidence: string;
  readonly createdAt: number;
  readonly contentHash: string;
}

const revisionColumns = "skill_id AS skillId, number, content, body, author, evidence, created_at AS createdAt, content_hash AS contentHash";
const ledgerColumns = "id, skill_id AS skillId, action, actor, reason, before, after, at";

/** Appends; the schema refuses any number but the next. */
export function insertRevision(connection: Connection, revision: Revision): void {
  const { skillId, number, body, author, evidence, createdAt, contentHash, ...content } = revision;
  connection.run(
    `INSERT INTO revisions (skill_id, number, content, body, author, evidence, created_at, content_hash)
     VALUES (:skillId, :number, :content, :body, :author, :evidence, :createdAt, :contentHash)`,
    { skillId, number, content: JSON.stringify(content), body, author, evidence: JSON.stringify(evidence), createdAt, contentHash },
  );
}

export function selectRevision(connection: Connection, skillId: string, number: number): Revision | undefined {
  const row = connection.get<RevisionRow>(`SELECT ${revisionColumns} FROM revisions WHERE skill_id = :skillId AND number = :number`, { skillId, number });
  return row && toRevision(row);
}

export function selectRevisions(connection: Connection, skillId: string): Revision[] {
  return connection.all<RevisionRow>(`SELECT ${revisionColumns} FROM revisions WHERE skill_id = :skillId ORDER BY number`, { skillId }).map(toRevision);
}

export function insertLedgerEntry(connection: Connection, { id, skillId, action, actor, reason, before, after, at }: LedgerEntry): void {
  connection.run(
    `INSERT INTO ledger (id, skill_id, action, actor, reason, before, after, at)
     VALUES (:id, :skillId, :action, :actor, :reason, :before, :after, :at)`,
    { id, skillId, action, actor, reason, before, after, at },
  );
}

export function selectLedger(connection: Connection, skillId: string): LedgerEntry[] {
  return connection.all<LedgerEntry>(`SELECT ${ledgerColumns} FROM ledger WHERE skill_id = :skillId ORDER BY at, seq`, { skillId });
}

export function selectLedgerEntry(connection: Connection, id: string): LedgerEntry | undefined {
  return connection.get<LedgerEntry>(`SELECT ${ledgerColumns} FROM ledger WHERE id = :id`, { id });
}

function toRevision({ content, evidence, ...row }: RevisionRow): Revision {
  return { ...(JSON.parse(content) as RevisionContent), ...row, evidence: JSON.parse(evidence) as string[] };
}
