/**
 * Conversations and the trace of what was done in them.
 *
 * A message, a turn and an episode of one exchange are written in whatever order keeps the user's words safe first,
 * so they name each other without foreign keys; each of them belongs to its conversation and goes with it.
 */
export const sql = `
PRAGMA application_id = 1265525099;

CREATE TABLE conversations (
  id TEXT NOT NULL PRIMARY KEY,
  title TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX conversations_by_update ON conversations (updated_at, id);

CREATE TABLE messages (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  turn_id TEXT NOT NULL,
  role TEXT NOT NULL,
  text TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX messages_by_conversation ON messages (conversation_id, created_at, seq);
CREATE INDEX messages_streaming ON messages (seq) WHERE status = 'streaming';

CREATE TABLE turns (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  episode_id TEXT NOT NULL,
  status TEXT NOT NULL,
  skill_id TEXT,
  revision INTEGER,
  recall TEXT CHECK (json_valid(recall)),
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  tokens_evaluated INTEGER NOT NULL,
  tokens_reused INTEGER NOT NULL,
  tokens_generated INTEGER NOT NULL
) STRICT;
CREATE INDEX turns_by_conversation ON turns (conversation_id, started_at, seq);
CREATE INDEX turns_running ON turns (seq) WHERE status = 'running';

CREATE TABLE steps (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  turn_id TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
  episode_id TEXT NOT NULL,
  step_index INTEGER NOT NULL,
  tool TEXT NOT NULL,
  args TEXT NOT NULL CHECK (json_valid(args)),
  status TEXT NOT NULL,
  text TEXT NOT NULL,
  details TEXT NOT NULL CHECK (json_valid(details)),
  started_at INTEGER NOT NULL,
  duration_ms REAL,
  tokens_evaluated INTEGER NOT NULL,
  tokens_reused INTEGER NOT NULL,
  tokens_generated INTEGER NOT NULL
) STRICT;
CREATE INDEX steps_by_turn ON steps (turn_id, step_index, seq);
CREATE INDEX steps_by_episode ON steps (episode_id, seq);
CREATE INDEX steps_running ON steps (seq) WHERE status = 'running';

CREATE TABLE episodes (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  goal TEXT NOT NULL,
  outcome TEXT,
  reason TEXT,
  open INTEGER NOT NULL CHECK (open IN (0, 1)),
  created_at INTEGER NOT NULL,
  closed_at INTEGER
) STRICT;
CREATE INDEX episodes_by_conversation ON episodes (conversation_id, created_at, seq);
CREATE INDEX episodes_by_creation ON episodes (created_at, seq);
CREATE INDEX episodes_open ON episodes (conversation_id, created_at, seq) WHERE open = 1;
`;
