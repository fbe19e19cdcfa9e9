import type { Check, LedgerEntry, Run } from "#contract/skills/schema.ts";
import type { SkillOutline, SkillRecord, SkillStore } from "#core/ports/stores.ts";
import type { Connection } from "./connection.ts";
import { type RevisionRow, revisionColumns, toRevision } from "./revision-rows.ts";
import { type SkillRow, skillColumns, toSkill } from "./skill-row.ts";

type OutlineRow = SkillRow & Omit<SkillOutline, "skill" | "destinations" | "steps"> & { readonly destinations: string; readonly steps: string };

const selectOutlines = `SELECT ${skillColumns}, outlines.summary, outlines.when_to_use AS whenToUse, outlines.author, outlines.destinations, outlines.steps,
    (SELECT max(number) FROM revisions WHERE skill_id = skills.id) AS revisions,
    (SELECT max(started_at) FROM runs WHERE skill_id = skills.id) AS lastUsedAt
  FROM skills CROSS JOIN outlines ON outlines.skill_id = skills.id AND outlines.number = skills.active_revision`;

/** Tool and kind of check, as the trigger writes them. */
type StepRow = readonly [tool: string | null, check: "page" | "file" | "result" | "prose" | null];

const emptyChecks: Record<NonNullable<StepRow[1]>, Check> = {
  page: { page: {} },
  file: { file: { exists: "" } },
  result: { result: {} },
  prose: { prose: "" },
};

function toStep([tool, check]: StepRow): SkillOutline["steps"][number] {
  return { ...(tool === null ? {} : { call: { tool, args: {} } }), ...(check === null ? {} : { check: emptyChecks[check] }) };
}

/** What is asked of many skills at once: a fixed number of statements, and no body read that is not asked for. */
export function outlineRows(connection: Connection): Pick<SkillStore, "outlines" | "records" | "activeRevisions"> {
  return {
    outlines({ all = false, ids, hosts } = {}) {
      const filters = [
        ...(all ? [] : ["skills.status IN ('provisional', 'active')"]),
        ...(ids ? ["skills.id IN (SELECT value FROM json_each(:ids))"] : []),
        ...(hosts ? ["EXISTS (SELECT 1 FROM json_each(:hosts) AS host WHERE instr(outlines.destinations, host.value) > 0)"] : []),
      ];
      const parameters = { ...(ids ? { ids: JSON.stringify(ids) } : {}), ...(hosts ? { hosts: JSON.stringify(hosts) } : {}) };
      return connection
        .all<OutlineRow>(`${selectOutlines} ${filters.length === 0 ? "" : `WHERE ${filters.join(" AND ")}`} ORDER BY skills.name`, parameters)
        .map(({ summary, whenToUse, author, destinations, steps, revisions, lastUsedAt, ...row }) => ({
          skill: toSkill(row),
          summary,
          whenToUse,
          author,
          destinations: JSON.parse(destinations) as string[],
          steps: (JSON.parse(steps) as StepRow[]).map(toStep),
          revisions,
          lastUsedAt,
        }));
    },

    records(skillIds) {
      const ids = JSON.stringify(skillIds);
      const runs = connection.all<Pick<Run, "skillId" | "outcome" | "startedAt" | "endedAt">>(
        `SELECT runs.skill_id AS skillId, runs.outcome, runs.started_at AS startedAt, runs.ended_at AS endedAt
         FROM json_each(:ids) AS wanted
         CROSS JOIN skills ON skills.id = wanted.value
         CROSS JOIN runs ON runs.skill_id = skills.id AND runs.revision = skills.active_revision`,
        { ids },
      );
      const switches = connection.all<Pick<LedgerEntry, "skillId" | "action" | "before" | "after" | "at">>(
        `SELECT ledger.skill_id AS skillId, ledger.action, ledger.before, ledger.after, ledger.at
         FROM json_each(:ids) AS wanted
         CROSS JOIN ledger ON ledger.skill_id = wanted.value AND ledger.after IN ('provisional', 'active')
         ORDER BY wanted.key, ledger.seq`,
        { ids },
      );
      const records = new Map(skillIds.map((id) => [id, { runs: [] as SkillRecord["runs"][number][], switchedOn: [] as SkillRecord["switchedOn"][number][] }]));
      for (const { skillId, outcome, startedAt, endedAt } of runs) records.get(skillId)?.runs.push({ outcome, startedAt, endedAt });
      for (const { skillId, ...row } of switches) records.get(skillId)?.switchedOn.push(row);
      // A few at a time: in SQL all runs of all skills would be sorted at once.
      for (const record of records.values()) record.runs.sort((one, other) => one.startedAt - other.startedAt);
      return records;
    },

    activeRevisions(skillIds) {
      const rows = connection.all<RevisionRow>(
        `SELECT ${revisionColumns} FROM json_each(:ids) AS wanted
         CROSS JOIN skills ON skills.id = wanted.value
         CROSS JOIN revisions ON revisions.skill_id = skills.id AND revisions.number = skills.active_revision`,
        { ids: JSON.stringify(skillIds) },
      );
      return new Map(rows.map((row) => [row.skillId, toRevision(row)]));
    },
  };
}
