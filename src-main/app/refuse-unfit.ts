import type { Send } from "#contract/chat/schema.ts";
import { badInput } from "#contract/errors.ts";
import type { Stores } from "#core/ports/index.ts";

/** Refuses, before anything is stored, what cannot go with a message: a file that holds no text, one that is not there, and what contradicts itself. */
export function refuseUnfit({ conversations }: Pick<Stores, "conversations">, { attachments = [], temporary, conversationId, insteadOf, resume }: Send): void {
  if (temporary && (conversationId !== undefined || insteadOf !== undefined))
    throw badInput("temporary: only a new conversation can be temporary; start it with its first message.");
  if (resume && insteadOf !== undefined) throw badInput("insteadOf: what goes on from where it was takes no other message's place.");
  for (const file of attachments) {
    if ("id" in file) {
      if (!conversations.attachment(file.id)) throw badInput(`There is no attached file ${file.id}; it may have been erased. Attach it anew.`);
    } else if (isBinary(file.text)) throw badInput(`"${file.name}" is no text file, so it cannot be read. Export it as text, or name what is in it.`);
  }
}

/** No text holds a null, and one that was read as another kind is full of signs for what could not be read. */
function isBinary(text: string): boolean {
  const unread = text.slice(0, 100_000).match(/\u{fffd}/gu)?.length ?? 0;
  return text.includes("\0") || unread > Math.min(text.length, 100_000) / 50;
}
