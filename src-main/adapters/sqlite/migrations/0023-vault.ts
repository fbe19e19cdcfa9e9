/**
 * The audit log of the vault, a chain: each row holds the hash of the one before it, so that none can be changed or taken out without the rest telling.
 * And the passphrases that were wrong in a row, which every process counts together.
 */
export const sql = `
CREATE TABLE vault_log (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  action TEXT NOT NULL,
  entry TEXT NOT NULL,
  origin TEXT NOT NULL,
  decision TEXT NOT NULL,
  masks INTEGER NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE TABLE vault_attempts (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  failures INTEGER NOT NULL,
  last_at INTEGER NOT NULL
) STRICT;
CREATE TRIGGER vault_log_follows BEFORE INSERT ON vault_log
WHEN NEW.seq <> 1 + (SELECT coalesce(max(seq), 0) FROM vault_log) BEGIN
  SELECT RAISE(ABORT, 'a line of the audit log takes the next number');
END;
CREATE TRIGGER vault_log_stays BEFORE UPDATE ON vault_log BEGIN
  SELECT RAISE(ABORT, 'a line of the audit log is never changed');
END;
CREATE TRIGGER vault_log_kept BEFORE DELETE ON vault_log BEGIN
  SELECT RAISE(ABORT, 'a line of the audit log is never taken out');
END;
`;
