import { outline } from "./0011-outlines.ts";

/**
 * What forgetting and explaining need to know: which goal a phrasing came from, how a turn came by its skill or none, which turns the control took part
 * in, and which episodes are gone, without a word of what they were about. A revision or a ledger row is rewritten only while its skill is listed in
 * "erasures", so that a person's erasing takes out what they erased and nothing else can.
 */
export const sql = `
CREATE TABLE gone_episodes (
  id TEXT NOT NULL PRIMARY KEY,
  how TEXT NOT NULL CHECK (how IN ('erased', 'pruned')),
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

ALTER TABLE phrasings ADD COLUMN episode_id TEXT;
ALTER TABLE turns ADD COLUMN choice TEXT;
ALTER TABLE revisions ADD COLUMN emptied_at INTEGER;

CREATE INDEX phrasings_by_episode ON phrasings (episode_id) WHERE episode_id IS NOT NULL;
CREATE INDEX turns_by_episode ON turns (episode_id, seq);
CREATE INDEX turns_controlled ON turns (seq) WHERE json_extract(recall, '$.control') IS NOT NULL;
CREATE INDEX messages_by_turn ON messages (turn_id);
CREATE INDEX runs_by_episode ON runs (episode_id, seq);

DROP TRIGGER revisions_stay;
CREATE TRIGGER revisions_stay BEFORE UPDATE ON revisions
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE skill_id = OLD.skill_id) OR NEW.skill_id <> OLD.skill_id OR NEW.number <> OLD.number BEGIN
  SELECT RAISE(ABORT, 'a revision is never changed');
END;
DROP TRIGGER ledger_stays;
CREATE TRIGGER ledger_stays BEFORE UPDATE ON ledger
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE skill_id = OLD.skill_id) OR NEW.skill_id <> OLD.skill_id OR NEW.id <> OLD.id BEGIN
  SELECT RAISE(ABORT, 'a ledger entry is never changed');
END;
CREATE TRIGGER outlines_renewed AFTER UPDATE OF content ON revisions BEGIN
  DELETE FROM outlines WHERE skill_id = NEW.skill_id AND number = NEW.number;
  INSERT INTO outlines ${outline("NEW")};
END;
`;
