import type { TurnPage } from "#contract/conversations/routes.ts";
import { badInput } from "#contract/errors.ts";
import type { Stores } from "#core/ports/index.ts";
import { turnIdsInLine } from "#core/turn/index.ts";
import type { ConversationDetail } from "./agent.ts";
import { forksOf } from "./branches.ts";

/**
 * A conversation with the turns that it shares in front of its own: all of them, or a page. What is not told of is not read either, so that a long
 * conversation opens as fast as a short one. Throws bad-input for an unknown conversation, and a page that names no turn or message of it.
 */
export function conversationDetail(stores: Stores, id: string, page: TurnPage = {}): ConversationDetail {
  const { conversations, trace } = stores;
  const conversation = conversations.get(id);
  if (!conversation) throw badInput(`There is no conversation ${id}`);
  const all = turnIdsInLine(stores, id);
  const [first, end] = spanOf(stores, all, page);
  const turnIds = all.slice(first, end);
  const turns = turnIds.flatMap((turnId) => trace.turn(turnId) ?? []);
  const episodes = new Map(turns.map(({ episodeId }) => [episodeId, trace.episode(episodeId)]));
  return {
    conversation,
    messages: turnIds.flatMap((turnId) => conversations.messagesOfTurn(turnId)),
    turns,
    steps: turnIds.flatMap((turnId) => trace.stepsOfTurn(turnId)),
    episodes: [...episodes.values()].flatMap((episode) => episode ?? []),
    context: conversations.context(id) ?? null,
    compactions: conversations.compactions(id),
    ...(first === 0 ? {} : { earlier: first }),
    ...withForks(stores, id, turnIds),
  };
}

function withForks(stores: Stores, id: string, turnIds: readonly string[]): Pick<ConversationDetail, "forks"> {
  const forks = forksOf(stores, id, turnIds);
  return forks.length === 0 ? {} : { forks };
}

/** From which turn up to which: [first, end). */
function spanOf({ conversations }: Pick<Stores, "conversations">, all: readonly string[], { last, before, from }: TurnPage): [number, number] {
  const place = (turnOrMessage: string): number => {
    const at = all.indexOf(conversations.message(turnOrMessage)?.turnId ?? turnOrMessage);
    if (at < 0) throw badInput(`This conversation has no turn and no message ${turnOrMessage}; it may have been erased.`);
    return at;
  };
  const end = before === undefined ? all.length : place(before);
  const newest = last === undefined ? 0 : Math.max(0, end - last);
  return [from === undefined ? newest : Math.min(place(from), last === undefined ? all.length : newest), end];
}
