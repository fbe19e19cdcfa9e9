import type { MakeId } from "#base/clock.ts";
import type { Connection } from "./connection.ts";
import { insertLedgerEntry } from "./revision-rows.ts";

/**
 * Removes everything that was learned as this skill, with the alerts that quote it. Its vectors and their words go by
 * trigger. What stays is one ledger row that says when, and no word of what.
 */
export function eraseSkill(connection: Connection, makeId: MakeId, skillId: string, at: number): void {
  connection.forget(() => {
    connection.run("INSERT INTO erasures (skill_id) VALUES (:skillId)", { skillId });
    connection.run("DELETE FROM runs WHERE skill_id = :skillId", { skillId });
    connection.run("DELETE FROM phrasings WHERE skill_id = :skillId", { skillId });
    connection.run("DELETE FROM proposals WHERE skill_id = :skillId", { skillId });
    connection.run("DELETE FROM alerts WHERE skill_id = :skillId", { skillId });
    connection.run("DELETE FROM showings WHERE skill_id = :skillId", { skillId });
    // What a pass decided by it, or said beside its name, is decided anew.
    connection.run(
      `UPDATE clusters SET state = 'waiting', decision = 'skipped', reason = '', skill_id = NULL, skill_name = NULL, stamp = NULL
       WHERE skill_id = :skillId OR instr(reason, (SELECT '"' || name || '"' FROM skills WHERE id = :skillId)) > 0`,
      { skillId },
    );
    connection.run("DELETE FROM ledger WHERE skill_id = :skillId", { skillId });
    connection.run("DELETE FROM revisions WHERE skill_id = :skillId", { skillId });
    connection.change("skill", "DELETE FROM skills WHERE id = :skillId", { skillId });
    insertLedgerEntry(connection, { id: makeId(), skillId, action: "erased", actor: "user", reason: "", before: null, after: null, at });
    connection.run("DELETE FROM erasures WHERE skill_id = :skillId", { skillId });
  });
}
