/** Revisions that were proposed and wait for a person; nothing changes until one is accepted (SPEC 3.7). */
export const sql = `
CREATE TABLE proposals (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  skill_id TEXT NOT NULL REFERENCES skills (id),
  base INTEGER NOT NULL,
  content TEXT NOT NULL CHECK (json_valid(content)),
  diff TEXT NOT NULL,
  reason TEXT NOT NULL,
  evidence TEXT NOT NULL CHECK (json_valid(evidence)),
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  decided_at INTEGER
) STRICT;
CREATE INDEX proposals_by_skill ON proposals (skill_id, created_at, seq);
CREATE INDEX proposals_open ON proposals (created_at, seq) WHERE status = 'open';
ALTER TABLE alerts ADD COLUMN proposal_id TEXT;
`;
