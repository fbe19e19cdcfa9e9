import type { Episode } from "#contract/chat/schema.ts";
import type { BecameOf } from "#contract/conversations/erasure.ts";
import { badInput } from "#contract/errors.ts";
import { titleOf } from "#core/turn/index.ts";
import { type ForgettingWorld, forgetEpisodes } from "./forget-episodes.ts";

/** Erases a conversation with everything in it, and with what was learned from it and from nothing else (UNT-06). What became of skills that rested on it. */
export function eraseConversation(world: ForgettingWorld, id: string, signal: AbortSignal): Promise<BecameOf[]> {
  const { conversations, trace } = world.stores;
  return forgetEpisodes(
    world,
    () => ({ episodes: trace.episodesOf(id), conversationId: id }),
    () => conversations.delete(id),
    signal,
  );
}

/**
 * Erases one task: its messages, turns and steps, whatever else was said in its conversation stays. A conversation that was nothing but this task goes
 * with it; one that was called after it gets the name of what is left.
 */
export function eraseEpisode(world: ForgettingWorld, id: string, signal: AbortSignal): Promise<BecameOf[]> {
  const { conversations, trace } = world.stores;
  return forgetEpisodes(
    world,
    () => ({ episodes: [episodeOf(world, id)], conversationId: null }),
    ([episode]) => {
      if (!episode) return;
      const { conversationId } = episode;
      const said = firstSaid(world, episode);
      trace.eraseEpisode(id);
      const left = conversations.messages(conversationId).filter(({ role }) => role === "user");
      const conversation = conversations.get(conversationId);
      if (trace.turns(conversationId).length === 0) return conversations.delete(conversationId);
      // How many messages a dream has read is no measure of those that are left.
      world.stores.learning.markDreamt(conversationId, { messages: 0, state: null }, world.clock());
      if (conversation && said.some((text) => titleOf(text) === conversation.title))
        conversations.rename(conversationId, titleOf(left[0]?.text ?? "Conversation"), conversation.updatedAt);
    },
    signal,
  );
}

/** The episode of this id. Throws bad-input where there is none. */
export function episodeOf({ stores }: Pick<ForgettingWorld, "stores">, id: string): Episode {
  const episode = stores.trace.episode(id);
  if (!episode) throw badInput(`There is no task ${id}; "knack conversations show ID" names the tasks of a conversation.`);
  return episode;
}

function firstSaid({ stores }: ForgettingWorld, episode: Episode): string[] {
  const turns = new Set(stores.trace.turnsOfEpisode(episode.id).map(({ id }) => id));
  return stores.conversations
    .messages(episode.conversationId)
    .filter((message) => message.role === "user" && turns.has(message.turnId))
    .map(({ text }) => text);
}
