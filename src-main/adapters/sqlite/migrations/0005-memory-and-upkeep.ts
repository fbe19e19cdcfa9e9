/** Facts about the user, grants, alerts, what learning did, settings. */
export const sql = `
CREATE TABLE facts (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  text TEXT NOT NULL,
  source TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX facts_by_creation ON facts (created_at, seq);

CREATE VIRTUAL TABLE fact_words USING fts5 (
  text, content = 'facts', content_rowid = 'seq', tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO fact_words (fact_words, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER fact_words_added AFTER INSERT ON facts BEGIN
  INSERT INTO fact_words (rowid, text) VALUES (NEW.seq, NEW.text);
END;
CREATE TRIGGER fact_words_removed AFTER DELETE ON facts BEGIN
  INSERT INTO fact_words (fact_words, rowid, text) VALUES ('delete', OLD.seq, OLD.text);
END;
CREATE TRIGGER fact_words_changed AFTER UPDATE OF text ON facts BEGIN
  INSERT INTO fact_words (fact_words, rowid, text) VALUES ('delete', OLD.seq, OLD.text);
  INSERT INTO fact_words (rowid, text) VALUES (NEW.seq, NEW.text);
END;

CREATE TABLE grants (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  content TEXT NOT NULL CHECK (json_valid(content)),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE alerts (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  title TEXT NOT NULL,
  detail TEXT NOT NULL,
  skill_id TEXT,
  created_at INTEGER NOT NULL,
  resolved_at INTEGER,
  resolution TEXT
) STRICT;
CREATE INDEX alerts_by_creation ON alerts (created_at, seq);
CREATE INDEX alerts_unresolved ON alerts (created_at, seq) WHERE resolved_at IS NULL;
CREATE INDEX alerts_by_skill ON alerts (skill_id) WHERE skill_id IS NOT NULL;

CREATE TABLE pass_reports (
  id TEXT NOT NULL PRIMARY KEY,
  started_at INTEGER NOT NULL,
  report TEXT NOT NULL CHECK (json_valid(report))
) STRICT;
CREATE INDEX pass_reports_by_start ON pass_reports (started_at, id);

CREATE TABLE showings (
  id TEXT NOT NULL PRIMARY KEY,
  created_at INTEGER NOT NULL,
  showing TEXT NOT NULL CHECK (json_valid(showing))
) STRICT;
CREATE INDEX showings_by_creation ON showings (created_at, id);

CREATE TABLE learning_progress (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  watermark INTEGER NOT NULL
) STRICT;
INSERT INTO learning_progress (only, watermark) VALUES (1, 0);

CREATE TABLE settings (
  key TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL CHECK (json_valid(value))
) STRICT;
`;
