import type { Stores } from "#core/ports/index.ts";
import { compactionOn, type Desk, freshDesk } from "#core/turn/index.ts";

/**
 * The desk of a conversation that is taken up again in a new process: what was said, all of it, with the compaction that holds. What was done for it is
 * not read again; the answers tell what came of it.
 */
export function storedDesk(stores: Stores, conversationId: string, marker: string): Desk {
  const desk = freshDesk(conversationId, marker);
  for (const { role, text, turnId } of stores.conversations.messages(conversationId)) {
    if (!desk.starts.has(turnId)) desk.starts.set(turnId, desk.messages.length);
    desk.messages.push(role === "user" ? { role, text } : { role, text: JSON.stringify({ tool: "reply", args: { text } }) });
  }
  desk.compaction = compactionOn(stores, desk);
  return desk;
}
