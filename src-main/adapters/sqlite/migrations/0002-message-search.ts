/**
 * Full-text search over messages. A message is indexed once it stands still: while an answer streams, its text is
 * rewritten many times a second. "secure-delete" takes a removed message's words out of the index as well.
 */
export const sql = `
CREATE VIEW settled_messages AS SELECT seq, text FROM messages WHERE status <> 'streaming';

CREATE VIRTUAL TABLE message_words USING fts5 (
  text, content = 'settled_messages', content_rowid = 'seq', tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO message_words (message_words, rank) VALUES ('secure-delete', 1);
INSERT INTO message_words (message_words) VALUES ('rebuild');

CREATE TRIGGER message_words_added AFTER INSERT ON messages WHEN NEW.status <> 'streaming' BEGIN
  INSERT INTO message_words (rowid, text) VALUES (NEW.seq, NEW.text);
END;
CREATE TRIGGER message_words_removed AFTER DELETE ON messages WHEN OLD.status <> 'streaming' BEGIN
  INSERT INTO message_words (message_words, rowid, text) VALUES ('delete', OLD.seq, OLD.text);
END;
CREATE TRIGGER message_words_changed AFTER UPDATE OF text, status ON messages BEGIN
  INSERT INTO message_words (message_words, rowid, text) SELECT 'delete', OLD.seq, OLD.text WHERE OLD.status <> 'streaming';
  INSERT INTO message_words (rowid, text) SELECT NEW.seq, NEW.text WHERE NEW.status <> 'streaming';
END;
`;
