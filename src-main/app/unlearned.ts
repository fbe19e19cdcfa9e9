import type { Turn } from "#contract/chat/schema.ts";
import { KnackError } from "#contract/errors.ts";
import type { MemoryKeeper, SkillKeeper, Stores } from "#core/ports/index.ts";

type UnlearnedStores = Pick<Stores, "conversations" | "trace">;

/** Why nothing is learned from a conversation, said to the user; null where it may be. */
export function whyUnlearned({ conversations }: Pick<Stores, "conversations">, conversationId: string): string | null {
  const conversation = conversations.get(conversationId);
  if (conversation?.isTemporary) return "This chat is temporary: nothing of it is kept, and nothing is learned from it. Say it in an ordinary conversation.";
  if (conversation?.isImported) return "This conversation was imported, so nothing is learned from it. Say it in a conversation of your own.";
  return null;
}

/** As `whyUnlearned`, by one of its episodes. */
export function whyEpisodeUnlearned({ conversations, trace }: UnlearnedStores, episodeId: string): string | null {
  return whyUnlearned({ conversations }, trace.episode(episodeId)?.conversationId ?? "");
}

/** Memory that can be asked, and forgets when the user wants it, but takes nothing in where nothing is learned. */
export function memoryIn({ conversations }: UnlearnedStores, turn: Pick<Turn, "conversationId">, keeper: MemoryKeeper): MemoryKeeper {
  const why = whyUnlearned({ conversations }, turn.conversationId);
  return why === null ? keeper : { ...keeper, remember: () => refuse(why), update: () => refuse(why) };
}

/** Skills that can be read, but are not made, changed or put away where nothing is learned. */
export function skillsIn(stores: UnlearnedStores, episodeId: string, keeper: SkillKeeper): SkillKeeper {
  const why = whyEpisodeUnlearned(stores, episodeId);
  if (why === null) return keeper;
  const never = async (): Promise<never> => refuse(why);
  return { ...keeper, create: never, modify: never, retire: () => refuse(why) };
}

function refuse(why: string): never {
  throw new KnackError("chat.unlearned", why, { exit: 3 });
}
