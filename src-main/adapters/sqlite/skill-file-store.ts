import type { SkillFile } from "#contract/skills/schema.ts";
import type { SkillFileStore } from "#core/ports/stores.ts";
import type { Connection } from "./connection.ts";

type SkillFileRow = Omit<SkillFile, "extra" | "diagnostics"> & { extra: string; diagnostics: string };

const fileColumns = "skill_id AS skillId, revision, path, digest, extra, diagnostics";

/** The files that revisions were read from; they go with their skill. */
export function skillFileStore(connection: Connection): SkillFileStore {
  return {
    put({ extra, diagnostics, ...file }) {
      connection.run(
        `INSERT INTO skill_files (skill_id, revision, path, digest, extra, diagnostics)
         VALUES (:skillId, :revision, :path, :digest, :extra, :diagnostics)
         ON CONFLICT (skill_id, revision) DO UPDATE
         SET path = excluded.path, digest = excluded.digest, extra = excluded.extra, diagnostics = excluded.diagnostics`,
        { ...file, extra: JSON.stringify(extra), diagnostics: JSON.stringify(diagnostics) },
      );
    },
    of(skillId, revision) {
      const row = connection.get<SkillFileRow>(`SELECT ${fileColumns} FROM skill_files WHERE skill_id = :skillId AND revision = :revision`, {
        skillId,
        revision,
      });
      return row && toFile(row);
    },
    authored: () =>
      connection
        .all<SkillFileRow>(
          `SELECT ${fileColumns} FROM skill_files AS file
           WHERE revision = (SELECT max(number) FROM revisions WHERE skill_id = file.skill_id)
             AND EXISTS (SELECT 1 FROM revisions WHERE skill_id = file.skill_id AND number = file.revision AND author GLOB 'authored:*')
           ORDER BY path, skill_id`,
        )
        .map(toFile),
  };
}

function toFile({ extra, diagnostics, ...row }: SkillFileRow): SkillFile {
  return { ...row, extra: JSON.parse(extra) as SkillFile["extra"], diagnostics: JSON.parse(diagnostics) as SkillFile["diagnostics"] };
}
