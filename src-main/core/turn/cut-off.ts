import { clip, squash } from "#base/text.ts";
import type { Step, Turn } from "#contract/chat/schema.ts";
import { routineNoteSchema } from "#contract/chat/schema.ts";
import { toolName } from "../envelope/index.ts";
import { inertText } from "../prompt/index.ts";
import type { StepOrigin } from "../replay/index.ts";
import type { Charge } from "./take-skill.ts";
import type { TurnWorld } from "./world.ts";

/** A turn that was interrupted, or stopped by the user, with what is stored of it and of its episode: what going on needs, also in another process. */
export interface CutOff {
  readonly episodeId: string;
  readonly turn: Turn;
  /** Of the whole episode, in order. */
  readonly steps: readonly Step[];
  /** The answer as far as it was written. */
  readonly said: string;
  /** The page that was open last. */
  readonly url: string | null;
  /** What its skill had been given; null in a free turn, or where that skill is not as it was. */
  readonly inputs: Readonly<Record<string, string>> | null;
}

/** The last turn of a conversation, where it was interrupted or stopped. A strict run that the user stopped is over: nothing of it was left to a model. */
export function cutOffIn({ stores }: Pick<TurnWorld, "stores">, conversationId: string): CutOff | null {
  const turn = stores.trace.turns(conversationId).at(-1);
  if (turn?.status === "stopped" && turn.mode === "strict") return null;
  if ((turn?.status !== "interrupted" && turn?.status !== "stopped") || stores.trace.episode(turn.episodeId) === undefined) return null;
  const steps = stores.trace.stepsOfEpisode(turn.episodeId);
  const said = stores.conversations.messages(conversationId).findLast((message) => message.turnId === turn.id && message.role === "assistant");
  const skill = turn.skillId === null ? undefined : stores.skills.get(turn.skillId);
  const isSame = skill !== undefined && skill.activeRevision === turn.revision && (skill.status === "active" || skill.status === "provisional");
  const run = stores.skills.runOfTurn(turn.id);
  return {
    episodeId: turn.episodeId,
    turn,
    steps,
    said: said?.text ?? "",
    url: (steps.findLast(wasOnPage)?.details.url as string | undefined) ?? null,
    inputs: isSame && run ? run.inputs : null,
  };
}

/** A page that was read without a browser was never open. */
function wasOnPage({ tool, status, details }: Step): boolean {
  return status === "ok" && toolName(tool) !== "web_fetch" && typeof details.url === "string";
}

/** Whether recall had decided for no skill, or the skill is not as it was: then the turn goes on free. */
export function goesOnFree({ turn, inputs }: CutOff): boolean {
  return turn.choice !== undefined && inputs === null;
}

/** How many steps of the routine in charge were done before the cut. */
export function stepsDone({ steps, turn }: CutOff, { revision, origins }: Pick<Charge, "revision" | "origins">): number {
  const notes = steps
    .filter((step) => step.turnId === turn.id && step.status === "ok")
    .flatMap((step) => routineNoteSchema.safeParse(step.details.routine).data ?? [])
    .filter(({ kind, isDue }) => isDue || kind === "judge");
  const last = notes.at(-1);
  if (last === undefined) return 0;
  if (origins.length === 0) return revision.steps[last.at]?.repeatUntilNext ? last.at : last.at + 1;
  return placeInside(origins, last.at, notes.filter(({ at }) => at === last.at).length);
}

/** Inside a nested skill its steps stand in a row for the one that called it. */
function placeInside(origins: readonly StepOrigin[], at: number, done: number): number {
  const first = origins.findIndex((origin) => origin.at === at);
  const count = origins.filter((origin) => origin.at === at).length;
  return first + Math.min(done, count);
}

const longestLine = 300;

/** What the model reads when it goes on: what was done, which it is not to do again. Words of pages in it are data. */
export function cutOffText({ steps, said }: CutOff, marker: string): string {
  const done = steps
    .filter(({ status, tool, details }) => status === "ok" && tool !== "reply" && details.again !== true)
    .map(({ text }) => `- ${clip(squash(text), longestLine)}`);
  const open = steps.filter(({ status }) => status === "interrupted").map(({ tool, args }) => `- ${clip(`${tool} ${JSON.stringify(args)}`, longestLine)}`);
  return [
    "Knack was interrupted in the middle of this and goes on now.",
    ...(done.length === 0 ? [] : [`Done already; do none of it again <<${marker}`, ...done.map((line) => inertText(line, marker)), `${marker}>>`]),
    ...(open.length === 0 ? [] : ["Begun when it was interrupted; look whether it was done:", ...open.map((line) => inertText(line, marker))]),
    ...(said === "" ? [] : ["Your answer was interrupted; write it to its end."]),
  ].join("\n");
}
