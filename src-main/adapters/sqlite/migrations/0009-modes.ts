/** How a skill is to be followed, which a person chooses, and how a turn followed the one in charge. */
export const sql = `
ALTER TABLE skills ADD COLUMN mode TEXT NOT NULL DEFAULT 'advisory';
ALTER TABLE turns ADD COLUMN mode TEXT;
`;
