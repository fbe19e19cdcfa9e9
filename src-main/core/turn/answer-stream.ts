import type { Message, Turn } from "#contract/chat/schema.ts";
import type { TurnWorld } from "./world.ts";

/** The assistant's message: stored while it streams, so that a crash loses nothing that was shown. */
export interface AnswerStream {
  add(text: string): void;
  /** The message as it ended, with what was still to be said; null where nothing was. */
  close(says: string | null, isStopped: boolean): Message | null;
}

/** How often a message that streams is stored, in milliseconds. */
const storeEvery = 200;

export function answerStream(world: TurnWorld, turn: Turn): AnswerStream {
  const { conversations } = world.stores;
  let message: Message | null = null;
  let storedAt = 0;
  const add = (text: string): void => {
    const now = world.clock();
    if (!message) {
      message = { id: world.makeId(), conversationId: turn.conversationId, turnId: turn.id, role: "assistant", text, status: "streaming", createdAt: now };
      conversations.addMessage(message);
      storedAt = now;
    } else {
      message = { ...message, text: message.text + text };
      if (now - storedAt > storeEvery) {
        conversations.updateMessage(message.id, message.text, "streaming");
        storedAt = now;
      }
    }
    world.emit({ type: "text-delta", turnId: turn.id, text });
  };
  return {
    add,
    close(says, isStopped) {
      if (says !== null && message?.text !== says)
        add(message && says.startsWith(message.text) ? says.slice(message.text.length) : message ? `\n${says}` : says);
      if (!message) return null;
      message = { ...message, status: isStopped ? "interrupted" : "complete" };
      conversations.updateMessage(message.id, message.text, message.status);
      return message;
    },
  };
}
