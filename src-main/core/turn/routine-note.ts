import type { RoutineNote } from "#contract/chat/schema.ts";
import type { Call } from "#contract/skills/schema.ts";
import { type Guidance, isDue, type StepCheck } from "../replay/index.ts";

export function routineNote(call: Call, due: Guidance | null): RoutineNote | null {
  return due === null || due.kind === "done" ? null : { at: due.at, kind: due.kind, isDue: isDue(call, due) };
}

export function withCheck(note: RoutineNote, { held, finding }: StepCheck): RoutineNote {
  return { ...note, check: { held, finding } };
}
