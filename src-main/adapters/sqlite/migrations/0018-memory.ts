/**
 * What memory has to keep beside its facts: what a fact said before a later word took its place, that a person let go of it and may still take that back,
 * and what they would rather not say. A digest of what was forgotten is keyed, so that nobody can look up words by it in a list made elsewhere; digests
 * that are not "sealed" are of before, and are sealed when the store is opened.
 */
export const sql = `
CREATE TABLE fact_history (
  seq INTEGER PRIMARY KEY,
  fact_id TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
  label TEXT NOT NULL,
  text TEXT NOT NULL,
  source TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  replaced_at INTEGER NOT NULL,
  conversation_id TEXT,
  message_id TEXT,
  sentence TEXT
) STRICT;
CREATE INDEX fact_history_by_fact ON fact_history (fact_id, seq);
CREATE INDEX fact_history_by_conversation ON fact_history (conversation_id) WHERE conversation_id IS NOT NULL;

ALTER TABLE facts ADD COLUMN let_go_at INTEGER;
CREATE INDEX facts_let_go ON facts (let_go_at) WHERE let_go_at IS NOT NULL;

ALTER TABLE fact_tombstones ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE fact_tombstones ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
CREATE INDEX fact_tombstones_unsealed ON fact_tombstones (hash) WHERE sealed = 0;
CREATE TABLE fact_seal (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  key BLOB NOT NULL
) STRICT;
INSERT INTO fact_seal (only, key) VALUES (1, randomblob(32));

CREATE TABLE declined_fields (
  field TEXT NOT NULL PRIMARY KEY CHECK (field IN ('name', 'location', 'role')),
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX steps_of_memory ON steps (tool) WHERE tool IN ('remember', 'recall', 'update_memory', 'forget', 'search_past_conversations');
`;
