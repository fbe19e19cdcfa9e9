/**
 * What dreams know. A fact they found names the message it quotes. What the user forgot or worded anew is remembered as a hash alone, so that it is not
 * found a second time. How far each conversation was looked at goes with the conversation.
 */
export const sql = `
ALTER TABLE facts ADD COLUMN conversation_id TEXT;
ALTER TABLE facts ADD COLUMN message_id TEXT;
ALTER TABLE facts ADD COLUMN sentence TEXT;
CREATE INDEX facts_by_conversation ON facts (conversation_id) WHERE conversation_id IS NOT NULL;

CREATE TABLE fact_tombstones (
  hash TEXT NOT NULL PRIMARY KEY
) STRICT;

CREATE TABLE dreams (
  conversation_id TEXT NOT NULL PRIMARY KEY REFERENCES conversations (id) ON DELETE CASCADE,
  messages INTEGER NOT NULL,
  state TEXT,
  at INTEGER NOT NULL
) STRICT;
`;
