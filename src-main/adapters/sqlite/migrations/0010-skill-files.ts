/**
 * The files that revisions were read from. A skill of a pack takes revisions from its pack alone and takes no part in
 * superseding, whoever writes (SPEC 3.1: authored skills are immutable to learning).
 */
export const sql = `
CREATE TABLE skill_files (
  skill_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  path TEXT NOT NULL,
  digest TEXT NOT NULL,
  extra TEXT NOT NULL CHECK (json_valid(extra)),
  diagnostics TEXT NOT NULL CHECK (json_valid(diagnostics)),
  PRIMARY KEY (skill_id, revision),
  FOREIGN KEY (skill_id, revision) REFERENCES revisions (skill_id, number) ON DELETE CASCADE
) STRICT;

CREATE TRIGGER authored_apart BEFORE INSERT ON revisions
WHEN EXISTS (
  SELECT 1 FROM revisions WHERE skill_id = NEW.skill_id AND author <> NEW.author AND (author GLOB 'authored:*' OR NEW.author GLOB 'authored:*')
) BEGIN
  SELECT RAISE(ABORT, 'a skill of a pack is changed by its pack alone');
END;
CREATE TRIGGER authored_unmerged BEFORE UPDATE OF superseded_by ON skills
WHEN NEW.superseded_by IS NOT NULL AND EXISTS (
  SELECT 1 FROM revisions WHERE skill_id IN (NEW.id, NEW.superseded_by) AND author GLOB 'authored:*'
) BEGIN
  SELECT RAISE(ABORT, 'a skill of a pack is never merged');
END;
`;
