/**
 * Which episodes changed since learning read them, and which of them are alike.
 *
 * Changes are numbered, not dated: two fall into one millisecond, and a clock is put back. The number is never given twice, so that a change after an
 * erasure is not taken for one that was read. Episodes that clustering could ever join are one group; a group that was touched is clustered anew.
 */
export const sql = `
CREATE TABLE episode_changes (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  last INTEGER NOT NULL
) STRICT;
INSERT INTO episode_changes (only, last) SELECT 1, coalesce(max(seq), 0) FROM episodes;
ALTER TABLE episodes ADD COLUMN change INTEGER NOT NULL DEFAULT 0;
UPDATE episodes SET change = seq;
CREATE INDEX episodes_by_change ON episodes (change);
CREATE TRIGGER episodes_numbered AFTER INSERT ON episodes BEGIN
  UPDATE episode_changes SET last = last + 1;
  UPDATE episodes SET change = (SELECT last FROM episode_changes) WHERE seq = NEW.seq;
END;
CREATE TRIGGER episodes_renumbered AFTER UPDATE OF conversation_id, goal, outcome, open, created_at ON episodes BEGIN
  UPDATE episode_changes SET last = last + 1;
  UPDATE episodes SET change = (SELECT last FROM episode_changes) WHERE seq = NEW.seq;
END;

UPDATE learning_progress SET watermark = 0;
ALTER TABLE learning_progress ADD COLUMN embedder TEXT NOT NULL DEFAULT '';

CREATE TABLE ways (
  id INTEGER PRIMARY KEY,
  site TEXT NOT NULL,
  effect TEXT NOT NULL,
  shapes TEXT NOT NULL CHECK (json_valid(shapes)),
  UNIQUE (site, effect, shapes)
) STRICT;

CREATE TABLE episode_groups (
  id INTEGER PRIMARY KEY,
  touched INTEGER NOT NULL CHECK (touched IN (0, 1))
) STRICT;
CREATE INDEX episode_groups_touched ON episode_groups (id) WHERE touched = 1;

CREATE TABLE grouped_episodes (
  episode_id TEXT NOT NULL PRIMARY KEY,
  group_id INTEGER NOT NULL REFERENCES episode_groups (id),
  way_id INTEGER REFERENCES ways (id),
  outcome TEXT NOT NULL,
  went_well INTEGER NOT NULL CHECK (went_well IN (0, 1)),
  nearness REAL,
  created_at INTEGER NOT NULL,
  controls TEXT NOT NULL CHECK (json_valid(controls)),
  left_out TEXT
) STRICT;
CREATE INDEX grouped_episodes_by_group ON grouped_episodes (group_id, created_at, episode_id);
CREATE INDEX grouped_episodes_by_way ON grouped_episodes (way_id, went_well, group_id);

CREATE TABLE clusters (
  id INTEGER PRIMARY KEY,
  group_id INTEGER NOT NULL REFERENCES episode_groups (id),
  members TEXT NOT NULL CHECK (json_valid(members)),
  size INTEGER NOT NULL,
  goal TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('short', 'waiting', 'blocked', 'settled')),
  decision TEXT NOT NULL,
  reason TEXT NOT NULL,
  skill_id TEXT,
  skill_name TEXT,
  stamp TEXT,
  told INTEGER NOT NULL CHECK (told IN (0, 1))
) STRICT;
CREATE INDEX clusters_by_group ON clusters (group_id);
CREATE INDEX clusters_to_work ON clusters (state, told, size, id) WHERE state IN ('waiting', 'blocked');
CREATE INDEX clusters_to_tell ON clusters (id) WHERE told = 0;
CREATE INDEX clusters_of_skills ON clusters (skill_id) WHERE skill_id IS NOT NULL;

CREATE TRIGGER grouped_episodes_go AFTER DELETE ON episodes BEGIN
  DELETE FROM grouped_episodes WHERE episode_id = OLD.id;
END;
-- What was found of a group holds the goals of those in it; it is clustered anew without the one that went.
-- One that failed is where the nearest one is that went well; where that one is now has to be looked for anew.
CREATE INDEX grouped_episodes_adrift ON grouped_episodes (episode_id) WHERE nearness < -1;
CREATE TRIGGER failures_adrift AFTER DELETE ON grouped_episodes WHEN OLD.went_well = 1 BEGIN
  UPDATE grouped_episodes SET nearness = -2 WHERE group_id = OLD.group_id AND went_well = 0 AND left_out IS NULL;
END;
CREATE TRIGGER groups_forget AFTER DELETE ON grouped_episodes BEGIN
  UPDATE episode_groups SET touched = 1 WHERE id = OLD.group_id;
  DELETE FROM clusters WHERE group_id = OLD.group_id AND EXISTS (SELECT 1 FROM json_each(members) AS member WHERE member.value ->> 0 = OLD.episode_id);
  DELETE FROM ways WHERE id = OLD.way_id AND NOT EXISTS (SELECT 1 FROM grouped_episodes WHERE way_id = OLD.way_id);
END;
`;
