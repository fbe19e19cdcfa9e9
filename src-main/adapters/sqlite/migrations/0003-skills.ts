/**
 * Skills. Revisions and the ledger are append-only (SPEC 3): nothing updates them, and a row goes only while its
 * skill is listed in "erasures", which the erasing transaction fills and empties again.
 */
export const sql = `
CREATE TABLE skills (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL,
  active_revision INTEGER NOT NULL,
  pinned INTEGER NOT NULL CHECK (pinned IN (0, 1)),
  superseded_by TEXT REFERENCES skills (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  FOREIGN KEY (id, active_revision) REFERENCES revisions (skill_id, number) DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE INDEX skills_superseded ON skills (superseded_by) WHERE superseded_by IS NOT NULL;

CREATE TABLE revisions (
  skill_id TEXT NOT NULL REFERENCES skills (id),
  number INTEGER NOT NULL CHECK (number > 0),
  content TEXT NOT NULL CHECK (json_valid(content)),
  body TEXT NOT NULL,
  author TEXT NOT NULL,
  evidence TEXT NOT NULL CHECK (json_valid(evidence)),
  created_at INTEGER NOT NULL,
  content_hash TEXT NOT NULL,
  PRIMARY KEY (skill_id, number)
) STRICT;

CREATE TABLE ledger (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  skill_id TEXT NOT NULL,
  action TEXT NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  before TEXT,
  after TEXT,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX ledger_by_skill ON ledger (skill_id, at, seq);

CREATE TABLE runs (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  skill_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  episode_id TEXT NOT NULL,
  turn_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  inputs TEXT NOT NULL CHECK (json_valid(inputs)),
  outcome TEXT,
  finding TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  FOREIGN KEY (skill_id, revision) REFERENCES revisions (skill_id, number)
) STRICT;
CREATE INDEX runs_by_skill ON runs (skill_id, started_at, seq);
CREATE INDEX runs_by_revision ON runs (skill_id, revision, started_at, seq);
CREATE INDEX runs_by_turn ON runs (turn_id, seq);

CREATE TABLE phrasings (
  skill_id TEXT NOT NULL REFERENCES skills (id),
  text TEXT NOT NULL,
  counter INTEGER NOT NULL CHECK (counter IN (0, 1)),
  at INTEGER NOT NULL,
  PRIMARY KEY (skill_id, text)
) STRICT;

CREATE TABLE erasures (skill_id TEXT NOT NULL PRIMARY KEY) STRICT;

CREATE TRIGGER revisions_follow BEFORE INSERT ON revisions
WHEN NEW.number <> 1 + (SELECT coalesce(max(number), 0) FROM revisions WHERE skill_id = NEW.skill_id) BEGIN
  SELECT RAISE(ABORT, 'a revision takes the next number of its skill');
END;
CREATE TRIGGER revisions_stay BEFORE UPDATE ON revisions BEGIN
  SELECT RAISE(ABORT, 'a revision is never changed');
END;
CREATE TRIGGER revisions_kept BEFORE DELETE ON revisions
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE skill_id = OLD.skill_id) BEGIN
  SELECT RAISE(ABORT, 'a revision goes only when its skill is erased');
END;
CREATE TRIGGER ledger_follows BEFORE INSERT ON ledger
WHEN EXISTS (SELECT 1 FROM ledger WHERE id = NEW.id OR seq = NEW.seq) BEGIN
  SELECT RAISE(ABORT, 'a ledger entry is written once');
END;
CREATE TRIGGER ledger_stays BEFORE UPDATE ON ledger BEGIN
  SELECT RAISE(ABORT, 'a ledger entry is never changed');
END;
CREATE TRIGGER ledger_kept BEFORE DELETE ON ledger
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE skill_id = OLD.skill_id) BEGIN
  SELECT RAISE(ABORT, 'a ledger entry goes only when its skill is erased');
END;
`;
