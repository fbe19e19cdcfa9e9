import type { RoutineNote } from "#contract/chat/schema.ts";
import type { Call } from "#contract/skills/schema.ts";
import { type Guidance, isDue, type StepCheck, type StepOrigin } from "../replay/index.ts";

/** What is kept with a step of a routine, so that a run can be compared with it later. */
export function routineNote(call: Call, due: Guidance | null, origins: readonly StepOrigin[]): RoutineNote | null {
  if (due === null || due.kind === "done") return null;
  const { at, inside } = origins[due.at] ?? { at: due.at, inside: [] };
  return { at, ...(inside[0] === undefined ? {} : { inside: inside[0] }), kind: due.kind, isDue: isDue(call, due) };
}

export function withCheck(note: RoutineNote, { held, finding }: StepCheck): RoutineNote {
  return { ...note, check: { held, finding } };
}
