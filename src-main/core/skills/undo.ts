import { fail, ok, type Result } from "#base/result.ts";
import type { LedgerEntry, Skill, SkillStatus } from "#contract/skills/schema.ts";
import { isOpenToLearning, learningWord, modeWord, pinnedWord, readStatusWord, statusWord, takenBack } from "./ledger-words.ts";

/** What taking back a change sets again. */
export type Undo =
  | { readonly kind: "revision"; readonly revision: number }
  | { readonly kind: "pinned"; readonly pinned: boolean }
  | { readonly kind: "mode"; readonly mode: Skill["mode"] }
  | { readonly kind: "status"; readonly status: SkillStatus; readonly supersededBy: string | null }
  | { readonly kind: "learning"; readonly isOpen: boolean };

type Kind = Undo["kind"];

/**
 * What undoing one ledger entry sets again, or why it cannot be undone: the skill must be as the entry left it, and nothing later of its kind may
 * still stand, so that nothing that came later is lost. An entry and the undo of it cancel each other out, so that one change after another can be
 * taken back. `ledger` oldest first, of one skill.
 */
export function undoOf(entry: LedgerEntry, skill: Skill, ledger: readonly LedgerEntry[]): Result<Undo> {
  if (entry.action === "withdraw" || entry.action === "return") return fail(`"${skill.name}" comes and goes with its file in its pack.`);
  const kind = kindOf(entry);
  if (kind === null) return fail(`"${entry.action}" of "${skill.name}" cannot be undone.`);
  const back = takenBack(ledger);
  const by = ledger.find(({ id, undoes }) => undoes === entry.id && !back.has(id));
  if (by !== undefined) return fail(`This ${entry.action} of "${skill.name}" was taken back already; undo that (${by.id}) to have it again.`);
  const later = ledger.slice(ledger.findIndex(({ id }) => id === entry.id) + 1).filter((other) => restsOn(other, entry, kind));
  const blocking = later.findLast((other) => !back.has(other.id) && other.undoes === undefined);
  if (blocking?.action === "withdraw") return fail(`The file of "${skill.name}" is gone from its pack; put it back first.`);
  if (blocking !== undefined) return fail(`"${skill.name}" was changed since (${blocking.action}, ${blocking.id}); undo that first.`);
  const last = later.at(-1);
  if (!isAsLeft(entry, kind, skill, ledger)) return fail(`"${skill.name}" was changed since${last ? ` (${last.action}, ${last.id}); undo that first.` : "."}`);
  switch (kind) {
    case "revision":
      return ok({ kind, revision: entry.beforeRevision as number });
    case "pinned":
      return ok({ kind, pinned: entry.before === pinnedWord(true) });
    case "mode":
      return ok({ kind, mode: entry.before as Skill["mode"] });
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
  if (words.every((word) => word === modeWord("advisory") || word === modeWord("assisted"))) return "mode";
  return words.every((word) => word === learningWord(true) || word === learningWord(false)) ? "learning" : null;
}

/** Every later version rests on the creation; anything else only on what is of its kind. */
function restsOn(other: LedgerEntry, entry: LedgerEntry, kind: Kind): boolean {
  const of = kindOf(other);
  return of === kind || (entry.action === "create" && of === "revision");
}

function isAsLeft(entry: LedgerEntry, kind: Kind, skill: Skill, ledger: readonly LedgerEntry[]): boolean {
  if (kind === "revision") return skill.activeRevision === entry.afterRevision;
  if (kind === "pinned") return pinnedWord(skill.pinned) === entry.after;
  if (kind === "mode") return modeWord(skill.mode) === entry.after;
  if (kind === "learning") return learningWord(isOpenToLearning(ledger)) === entry.after;
  return entry.action === "create" || statusWord(skill) === entry.after;
}
