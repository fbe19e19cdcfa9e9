import type { MakeId } from "#base/clock.ts";
import { KnackError } from "#contract/errors.ts";
import type { LedgerEntry, Skill } from "#contract/skills/schema.ts";
import type { SkillStore } from "#core/ports/stores.ts";
import type { Connection, Parameters } from "./connection.ts";
import { eraseSkill } from "./erase-skill.ts";
import { outlineRows } from "./outline-rows.ts";
import { insertLedgerEntry, insertRevision, replaceRevision, selectLedger, selectLedgerEntry, selectRevision, selectRevisions } from "./revision-rows.ts";
import { runRows } from "./run-rows.ts";
import { type SkillRow, skillColumns, toSkill } from "./skill-row.ts";

export function skillStore(connection: Connection, makeId: MakeId): SkillStore {
  const byName = (name: string): Skill | undefined => {
    const row = connection.get<SkillRow>(`SELECT ${skillColumns} FROM skills WHERE name = :name`, { name });
    return row && toSkill(row);
  };
  const changeSkill = (assignment: string, parameters: Parameters, entry: LedgerEntry): void =>
    connection.transaction(() => {
      connection.change("skill", `UPDATE skills SET ${assignment}, updated_at = :at WHERE id = :skillId`, parameters);
      insertLedgerEntry(connection, entry);
    });

  return {
    create(skill, revision, entry) {
      connection.transaction(() => {
        const other = byName(skill.name);
        if (other !== undefined) throw nameTaken(other);
        connection.run(
          `INSERT INTO skills (id, name, status, active_revision, pinned, mode, superseded_by, created_at, updated_at)
           VALUES (:id, :name, :status, :activeRevision, :pinned, :mode, :supersededBy, :createdAt, :updatedAt)`,
          { ...skill, pinned: skill.pinned ? 1 : 0 },
        );
        insertRevision(connection, revision);
        insertLedgerEntry(connection, entry);
      });
    },
    addRevision(revision, entry, at) {
      connection.transaction(() => {
        insertRevision(connection, revision);
        changeSkill("active_revision = :number", { skillId: revision.skillId, number: revision.number, at }, entry);
      });
    },
    setActiveRevision(skillId, number, entry, at) {
      connection.transaction(() => {
        if (selectRevision(connection, skillId, number) === undefined) {
          throw new KnackError("skill.no-revision", `The skill has no revision ${number}. "knack skills history NAME" lists those it has.`, {
            fields: { skillId, number },
          });
        }
        changeSkill("active_revision = :number", { skillId, number, at }, entry);
      });
    },
    setStatus: (skillId, status, entry, at, supersededBy = null) =>
      changeSkill("status = :status, superseded_by = :supersededBy", { skillId, status, supersededBy, at }, entry),
    setPinned: (skillId, pinned, entry, at) => changeSkill("pinned = :pinned", { skillId, pinned: pinned ? 1 : 0, at }, entry),
    setMode: (skillId, mode, entry, at) => changeSkill("mode = :mode", { skillId, mode, at }, entry),
    note(entry) {
      connection.transaction(() => {
        connection.change("skill", "UPDATE skills SET updated_at = :at WHERE id = :skillId", { skillId: entry.skillId, at: entry.at });
        insertLedgerEntry(connection, entry);
      });
    },

    get(id) {
      const row = connection.get<SkillRow>(`SELECT ${skillColumns} FROM skills WHERE id = :id`, { id });
      return row && toSkill(row);
    },
    byName,
    list: ({ all = false } = {}) =>
      connection
        .all<SkillRow>(
          all
            ? `SELECT ${skillColumns} FROM skills ORDER BY name`
            : `SELECT ${skillColumns} FROM skills WHERE status IN ('provisional', 'active') ORDER BY name`,
        )
        .map(toSkill),
    revision: (skillId, number) => selectRevision(connection, skillId, number),
    revisions: (skillId) => selectRevisions(connection, skillId),
    ledger: (skillId) => selectLedger(connection, skillId),
    ledgerEntry: (id) => selectLedgerEntry(connection, id),

    ...outlineRows(connection),
    ...runRows(connection),
    rewrite: (skillId, { name, revisions, ledger }) =>
      connection.forget(() => {
        connection.run("INSERT INTO erasures (skill_id) VALUES (:skillId)", { skillId });
        connection.change("skill", "UPDATE skills SET name = :name WHERE id = :skillId", { skillId, name });
        for (const revision of revisions) replaceRevision(connection, revision);
        for (const { id, reason } of ledger) connection.change("ledger entry", "UPDATE ledger SET reason = :reason WHERE id = :id", { id, reason });
        connection.run("DELETE FROM erasures WHERE skill_id = :skillId", { skillId });
      }),
    erase: (skillId, at) => eraseSkill(connection, makeId, skillId, at),
  };
}

/** Names of disabled and retired skills stay taken: those skills can come back. */
function nameTaken(other: Skill): KnackError {
  return new KnackError(
    "skill.name-taken",
    `The name "${other.name}" belongs to another skill (${other.status}, id ${other.id}). Choose another name, or erase that skill first.`,
    {
      exit: 2,
      fields: { name: other.name, skillId: other.id, status: other.status },
    },
  );
}
