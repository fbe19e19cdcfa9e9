/**
 * Where a message of the user tells of something they had forgotten later: the message stays as they wrote it, and no model reads that part again. No word of
 * it is written down a second time.
 */
export const sql = `
CREATE TABLE forgotten_spans (
  message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  "start" INTEGER NOT NULL,
  "end" INTEGER NOT NULL CHECK ("end" > "start"),
  PRIMARY KEY (message_id, "start", "end")
) STRICT, WITHOUT ROWID;
`;
