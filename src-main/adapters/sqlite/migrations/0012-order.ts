/**
 * The ledger and the runs of a skill in the order they were written. By their hour, what was written after a clock was put back would stand before
 * what came earlier: the newest change could not be taken back, and runs from a wrong tomorrow would stay the newest ones.
 * Who made a proposal: it is the author of the revision that comes of it.
 */
export const sql = `
DROP INDEX ledger_by_skill;
CREATE INDEX ledger_by_skill ON ledger (skill_id, seq);
DROP INDEX ledger_switched_on;
CREATE INDEX ledger_switched_on ON ledger (skill_id, seq) WHERE after IN ('provisional', 'active');
DROP INDEX runs_by_revision;
CREATE INDEX runs_by_revision ON runs (skill_id, revision, seq);
CREATE INDEX runs_in_order ON runs (skill_id, seq);
ALTER TABLE proposals ADD COLUMN author TEXT NOT NULL DEFAULT 'agent:inline';
`;
