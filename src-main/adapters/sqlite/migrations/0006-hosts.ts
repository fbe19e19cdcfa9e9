/** Which process a turn runs in, so that what another living process is doing is not taken for what a dead one left. */
export const sql = `
ALTER TABLE turns ADD COLUMN host TEXT;
DROP INDEX turns_running;
CREATE INDEX turns_running ON turns (host) WHERE status = 'running';
`;
