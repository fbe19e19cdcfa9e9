/**
 * Showings stay with the skill they became, and are erased with it. Which process records one, so that a recording of a process that died is told from
 * one that still runs.
 */
export const sql = `
ALTER TABLE showings ADD COLUMN skill_id TEXT;
ALTER TABLE showings ADD COLUMN host TEXT;
UPDATE showings SET showing = json_set(
  showing, '$.aim', json('{"kind":"new"}'), '$.base', json('null'), '$.edits', json('[]'), '$.skillId', json('null')
);
UPDATE showings SET host = '' WHERE json_extract(showing, '$.status') = 'recording';
CREATE INDEX showings_by_skill ON showings (skill_id, created_at, id) WHERE skill_id IS NOT NULL;
CREATE INDEX showings_recording ON showings (host) WHERE host IS NOT NULL;
`;
