import type { Message } from "#contract/chat/schema.ts";
import type { ProfileField } from "#contract/memory/schema.ts";
import { answeredIn, askedFields, declinedIn, profileFields } from "#core/learning/index.ts";
import type { SkillWorld } from "./skills.ts";

/**
 * What a person answers when they are asked for their name, location or role becomes a fact, with the message it stands in; a field they would rather not
 * say is kept as declined. Only an answer to a question counts, and what is known already stays.
 */
export function keepAnswer({ stores, settings, clock, makeId }: Pick<SkillWorld, "stores" | "settings" | "clock" | "makeId">, message: Message): void {
  if (settings?.().memory === false) return;
  const messages = stores.conversations.messages(message.conversationId);
  const before = messages[messages.findIndex(({ id }) => id === message.id) - 1];
  if (before?.role !== "assistant" || askedFields(before.text).length === 0) return;
  const fields = profileFields(stores.facts);
  const isKnown = (field: ProfileField): boolean => fields.get(field) === "known";
  stores.transaction(() => {
    const answered = answeredIn(message.text, before.text).filter(({ field }) => !isKnown(field));
    const now = clock();
    for (const { text } of answered)
      stores.facts.add({
        id: makeId(),
        label: "SOUL",
        text,
        source: "conversation",
        createdAt: now,
        updatedAt: now,
        provenance: { conversationId: message.conversationId, messageId: message.id, sentence: message.text },
      });
    for (const field of declinedIn(message.text, before.text))
      if (!isKnown(field) && !answered.some((one) => one.field === field)) stores.facts.decline(field, now);
  });
}
