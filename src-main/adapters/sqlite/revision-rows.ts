import type { LedgerEntry, Revision, RevisionContent } from "#contract/skills/schema.ts";
import type { Connection } from "./connection.ts";

export interface RevisionRow {
  readonly skillId: string;
  readonly number: number;
  readonly content: string;
  readonly body: string;
  readonly author: string;
  readonly evidence: string;
  readonly createdAt: number;
  readonly contentHash: string;
  readonly emptiedAt: number | null;
}

type LedgerRow = Omit<LedgerEntry, "beforeRevision" | "afterRevision" | "undoes"> & {
  readonly beforeRevision: number | null;
  readonly afterRevision: number | null;
  readonly undoes: string | null;
};

export const revisionColumns = `revisions.skill_id AS skillId, revisions.number, revisions.content, revisions.body, revisions.author, revisions.evidence,
  revisions.created_at AS createdAt, revisions.content_hash AS contentHash, revisions.emptied_at AS emptiedAt`;
const ledgerColumns =
  "id, skill_id AS skillId, action, actor, reason, before, after, before_revision AS beforeRevision, after_revision AS afterRevision, undoes, at";

/** Appends; the schema refuses any number but the next. */
export function insertRevision(connection: Connection, revision: Revision): void {
  const { skillId, number, body, author, evidence, createdAt, contentHash, emptiedAt: _emptiedAt, ...content } = revision;
  connection.run(
    `INSERT INTO revisions (skill_id, number, content, body, author, evidence, created_at, content_hash)
     VALUES (:skillId, :number, :content, :body, :author, :evidence, :createdAt, :contentHash)`,
    { skillId, number, content: JSON.stringify(content), body, author, evidence: JSON.stringify(evidence), createdAt, contentHash },
  );
}

/** Puts a revision in the place of itself; the schema refuses it but for a skill that is listed in "erasures". */
export function replaceRevision(connection: Connection, revision: Revision): void {
  const { skillId, number, body, author: _author, evidence, createdAt: _createdAt, contentHash, emptiedAt = null, ...content } = revision;
  connection.change(
    "revision",
    `UPDATE revisions SET content = :content, body = :body, evidence = :evidence, content_hash = :contentHash, emptied_at = :emptiedAt
     WHERE skill_id = :skillId AND number = :number`,
    { skillId, number, content: JSON.stringify(content), body, evidence: JSON.stringify(evidence), contentHash, emptiedAt },
  );
}

export function selectRevision(connection: Connection, skillId: string, number: number): Revision | undefined {
  const row = connection.get<RevisionRow>(`SELECT ${revisionColumns} FROM revisions WHERE skill_id = :skillId AND number = :number`, { skillId, number });
  return row && toRevision(row);
}

export function selectRevisions(connection: Connection, skillId: string): Revision[] {
  return connection.all<RevisionRow>(`SELECT ${revisionColumns} FROM revisions WHERE skill_id = :skillId ORDER BY number`, { skillId }).map(toRevision);
}

export function insertLedgerEntry(connection: Connection, entry: LedgerEntry): void {
  const { id, skillId, action, actor, reason, before, after, beforeRevision = null, afterRevision = null, undoes = null, at } = entry;
  connection.run(
    `INSERT INTO ledger (id, skill_id, action, actor, reason, before, after, before_revision, after_revision, undoes, at)
     VALUES (:id, :skillId, :action, :actor, :reason, :before, :after, :beforeRevision, :afterRevision, :undoes, :at)`,
    { id, skillId, action, actor, reason, before, after, beforeRevision, afterRevision, undoes, at },
  );
}

export function selectLedger(connection: Connection, skillId: string): LedgerEntry[] {
  return connection.all<LedgerRow>(`SELECT ${ledgerColumns} FROM ledger WHERE skill_id = :skillId ORDER BY seq`, { skillId }).map(toLedgerEntry);
}

export function selectLedgerEntry(connection: Connection, id: string): LedgerEntry | undefined {
  const row = connection.get<LedgerRow>(`SELECT ${ledgerColumns} FROM ledger WHERE id = :id`, { id });
  return row && toLedgerEntry(row);
}

function toLedgerEntry({ beforeRevision, afterRevision, undoes, ...row }: LedgerRow): LedgerEntry {
  return {
    ...row,
    ...(beforeRevision === null ? {} : { beforeRevision }),
    ...(afterRevision === null ? {} : { afterRevision }),
    ...(undoes === null ? {} : { undoes }),
  };
}

export function toRevision({ content, evidence, emptiedAt, ...row }: RevisionRow): Revision {
  return { ...(JSON.parse(content) as RevisionContent), ...row, evidence: JSON.parse(evidence) as string[], ...(emptiedAt === null ? {} : { emptiedAt }) };
}
