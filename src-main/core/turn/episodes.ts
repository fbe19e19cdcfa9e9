import type { Episode, Outcome } from "#contract/chat/schema.ts";
import { isCorrection } from "./is-correction.ts";
import type { Before } from "./judge-before.ts";
import type { TurnWorld } from "./world.ts";

export interface OpenedEpisode {
  readonly episode: Episode;
  /** The goal as skills see it: an answer to a question of ours completes the goal it was asked for. */
  readonly goal: string;
  readonly isFollowUp: boolean;
  /** The user says that what was done last is wrong. */
  readonly isCorrection: boolean;
}

/** Opens an episode for a message, or continues the one that a question, a correction or work that stopped midway leaves open (SPEC 2). */
export function openEpisode(world: TurnWorld, conversationId: string, text: string, stopped: { readonly episodeId: string } | null): OpenedEpisode {
  const { trace } = world.stores;
  const resumed = stopped === null ? undefined : trace.episode(stopped.episodeId);
  if (resumed) {
    const episode: Episode = { ...resumed, open: true };
    trace.updateEpisode(episode);
    return { episode, goal: resumed.goal, isFollowUp: true, isCorrection: false };
  }
  const last = trace.episodesOf(conversationId).at(-1);
  const corrects = last !== undefined && isCorrection(text);
  if (last && (last.open || corrects)) {
    const episode: Episode = { ...last, open: true };
    trace.updateEpisode(episode);
    return { episode, goal: `${last.goal}\n${text}`, isFollowUp: true, isCorrection: corrects };
  }
  const goal = last === undefined ? goalInBranch(world, conversationId, text) : text;
  const episode: Episode = {
    id: world.makeId(),
    conversationId,
    goal,
    outcome: null,
    reason: null,
    open: true,
    createdAt: world.clock(),
    closedAt: null,
  };
  trace.addEpisode(episode);
  return { episode, goal, isFollowUp: false, isCorrection: false };
}

/**
 * The first message of a branch takes the place of another. Where that one answered a question or went on with a goal, so does this one; the task is another
 * all the same, of this conversation.
 */
function goalInBranch({ stores: { conversations, trace } }: TurnWorld, conversationId: string, text: string): string {
  const { of, after } = conversations.get(conversationId)?.branch ?? { of: "", after: null };
  const shared = after === null ? undefined : trace.turn(after);
  if (shared === undefined) return text;
  const there = trace.turns(of);
  const replaced = there[there.findIndex(({ id }) => id === after) + 1];
  const goal = replaced?.episodeId === shared.episodeId ? trace.episode(shared.episodeId)?.goal : undefined;
  return goal === undefined ? text : `${goal}\n${text}`;
}

/** Closes an episode with its outcome; an episode that waits for the user's answer stays open. Talk about it takes no judgement back. */
export function closeEpisode(world: TurnWorld, episode: Episode, outcome: Outcome | null, reason: string, waits: boolean): Episode {
  const judged = world.stores.trace.episode(episode.id);
  const isJudged = judged?.outcome !== undefined && judged.outcome !== null && judged.outcome !== "abandoned";
  const kept = outcome === "abandoned" && isJudged ? { outcome: judged.outcome, reason: judged.reason } : { outcome, reason };
  const closed: Episode = { ...episode, ...kept, open: waits, closedAt: waits ? null : world.clock() };
  world.stores.trace.updateEpisode(closed);
  return closed;
}

/** The last episode of a conversation with its last turn, for going on with its skill and for what a message says of it. */
export function lastEpisode({ stores: { trace } }: TurnWorld, conversationId: string): Before | undefined {
  const episode = trace.episodesOf(conversationId).at(-1);
  return episode && { episode, turn: trace.turns(conversationId).findLast(({ episodeId }) => episodeId === episode.id) };
}
