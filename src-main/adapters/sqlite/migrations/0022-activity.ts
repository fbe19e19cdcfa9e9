/**
 * What anything talked to. Rows go with the conversation and the turn they belong to; one that comes late, after those are gone, is not taken in.
 */
export const sql = `
CREATE TABLE contacts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  ended_at INTEGER,
  means TEXT NOT NULL CHECK (means IN ('browser', 'showing', 'web_fetch', 'models')),
  allowed INTEGER NOT NULL CHECK (allowed IN (0, 1)),
  code TEXT NOT NULL,
  scheme TEXT NOT NULL,
  host TEXT NOT NULL,
  port INTEGER NOT NULL,
  resolved TEXT NOT NULL,
  address TEXT NOT NULL,
  granted TEXT,
  grant_id TEXT,
  conversation_id TEXT,
  turn_id TEXT,
  sent INTEGER NOT NULL,
  received INTEGER NOT NULL,
  times INTEGER NOT NULL
) STRICT;

CREATE INDEX contacts_by_conversation ON contacts (conversation_id, seq) WHERE conversation_id IS NOT NULL;
CREATE INDEX contacts_by_turn ON contacts (turn_id) WHERE turn_id IS NOT NULL;
CREATE INDEX contacts_refused ON contacts (seq) WHERE allowed = 0;
CREATE INDEX contacts_by_time ON contacts (at);

CREATE TRIGGER contacts_with_conversation AFTER DELETE ON conversations BEGIN
  DELETE FROM contacts WHERE conversation_id = OLD.id;
END;
CREATE TRIGGER contacts_with_turn AFTER DELETE ON turns BEGIN
  DELETE FROM contacts WHERE turn_id = OLD.id;
END;
`;
