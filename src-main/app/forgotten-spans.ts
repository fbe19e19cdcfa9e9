import type { Message } from "#contract/chat/schema.ts";
import { tellingOf, withoutSpans } from "#core/learning/index.ts";
import type { Span, Stores } from "#core/ports/index.ts";
import { messagesInLine } from "#core/turn/index.ts";

/**
 * Where messages of a conversation tell of what the user had forgotten: what is marked of those that stay as they were written, and what was let go of and
 * is not erased yet. No model may read it again.
 */
export function forgottenSpans(stores: Pick<Stores, "facts" | "conversations">, conversationId: string): (message: Message) => Span[] {
  const marked = stores.conversations.forgotten(conversationId);
  const gone = stores.facts.letGoUntil(Number.MAX_SAFE_INTEGER);
  const tells =
    gone.length === 0
      ? () => []
      : tellingOf(
          gone.flatMap(({ id, text }) => [text, ...stores.facts.history(id).map((version) => version.text)]),
          stores.facts.list(),
        );
  return ({ id, text }) => [...(marked.get(id) ?? []), ...tells(text)].toSorted((a, b) => a.start - b.start || b.end - a.end);
}

/** The messages of a conversation, with those it shares, as a model may read them. */
export function messagesForPrompt(stores: Pick<Stores, "facts" | "conversations" | "trace">, conversationId: string): Message[] {
  const known = new Map<string, (message: Message) => Span[]>();
  const spansIn = (id: string): ((message: Message) => Span[]) => {
    const spans = known.get(id) ?? forgottenSpans(stores, id);
    known.set(id, spans);
    return spans;
  };
  return messagesInLine(stores, conversationId).map((message) => ({ ...message, text: withoutSpans(message.text, spansIn(message.conversationId)(message)) }));
}
