/**
 * What the similarities of an embedder mean, and what the user's answers said of them since. Of every owner of vectors the mean of them, which finds
 * a skill by what all its phrasings have in common; and the vectors of what a skill is not for. Texts kept before have no mean: they go, and are embedded
 * anew at the next use.
 */
export const sql = `
DROP TRIGGER texts_go_with_episode;
DROP TRIGGER texts_go_with_skill;
DROP TABLE text_words;
DROP TABLE vectors;
DROP TABLE texts;

CREATE TABLE texts (
  id INTEGER PRIMARY KEY,
  owner_kind TEXT NOT NULL CHECK (owner_kind IN ('phrasing', 'counter', 'episode')),
  owner_id TEXT NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (owner_kind, owner_id, text)
) STRICT;

CREATE TABLE vectors (
  id INTEGER PRIMARY KEY,
  embedder_id INTEGER NOT NULL REFERENCES embedders (id),
  owner_kind TEXT NOT NULL,
  text_id INTEGER NOT NULL REFERENCES texts (id) ON DELETE CASCADE,
  vector BLOB NOT NULL
) STRICT;
CREATE INDEX vectors_by_embedder ON vectors (embedder_id, owner_kind);
CREATE UNIQUE INDEX vectors_by_text ON vectors (text_id, embedder_id);

CREATE TRIGGER vectors_fit BEFORE INSERT ON vectors
WHEN length(NEW.vector) <> 4 * (SELECT dimension FROM embedders WHERE id = NEW.embedder_id) BEGIN
  SELECT RAISE(ABORT, 'a vector has the dimension of its embedder');
END;

CREATE VIRTUAL TABLE text_words USING fts5 (
  text, content = 'texts', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO text_words (text_words, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER text_words_added AFTER INSERT ON texts BEGIN
  INSERT INTO text_words (rowid, text) VALUES (NEW.id, NEW.text);
END;
CREATE TRIGGER text_words_removed AFTER DELETE ON texts BEGIN
  INSERT INTO text_words (text_words, rowid, text) VALUES ('delete', OLD.id, OLD.text);
END;

CREATE TRIGGER texts_go_with_episode AFTER DELETE ON episodes BEGIN
  DELETE FROM texts WHERE owner_kind = 'episode' AND owner_id = OLD.id;
END;
CREATE TRIGGER texts_go_with_skill AFTER DELETE ON skills BEGIN
  DELETE FROM texts WHERE owner_kind IN ('phrasing', 'counter') AND owner_id = OLD.id;
END;

CREATE TABLE calibrations (
  key TEXT PRIMARY KEY,
  calibration TEXT NOT NULL
) STRICT;

CREATE TABLE recall_answers (
  seq INTEGER PRIMARY KEY,
  key TEXT NOT NULL,
  certainty REAL NOT NULL,
  is_right INTEGER NOT NULL CHECK (is_right IN (0, 1)),
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX recall_answers_by_key ON recall_answers (key, seq);

CREATE TABLE means (
  embedder_id INTEGER NOT NULL REFERENCES embedders (id),
  owner_kind TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (embedder_id, owner_kind, owner_id)
) STRICT;
CREATE INDEX means_by_owner ON means (owner_kind, owner_id);
CREATE TRIGGER means_go_with_texts AFTER DELETE ON texts BEGIN
  DELETE FROM means WHERE owner_kind = OLD.owner_kind AND owner_id = OLD.owner_id;
END;
`;
