import type { Stores } from "#core/ports/index.ts";
import { type Desk, freshDesk, standingCompaction } from "#core/turn/index.ts";

/**
 * The desk of a conversation that is taken up again in a new process: what was said, all of it, with the compaction that holds. What was done for it is
 * not read again; the answers tell what came of it.
 */
export function storedDesk(stores: Stores, conversationId: string, marker: string): Desk {
  const desk = freshDesk(conversationId, marker);
  const compaction = standingCompaction(stores, conversationId);
  const covered = new Set(compaction === undefined ? [] : throughTurn(stores, conversationId, compaction.throughTurnId));
  let at = 0;
  for (const { role, text, turnId } of stores.conversations.messages(conversationId)) {
    if (!desk.starts.has(turnId)) desk.starts.set(turnId, desk.messages.length);
    desk.messages.push(role === "user" ? { role, text } : { role, text: JSON.stringify({ tool: "reply", args: { text } }) });
    if (covered.has(turnId)) at = desk.messages.length;
  }
  if (compaction !== undefined) desk.compaction = { text: compaction.text, at };
  return desk;
}

function throughTurn(stores: Stores, conversationId: string, last: string): string[] {
  const ids = stores.trace.turns(conversationId).map(({ id }) => id);
  return ids.slice(0, ids.indexOf(last) + 1);
}
