import type { Stores } from "#core/ports/index.ts";
import { attachedText, compactionOn, type Desk, freshDesk, messagesInLine } from "#core/turn/index.ts";
import { messagesForPrompt } from "./forgotten-spans.ts";
import { notedPrompt } from "./prompt-note.ts";

/**
 * The desk of a conversation that is taken up again in a new process: its prompt as it was evaluated where that was noted, else what was said, all of it;
 * with the compaction that holds. What was done for it is not read again; the answers tell what came of it.
 */
export function storedDesk(stores: Stores, conversationId: string, marker: string, note: string | null): Desk {
  const noted = notedPrompt(stores, conversationId, note);
  const desk = { ...freshDesk(conversationId, marker), ...noted };
  if (noted === null) addSaid(desk, stores);
  desk.compaction = compactionOn(stores, desk);
  return desk;
}

/** Puts the prompt of a desk together anew from what is stored; its browser, and the run that halted on it, stay. */
export function renewDesk(stores: Stores, desk: Desk, note: string | null): void {
  const { messages, starts, compaction, marker } = storedDesk(stores, desk.conversationId, desk.marker, note);
  desk.messages = messages;
  desk.starts.clear();
  for (const [turnId, at] of starts) desk.starts.set(turnId, at);
  desk.compaction = compaction;
  desk.marker = marker;
}

/** Whether a desk has the turns that are stored: another process may have gone on with its conversation, or erased some of it. */
export function hasItsTurns(stores: Pick<Stores, "conversations" | "trace">, { conversationId, starts }: Desk): boolean {
  const stored = new Set(messagesInLine(stores, conversationId).map(({ turnId }) => turnId));
  return stored.size === starts.size && [...stored].every((turnId) => starts.has(turnId));
}

function addSaid(desk: Desk, stores: Stores): void {
  for (const { role, text, turnId, attachments } of messagesForPrompt(stores, desk.conversationId)) {
    if (!desk.starts.has(turnId)) desk.starts.set(turnId, desk.messages.length);
    const files = attachments === undefined ? "" : attachedText(stores.conversations.attachmentsOf(turnId), desk.marker);
    desk.messages.push(
      role === "user" ? { role, text: files === "" ? text : `${text}\n${files}` } : { role, text: JSON.stringify({ tool: "reply", args: { text } }) },
    );
  }
}
