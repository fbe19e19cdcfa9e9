import type { Message, Turn } from "#contract/chat/schema.ts";
import type { Stores } from "../ports/stores.ts";

type LineStores = Pick<Stores, "conversations" | "trace">;

/** A part of what a conversation consists of: its own turns, or those that it shares with one that it goes on from. */
interface LinePart {
  readonly conversationId: string;
  /** The last turn of that one it shares; null where it shares none; absent for its own, which are all. */
  readonly through?: string | null;
}

/** What was said ahead of a branch and in it, in order. A conversation whose origin is gone begins with itself. */
export function lineOf({ conversations }: Pick<Stores, "conversations">, conversationId: string): readonly LinePart[] {
  const parts: LinePart[] = [{ conversationId }];
  const met = new Set([conversationId]);
  for (let at = conversations.get(conversationId)?.branch; at !== undefined && !met.has(at.of); at = conversations.get(at.of)?.branch) {
    met.add(at.of);
    parts.unshift({ conversationId: at.of, through: at.after });
  }
  return parts;
}

/** Ids of the turns of a conversation and of those that it shares, oldest first. */
export function turnIdsInLine(stores: LineStores, conversationId: string): string[] {
  return lineOf(stores, conversationId).flatMap((part) => partOf(part, stores.trace.turnIds(part.conversationId), (id) => id));
}

/** As `turnIdsInLine`, the turns themselves. */
export function turnsInLine(stores: LineStores, conversationId: string): Turn[] {
  return lineOf(stores, conversationId).flatMap((part) => partOf(part, stores.trace.turns(part.conversationId), ({ id }) => id));
}

/** What was said in them. */
export function messagesInLine(stores: LineStores, conversationId: string): Message[] {
  return lineOf(stores, conversationId).flatMap((part) => {
    const messages = stores.conversations.messages(part.conversationId);
    if (part.through === undefined) return messages;
    const shared = new Set(partOf(part, stores.trace.turnIds(part.conversationId), (id) => id));
    return messages.filter(({ turnId }) => shared.has(turnId));
  });
}

/** Conversations that share turns of this one, itself included. */
export function sharersOf({ conversations }: Pick<Stores, "conversations">, conversationId: string): string[] {
  const found = new Set([conversationId]);
  for (let next = [conversationId]; next.length > 0; ) {
    next = conversations.branchesOf(next).flatMap(({ id }) => (found.has(id) ? [] : [id]));
    for (const id of next) found.add(id);
  }
  return [...found];
}

function partOf<One>({ through }: LinePart, all: readonly One[], idOf: (one: One) => string): readonly One[] {
  if (through === undefined) return all;
  return all.slice(0, all.findIndex((one) => idOf(one) === through) + 1);
}
