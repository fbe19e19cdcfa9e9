import { fail, ok, type Result } from "#base/result.ts";
import type { LedgerEntry, Revision, Skill, SkillStatus } from "#contract/skills/schema.ts";

/** What taking back a change sets again. */
export type Undo = { readonly revision: number } | { readonly pinned: boolean } | { readonly status: SkillStatus };

type Kind = "revision" | "pinned" | "status";

const statuses: readonly string[] = ["provisional", "active", "disabled", "retired"];

/**
 * What undoing one ledger entry sets again, or why it cannot be undone: only the latest change of its kind can be, so that nothing that came later is
 * lost. `ledger` oldest first, of one skill.
 */
export function undoOf(
  entry: LedgerEntry,
  skill: Skill,
  ledger: readonly LedgerEntry[],
  revisions: readonly Pick<Revision, "number" | "contentHash">[],
): Result<Undo> {
  if (entry.action === "withdraw" || entry.action === "return") return fail(`"${skill.name}" comes and goes with its file in its pack.`);
  const kind = kindOf(entry);
  if (kind === null) return fail(`"${entry.action}" cannot be undone.`);
  const later = ledger.slice(ledger.findIndex(({ id }) => id === entry.id) + 1).find((other) => kindOf(other) === kind);
  if (later !== undefined) return fail(`"${skill.name}" was changed since (${later.action}); undo that first.`);
  if (kind === "pinned") return ok({ pinned: entry.before === "pinned" });
  if (kind === "status") return ok({ status: entry.action === "create" ? "retired" : (entry.before as SkillStatus) });
  const before = revisions.findLast(({ number, contentHash }) => contentHash === entry.before && number !== skill.activeRevision);
  return before === undefined ? fail(`The revision that "${skill.name}" had before is not there any more.`) : ok({ revision: before.number });
}

/** Which fact of the skill an entry changed: one word of a status, "pinned", or a hash of content. A creation is undone by retiring. */
function kindOf({ action, before, after }: LedgerEntry): Kind | null {
  if (action === "create") return "status";
  if (before === null || after === null) return null;
  if (statuses.includes(before) && statuses.includes(after)) return "status";
  if (/^(?:un)?pinned$/u.test(before) && /^(?:un)?pinned$/u.test(after)) return "pinned";
  return /^[0-9a-f]{16,}$/u.test(before) && /^[0-9a-f]{16,}$/u.test(after) ? "revision" : null;
}
