import type { LedgerEntry, Run, Skill, SkillStatus } from "#contract/skills/schema.ts";
import { isUsable } from "./lifecycle.ts";

/** What of a ledger row says when a skill was switched. */
export type SwitchRow = Pick<LedgerEntry, "action" | "before" | "after" | "at">;

/** How the facts of a skill are written into "before" and "after" of its ledger, and read from it again. */

const statuses: readonly string[] = ["provisional", "active", "disabled", "retired"];
const superseded = "superseded by ";

/** "active"; of a skill that gave way to another one "superseded by <id>". */
export function statusWord({ status, supersededBy }: Pick<Skill, "status" | "supersededBy">): string {
  return status === "retired" && supersededBy !== null ? `${superseded}${supersededBy}` : status;
}

/** Null for words that are no status. */
export function readStatusWord(word: string | null): { readonly status: SkillStatus; readonly supersededBy: string | null } | null {
  if (word?.startsWith(superseded)) return { status: "retired", supersededBy: word.slice(superseded.length) };
  return word !== null && statuses.includes(word) ? { status: word as SkillStatus, supersededBy: null } : null;
}

/** How a skill is followed, as the ledger has it. */
export function modeWord(mode: Skill["mode"]): string {
  return mode;
}

export function pinnedWord(isPinned: boolean): string {
  return isPinned ? "pinned" : "unpinned";
}

/** Whether learning may change a skill that is switched off. */
export function learningWord(isOpen: boolean): string {
  return isOpen ? "to be learned again" : "left as it is";
}

/** Ids of the entries that an undo took back which itself still stands. `ledger` oldest first, here and below. */
export function takenBack(ledger: readonly LedgerEntry[]): ReadonlySet<string> {
  const back = new Set<string>();
  for (const entry of [...ledger].reverse()) if (entry.undoes !== undefined && !back.has(entry.id)) back.add(entry.undoes);
  return back;
}

/** The changes that still hold: an entry and the undo of it cancel each other out. */
function standing(ledger: readonly LedgerEntry[]): LedgerEntry[] {
  const back = takenBack(ledger);
  return ledger.filter((entry) => !back.has(entry.id) && entry.undoes === undefined);
}

/** Whether a person asked for a skill that is off to be learned again; a switch of its status ends that. */
export function isOpenToLearning(ledger: readonly LedgerEntry[]): boolean {
  const last = standing(ledger).findLast(
    (entry) => entry.after === learningWord(true) || entry.after === learningWord(false) || readStatusWord(entry.after) !== null,
  );
  return last?.after === learningWord(true);
}

/** When a skill that was off was last switched on, by whatever way; 0 for never. Failures before that are forgiven (SPEC 3.5). */
export function switchedOnAt(ledger: readonly LedgerEntry[]): number {
  return ledger.findLast((entry) => isOff(entry.before) && isOn(entry.after) && !isReturn(entry))?.at ?? 0;
}

/** When a retired skill was last brought back; its record starts anew then. 0 for never. */
function revivedAt(ledger: readonly SwitchRow[]): number {
  return ledger.findLast((entry) => readStatusWord(entry.before)?.status === "retired" && isOn(entry.after) && !isReturn(entry))?.at ?? 0;
}

/** A file that came back to its pack: nobody forgave its skill anything by that. */
function isReturn({ action }: Pick<LedgerEntry, "action">): boolean {
  return action === "return";
}

/**
 * The runs since a change at the hour `since`, 0 for all of them. A run of an hour yet to come was run before it: the clock was wrong then, and is not
 * any more.
 */
export function runsSince<R extends Pick<Run, "startedAt">>(runs: readonly R[], since: number, now: number): readonly R[] {
  return since === 0 ? runs : runs.filter((run) => run.startedAt >= since && run.startedAt <= now);
}

/** The runs that count for trust: of a skill that was brought back only those since. Of `ledger` the rows by which it became usable are enough. */
export function countingRuns<R extends Pick<Run, "startedAt">>(runs: readonly R[], ledger: readonly SwitchRow[], now: number): readonly R[] {
  return runsSince(runs, revivedAt(ledger), now);
}

/** When drift last switched off a skill that a person then asked to have learned again: what was done before that is no evidence any more. 0 for never. */
export function outdatedBefore(ledger: readonly LedgerEntry[]): number {
  const holding = standing(ledger);
  const asked = holding.findLastIndex((entry) => entry.after === learningWord(true));
  return holding.slice(0, asked + 1).findLast((entry) => isOn(entry.before) && isOff(entry.after))?.at ?? 0;
}

function isOn(word: string | null): boolean {
  const read = readStatusWord(word);
  return read !== null && isUsable(read.status);
}

function isOff(word: string | null): boolean {
  const read = readStatusWord(word);
  return read !== null && !isUsable(read.status);
}
