/**
 * What a conversation's prompt holds, the short texts that stand in it for older turns, and results of steps of which the model read a part. A compaction
 * quotes the turns it takes in, so it goes as soon as one of them does; what was said is still there, and can be compacted again.
 */
export const sql = `
ALTER TABLE conversations ADD COLUMN context_used INTEGER;
ALTER TABLE conversations ADD COLUMN context_size INTEGER;

CREATE TABLE compactions (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  through_turn_id TEXT NOT NULL,
  turns INTEGER NOT NULL,
  text TEXT NOT NULL,
  tokens_before INTEGER NOT NULL,
  tokens_after INTEGER NOT NULL,
  made_at INTEGER NOT NULL,
  undone_at INTEGER
) STRICT;
CREATE INDEX compactions_by_conversation ON compactions (conversation_id, seq);

CREATE TRIGGER compactions_forget AFTER DELETE ON turns BEGIN
  DELETE FROM compactions WHERE conversation_id = OLD.conversation_id;
END;

CREATE TABLE step_results (
  step_id TEXT NOT NULL PRIMARY KEY REFERENCES steps (id) ON DELETE CASCADE,
  text TEXT NOT NULL
) STRICT;
`;
