import type { ShownAction } from "#contract/learning/schema.ts";
import { isChoiceRole } from "./choice-role.ts";

function sameField(a: ShownAction, b: ShownAction): boolean {
  return a.kind === b.kind && a.target?.role === b.target?.role && a.target?.name === b.target?.name && a.target?.within === b.target?.within;
}

function sameState(a: ShownAction, b: ShownAction): boolean {
  return a.after.url === b.after.url && a.after.heading === b.after.heading && a.after.text === b.after.text;
}

const marks = new Set(["checkbox", "switch", "menuitemcheckbox"]);

const hasEffect = (action: ShownAction): boolean =>
  action.kind === "fill" ||
  action.kind === "select" ||
  action.kind === "download" ||
  action.secret ||
  isChoiceRole(action.target?.role ?? "") ||
  marks.has(action.target?.role ?? "");

/**
 * Leaves out what a person would not want repeated (SHO-02): earlier values of a field that was corrected, and ways that came back to where
 * they began without changing anything. Returns what was left out in words.
 */
export function tidyShowing(actions: readonly ShownAction[]): { kept: ShownAction[]; leftOut: string[] } {
  const leftOut: string[] = [];
  const corrected: ShownAction[] = [];
  for (const action of actions) {
    const last = corrected.at(-1);
    const earlier = action.kind === "fill" || action.kind === "select" ? corrected.findLastIndex((other) => sameField(other, action)) : -1;
    const between = corrected.slice(earlier + 1);
    if (earlier >= 0 && between.every((other) => other.kind === "fill" || other.kind === "select")) {
      leftOut.push(`an earlier value of ${action.target?.name ?? "a field"}`);
      corrected.splice(earlier, 1);
    } else if (last?.kind === "open" && action.kind === "open" && last.value === action.value) {
      continue;
    }
    corrected.push(action);
  }
  const kept: ShownAction[] = [];
  for (const action of corrected) {
    const back = kept.findLastIndex((other) => sameState(other, action));
    const detour = kept.slice(back + 1);
    const isDetour =
      back >= 0 && (action.kind === "open" || action.kind === "click" || action.kind === "press") && !detour.some(hasEffect) && detour.length > 0;
    if (isDetour) {
      leftOut.push(`a way that led back (${detour.map((step) => step.target?.name ?? step.value ?? step.kind).join(", ")})`);
      kept.splice(back + 1);
      continue;
    }
    kept.push(action);
  }
  return { kept, leftOut };
}
