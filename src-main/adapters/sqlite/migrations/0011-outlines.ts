/**
 * A revision in short, for lists: with twelve steps a revision fills three pages of the file, so that a list of a thousand skills had megabytes to
 * read and parse for two sentences each. Written with the revision, gone with it; of each step it keeps the tool and the kind of
 * its check, null where there is none.
 */
export const outline = (revision: string): string => `
  SELECT ${revision}.skill_id, ${revision}.number, coalesce(json_extract(${revision}.content, '$.summary'), ''),
    coalesce(json_extract(${revision}.content, '$.whenToUse'), ''), ${revision}.author,
    coalesce(json_extract(${revision}.content, '$.capabilities.destinations'), '[]'),
    (SELECT json_group_array(json_array(json_extract(step.value, '$.call.tool'), (SELECT key FROM json_each(step.value, '$.check') LIMIT 1)))
      FROM json_each(${revision}.content, '$.steps') AS step)`;

export const sql = `
CREATE TABLE outlines (
  skill_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  summary TEXT NOT NULL,
  when_to_use TEXT NOT NULL,
  author TEXT NOT NULL,
  destinations TEXT NOT NULL CHECK (json_valid(destinations)),
  steps TEXT NOT NULL CHECK (json_valid(steps)),
  PRIMARY KEY (skill_id, number),
  FOREIGN KEY (skill_id, number) REFERENCES revisions (skill_id, number) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO outlines ${outline("revisions")} FROM revisions;
CREATE TRIGGER outlines_follow AFTER INSERT ON revisions BEGIN
  INSERT INTO outlines ${outline("NEW")};
END;

CREATE INDEX ledger_switched_on ON ledger (skill_id, at, seq) WHERE after IN ('provisional', 'active');
`;
