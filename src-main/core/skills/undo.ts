import { fail, ok, type Result } from "#base/result.ts";
import type { LedgerEntry, Skill, SkillStatus } from "#contract/skills/schema.ts";
import { isOpenToLearning, learningWord, pinnedWord, readStatusWord, statusWord } from "./ledger-words.ts";

/** What taking back a change sets again. */
export type Undo =
  | { readonly kind: "revision"; readonly revision: number }
  | { readonly kind: "pinned"; readonly pinned: boolean }
  | { readonly kind: "status"; readonly status: SkillStatus; readonly supersededBy: string | null }
  | { readonly kind: "learning"; readonly isOpen: boolean };

type Kind = Undo["kind"];

/**
 * What undoing one ledger entry sets again, or why it cannot be undone: the skill must be as the entry left it, and nothing later of its kind may
 * still stand, so that nothing that came later is lost. An entry and the undo of it cancel each other out, so that one change after another can be
 * taken back. `ledger` oldest first, of one skill.
 */
export function undoOf(entry: LedgerEntry, skill: Skill, ledger: readonly LedgerEntry[]): Result<Undo> {
  const kind = kindOf(entry);
  if (kind === null) return fail(`"${entry.action}" of "${skill.name}" cannot be undone.`);
  const takenBack = cancelled(ledger);
  if (takenBack.has(entry.id)) return fail(`This ${entry.action} of "${skill.name}" was taken back already; undo that undo to have it again.`);
  const later = ledger.slice(ledger.findIndex(({ id }) => id === entry.id) + 1).filter((other) => restsOn(other, entry, kind));
  const blocking = later.findLast((other) => !takenBack.has(other.id) && other.undoes === undefined);
  if (blocking !== undefined) return fail(`"${skill.name}" was changed since (${blocking.action}, ${blocking.id}); undo that first.`);
  const last = later.at(-1);
  if (!isAsLeft(entry, kind, skill, ledger)) return fail(`"${skill.name}" was changed since${last ? ` (${last.action}, ${last.id}); undo that first.` : "."}`);
  switch (kind) {
    case "revision":
      return ok({ kind, revision: entry.beforeRevision as number });
    case "pinned":
      return ok({ kind, pinned: entry.before === pinnedWord(true) });
    case "learning":
      return ok({ kind, isOpen: entry.before === learningWord(true) });
    default:
      return ok({ kind, ...(entry.action === "create" ? { status: "retired" as const, supersededBy: null } : (readStatusWord(entry.before) as StatusFact)) });
  }
}

type StatusFact = { readonly status: SkillStatus; readonly supersededBy: string | null };

/** Which fact of the skill an entry changed. A creation is undone by retiring. */
function kindOf(entry: LedgerEntry): Kind | null {
  if (entry.action === "create") return "status";
  if (entry.beforeRevision !== undefined && entry.afterRevision !== undefined) return "revision";
  if (entry.before === null || entry.after === null) return null;
  if (readStatusWord(entry.before) && readStatusWord(entry.after)) return "status";
  const words = [entry.before, entry.after];
  if (words.every((word) => word === pinnedWord(true) || word === pinnedWord(false))) return "pinned";
  return words.every((word) => word === learningWord(true) || word === learningWord(false)) ? "learning" : null;
}

/** Every later version rests on the creation; anything else only on what is of its kind. */
function restsOn(other: LedgerEntry, entry: LedgerEntry, kind: Kind): boolean {
  const of = kindOf(other);
  return of === kind || (entry.action === "create" && of === "revision");
}

/** Entries that an undo took back which itself still stands. */
function cancelled(ledger: readonly LedgerEntry[]): ReadonlySet<string> {
  const out = new Set<string>();
  for (const entry of [...ledger].reverse()) if (entry.undoes !== undefined && !out.has(entry.id)) out.add(entry.undoes);
  return out;
}

function isAsLeft(entry: LedgerEntry, kind: Kind, skill: Skill, ledger: readonly LedgerEntry[]): boolean {
  if (kind === "revision") return skill.activeRevision === entry.afterRevision;
  if (kind === "pinned") return pinnedWord(skill.pinned) === entry.after;
  if (kind === "learning") return learningWord(isOpenToLearning(ledger)) === entry.after;
  return statusWord(skill) === (entry.action === "create" ? "provisional" : entry.after);
}
