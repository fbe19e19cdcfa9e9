/**
 * Branches, folders, temporary and imported conversations, files that came with a message, and approvals that stand.
 *
 * A branch copies nothing: it names the conversation it goes on from and the last turn it shares. So a task is learned from once and erased once, and what is
 * erased is gone from every branch. When a conversation goes, what went on from it goes on from where that one did; when the last shared turn goes, the one
 * before it takes its place. A compaction may quote turns that a branch shares, so all of a family's go as soon as one of its turns does.
 */
export const sql = `
CREATE TABLE folders (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

ALTER TABLE conversations ADD COLUMN folder_id TEXT REFERENCES folders (id) ON DELETE SET NULL;
ALTER TABLE conversations ADD COLUMN branch_of TEXT;
ALTER TABLE conversations ADD COLUMN branch_after TEXT;
ALTER TABLE conversations ADD COLUMN family TEXT;
ALTER TABLE conversations ADD COLUMN temporary_host TEXT;
ALTER TABLE conversations ADD COLUMN imported INTEGER NOT NULL DEFAULT 0 CHECK (imported IN (0, 1));
CREATE INDEX conversations_by_folder ON conversations (folder_id) WHERE folder_id IS NOT NULL;
CREATE INDEX conversations_by_branch ON conversations (branch_of) WHERE branch_of IS NOT NULL;
CREATE INDEX conversations_by_family ON conversations (family) WHERE family IS NOT NULL;
CREATE INDEX conversations_by_branch_turn ON conversations (branch_after) WHERE branch_after IS NOT NULL;
CREATE INDEX conversations_temporary ON conversations (temporary_host) WHERE temporary_host IS NOT NULL;
CREATE INDEX conversations_unlearned ON conversations (id) WHERE temporary_host IS NOT NULL OR imported = 1;

CREATE TRIGGER branches_outlive_their_origin BEFORE DELETE ON conversations BEGIN
  UPDATE conversations SET branch_of = OLD.branch_of, branch_after = OLD.branch_after WHERE branch_of = OLD.id;
  DELETE FROM compactions WHERE conversation_id IN (SELECT id FROM conversations WHERE family = coalesce(OLD.family, OLD.id));
  DELETE FROM runs WHERE OLD.temporary_host IS NOT NULL AND episode_id IN (SELECT id FROM episodes WHERE conversation_id = OLD.id);
END;
CREATE TRIGGER branches_outlive_their_turn BEFORE DELETE ON turns BEGIN
  UPDATE conversations SET branch_after = (
    SELECT id FROM turns WHERE conversation_id = OLD.conversation_id AND (started_at, seq) < (OLD.started_at, OLD.seq) ORDER BY started_at DESC, seq DESC LIMIT 1
  ) WHERE branch_after = OLD.id;
  DELETE FROM compactions WHERE conversation_id IN (
    SELECT id FROM conversations WHERE family = (SELECT coalesce(family, id) FROM conversations WHERE id = OLD.conversation_id)
  );
END;

CREATE TABLE attachments (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  conversation_id TEXT NOT NULL,
  name TEXT NOT NULL,
  text TEXT NOT NULL,
  characters INTEGER NOT NULL,
  excerpt TEXT,
  read INTEGER,
  searched INTEGER NOT NULL DEFAULT 0 CHECK (searched IN (0, 1))
) STRICT;
CREATE INDEX attachments_by_message ON attachments (message_id, seq);
CREATE INDEX attachments_by_conversation ON attachments (conversation_id, seq);

CREATE TABLE standing_approvals (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  family TEXT NOT NULL,
  words TEXT NOT NULL,
  conversation_id TEXT REFERENCES conversations (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  by TEXT NOT NULL
) STRICT;
CREATE INDEX standing_approvals_by_family ON standing_approvals (family, seq);
CREATE INDEX standing_approvals_by_conversation ON standing_approvals (conversation_id) WHERE conversation_id IS NOT NULL;
`;
