/** A goal with its {{inputs}} said; what has no value is left out. */
export function formatGoal(goal: string, values: Readonly<Record<string, string>>): string {
  return goal
    .replaceAll(/\{\{\s*([A-Za-z0-9_][\w-]*)\s*(?:\|[^{}|]*)?\}\}/gu, (_all, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? "") : ""))
    .replaceAll(/\s+/gu, " ")
    .trim();
}
