import type { ConversationView, TurnView } from "#contract/chat/reducer.ts";
import type { Message } from "#contract/chat/schema.ts";
import type { SkillDetail } from "#contract/skills/routes.ts";
import type { Run } from "#contract/skills/schema.ts";

/** What the user asked in a turn. */
export function questionOf(view: ConversationView, turn: TurnView): Message | null {
  return view.messages.find((message) => message.turnId === turn.turn.id && message.role === "user") ?? null;
}

/** The stored answer of a turn, also when it was cut off. */
export function answerOf(view: ConversationView, turn: TurnView): Message | null {
  return view.messages.findLast((message) => message.turnId === turn.turn.id && message.role === "assistant") ?? null;
}

/** Steps in the browser that a routine has at least; fewer are refused by the host with its reason. */
const fewestSteps = 3;

/** Whether what was done for the goal of a free turn could be learned: enough of it was done in the browser. */
export function isLearnable(view: ConversationView, { turn }: TurnView): boolean {
  if (turn.skillId !== null) return false;
  const done = view.turns.filter((other) => other.turn.episodeId === turn.episodeId).flatMap(({ steps }) => steps);
  return done.filter(({ tool, status }) => status === "ok" && /^browser_(?:open|click|fill|select|press|download)$/u.test(tool)).length >= fewestSteps;
}

export interface Charge {
  readonly name: string;
  readonly revision: number;
  readonly inputs: Readonly<Record<string, string>>;
  readonly isNamed: boolean;
}

/** The name and revision in charge; of a stored turn its run tells them, else its recall the name, else there is only the id. */
export function chargeOf({ turn, skill }: TurnView, held?: TurnRun): Charge | null {
  if (skill !== null) return { ...skill, isNamed: true };
  if (turn.skillId === null || turn.revision === null) return null;
  if (held !== undefined) return { name: held.name, revision: turn.revision, inputs: held.run.inputs, isNamed: true };
  const name = turn.recall?.skillId === turn.skillId ? turn.recall.skillName : null;
  return { name: name ?? turn.skillId, revision: turn.revision, inputs: {}, isNamed: name !== null };
}

/** How a turn followed its skill. */
export interface TurnRun {
  readonly name: string;
  readonly run: Run;
  /** The step its finding names and what that step says of failing; null where the finding names none. */
  readonly failedStep: { readonly number: number; readonly of: number; readonly says: string; readonly onFail: string } | null;
}

/** Every run of a skill, with the step it failed at: a finding begins with "Step 3: ". */
export function runsOf({ skill, revisions, runs }: SkillDetail): TurnRun[] {
  return runs.map((run) => {
    const steps = revisions.find(({ number }) => number === run.revision)?.steps ?? [];
    const number = Number(/^Step (\d+): /u.exec(run.finding ?? "")?.[1] ?? 0);
    const step = steps[number - 1];
    return { name: skill.name, run, failedStep: step === undefined ? null : { number, of: steps.length, says: step.do, onFail: step.onFail } };
  });
}
