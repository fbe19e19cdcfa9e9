import type { Episode, Turn } from "#contract/chat/schema.ts";
import { countAnswer, keepCounter, namesOnlyValue } from "../recall/index.ts";
import { finishRun } from "./finish-run.ts";
import { withdrawProposals } from "./withdraw-proposals.ts";
import type { TurnWorld } from "./world.ts";

/** What a message may judge: an episode that was there before it, and the last turn of that. */
export interface Before {
  readonly episode: Episode;
  readonly turn: Turn | undefined;
}

/**
 * A correction is a failure of what was done before, and of the skill that did it; the goal is kept as one the skill was not meant for, unless it was
 * the right skill with another value (REC-14). What the run would have changed in its routine is proposed no longer.
 */
export function judgeCorrected(world: TurnWorld, { episode, turn }: Before, correction: string): void {
  const { trace, skills, vectors, calibrations } = world.stores;
  const now = world.clock();
  trace.judge(episode.id, "failure", "corrected by the user", now);
  withdrawProposals(world, episode.id, "corrected by the user");
  const run = turn && skills.runOfTurn(turn.id);
  if (!run || run.outcome === "failure" || run.outcome === "left") return;
  finishRun(world, run, "failure", "corrected by the user");
  if (namesOnlyValue(skills, run.skillId, correction, new Date(now))) return;
  if (keepCounter({ skills, vectors }, run.skillId, { goal: episode.goal, episodeId: episode.id }, now, run.inputs))
    countAnswer(calibrations, turn.recall, false, now);
}

/** "Perfect, thank you" makes a success of what was only claimed, and of the run that did it (SPEC 2). */
export function judgeConfirmed(world: TurnWorld, { episode, turn }: Before): void {
  const { trace, skills } = world.stores;
  if (episode.outcome !== "claimed_success") return;
  trace.judge(episode.id, "success", "confirmed by the user", world.clock());
  const run = turn && skills.runOfTurn(turn.id);
  if (run?.outcome === "claimed_success") finishRun(world, run, "success", null);
}
