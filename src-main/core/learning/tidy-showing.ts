import type { ShownAction } from "#contract/learning/schema.ts";
import { isChoiceRole, isFixedLandmark, isMarkRole, isPager } from "../skills/index.ts";
import { joinLogins } from "./join-logins.ts";

const searchWords = /\b(?:search|find|filter|look up)\b/iu;
const backWords = /^(?:back|go back|close|dismiss|×|x)$/iu;
const cancelWords = /^(?:cancel|no|discard|never ?mind)$/iu;
const problemWords = /\b(?:required|invalid|not valid|errors?|must|missing|incorrect|wrong|please (?:enter|fill|choose|select|check|correct|give))\b/iu;

const nameOf = (action: ShownAction): string => action.target?.name ?? "";
const roleOf = (action: ShownAction): string => action.target?.role ?? "";
const isField = (action: ShownAction): boolean => action.kind === "fill" || action.kind === "select";
const isMark = (action: ShownAction): boolean => action.kind === "click" && isMarkRole(roleOf(action));
const isInForm = (action: ShownAction): boolean => isField(action) || isMark(action) || (action.kind === "click" && isChoiceRole(roleOf(action)));
const isSearch = (action: ShownAction): boolean =>
  (isField(action) || roleOf(action) === "button") && (roleOf(action) === "searchbox" || searchWords.test(nameOf(action)));

function sameTarget(a: ShownAction, b: ShownAction): boolean {
  return a.kind === b.kind && roleOf(a) === roleOf(b) && nameOf(a) === nameOf(b) && a.target?.within === b.target?.within;
}

/** The same page in the same state; a clock or a counter may have gone on, which shows as at most two lines that differ in their digits. */
function sameState(a: ShownAction, b: ShownAction): boolean {
  if (a.after.url !== b.after.url || a.after.heading !== b.after.heading) return false;
  const [left, right] = [a.after.text.split("\n"), b.after.text.split("\n")];
  if (left.length !== right.length) return false;
  const other = left.flatMap((line, index) => (line === right[index] ? [] : [[line, right[index] ?? ""] as const]));
  const digits = (line: string): string => line.replace(/\d+/gu, "0");
  return other.length <= 2 && other.length < Math.max(2, left.length) && other.every(([one, two]) => digits(one) === digits(two));
}

/** Ways that only lead somewhere: addresses, links, pagers, and the buttons of a page's frame. A button elsewhere does something. */
function isWay(action: ShownAction): boolean {
  if (action.kind === "open") return true;
  if (action.kind !== "click" || isInForm(action)) return false;
  return roleOf(action) !== "button" || isPager(nameOf(action)) || backWords.test(nameOf(action)) || isFixedLandmark(action.landmark);
}

/** A press that takes back the one before it, as a dialog is cancelled. In a row, or after a link, it may be what the routine is for. */
function takesBack(action: ShownAction | undefined, before: ShownAction | undefined): boolean {
  if (!action || !before || action.kind !== "click" || action.target?.within !== undefined) return false;
  return cancelWords.test(nameOf(action)) && (isInForm(before) || roleOf(before) === "button");
}

/**
 * Whether a way that led back did nothing: no file came, no button was pressed (but to search, or where the next press took it back), and what was
 * typed, picked or ticked was given up: typed again later, or only searched for.
 */
function didNothing(way: readonly ShownAction[], later: readonly ShownAction[]): boolean {
  return way.every((action, index) => {
    if (action.secret || action.kind === "download") return false;
    if (isWay(action) || isSearch(action) || takesBack(action, way[index - 1]) || takesBack(way[index + 1], action)) return true;
    if (action.kind === "press") return way.slice(0, index).some(isSearch);
    return isInForm(action) && later.some((other) => sameTarget(other, action));
  });
}

/** A form sent again after the page named a problem: the first sending did nothing. */
function wasRefused(send: ShownAction, before: ShownAction | undefined): boolean {
  const known = new Set(before?.after.text.split("\n"));
  return send.after.heading === before?.after.heading && send.after.text.split("\n").some((line) => !known.has(line) && problemWords.test(line));
}

/** Earlier values of fields that were corrected, marks set and taken back, and sendings the page refused. */
function withoutCorrected(actions: readonly ShownAction[], leftOut: string[]): ShownAction[] {
  const kept: ShownAction[] = [];
  for (const action of actions) {
    const earlier = kept.findLastIndex((other) => sameTarget(other, action) && (!isSearch(action) || isField(action)));
    const isInOneForm = earlier >= 0 && kept.slice(earlier + 1).every(isInForm);
    if (isInOneForm && isField(action)) {
      leftOut.push(`an earlier value of ${nameOf(action) || "a field"}`);
      kept.splice(earlier, 1);
    } else if (isInOneForm && isMark(action)) {
      leftOut.push(`${nameOf(action)} pressed and pressed again`);
      kept.splice(earlier, 1);
      continue;
    } else if (action.kind === "open" && kept.at(-1)?.kind === "open" && kept.at(-1)?.value === action.value) continue;
    const before = kept[earlier - 1];
    if (isInOneForm && action.kind === "click" && !isInForm(action) && earlier < kept.length - 1 && wasRefused(kept[earlier] as ShownAction, before)) {
      leftOut.push(`a first ${nameOf(action)}, which the page refused`);
      const [first, again] = [kept.slice(0, earlier), kept.slice(earlier + 1)];
      kept.splice(0, kept.length, ...withoutCorrected([...first, ...again], leftOut));
    }
    kept.push(action);
  }
  return kept;
}

/** A search that was given up: what came next is on every page, or was opened by its address. */
function withoutSearches(actions: readonly ShownAction[], leftOut: string[]): ShownAction[] {
  return actions.filter((action, index) => {
    if (!isSearch(action) && !(action.kind === "press" && actions[index - 1] && isSearch(actions[index - 1] as ShownAction))) return true;
    const next = actions.slice(index + 1).find((other) => !isSearch(other) && other.kind !== "press");
    const isGivenUp = next !== undefined && (next.kind === "open" || (next.kind === "click" && isFixedLandmark(next.landmark)));
    if (isGivenUp && isField(action)) leftOut.push(`a search that was given up (${nameOf(action)})`);
    return !isGivenUp;
  });
}

/**
 * Leaves out what a person would not want repeated (SHO-02): what was corrected, and ways that came back to where they began without doing anything.
 * In doubt a step stays: one too many does less harm than the one the routine is for, left out. Returns what was left out in words.
 */
export function tidyShowing(actions: readonly ShownAction[]): { kept: ShownAction[]; leftOut: string[] } {
  const leftOut: string[] = [];
  const corrected = joinLogins(withoutSearches(withoutCorrected(actions, leftOut), leftOut));
  const kept: ShownAction[] = [];
  for (const [index, action] of corrected.entries()) {
    // What brought a file did something, wherever it left the page.
    const mayEnd = corrected[index + 1]?.kind !== "download" && (isWay(action) || takesBack(action, kept.at(-1)));
    const back = kept.findIndex(
      (other, at) => mayEnd && at < kept.length - 1 && sameState(other, action) && didNothing([...kept.slice(at + 1), action], corrected.slice(index + 1)),
    );
    if (back >= 0) {
      const way = kept.splice(back + 1);
      leftOut.push(`a way that led back (${way.map((step) => nameOf(step) || step.value || step.kind).join(", ")})`);
    } else kept.push(action);
  }
  return { kept, leftOut };
}
