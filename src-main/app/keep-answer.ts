import type { Message } from "#contract/chat/schema.ts";
import type { Fact, ProfileField } from "#contract/memory/schema.ts";
import { answeredIn, askedFields, declinedIn, declinedOutright, factKeys, factsIn, profileFields } from "#core/learning/index.ts";
import { keepFact } from "./keep-fact.ts";
import type { SkillWorld } from "./skills.ts";

/** Who somebody is: told once and plainly it is kept at once; everything else a dream looks for, or the user asks to have kept. */
const ofProfile = new Set(["name", "home", "role", "employer", "business"]);

/**
 * What a person says of themselves in a message, as code can tell without a model: what they answer when they are asked for their name, location or role,
 * and plain statements of these ("My name is Ada", "Ich wohne in Köln"), becomes a fact with the message it stands in; a field they would rather not say
 * is kept as declined. Returns what is new. What the user wrote down themselves stays.
 */
export function keepAnswer({ stores, settings, clock, makeId }: Pick<SkillWorld, "stores" | "settings" | "clock" | "makeId">, message: Message): Fact[] {
  if (settings?.().memory === false) return [];
  const messages = stores.conversations.messages(message.conversationId);
  const before = messages[messages.findIndex(({ id }) => id === message.id) - 1];
  const question = before?.role === "assistant" ? before.text : "";
  const isKnown = (field: ProfileField): boolean => profileFields(stores.facts).get(field) === "known";
  const kept: Fact[] = [];
  const keep = (text: string, sentence: string): void => {
    const now = clock();
    const provenance = { conversationId: message.conversationId, messageId: message.id, sentence };
    const fact: Fact = { id: makeId(), label: "SOUL", text, source: "conversation", createdAt: now, updatedAt: now, provenance };
    const done = keepFact(stores, fact, message.createdAt);
    if (done.became !== "added" && done.became !== "renewed") return;
    // They say it again after they had it forgotten.
    stores.facts.unforget(factKeys(text));
    kept.push(done.fact);
  };
  stores.transaction(() => {
    const answered = answeredIn(message.text, question).filter(({ field }) => !isKnown(field));
    for (const { text } of answered) keep(text, message.text);
    for (const { text, slot, sentence } of factsIn(message.text).facts) if (slot !== null && ofProfile.has(slot)) keep(text, sentence);
    const declined = [...(askedFields(question).length === 0 ? [] : declinedIn(message.text, question)), ...declinedOutright(message.text)];
    for (const field of new Set(declined)) if (!isKnown(field) && !answered.some((one) => one.field === field)) stores.facts.decline(field, clock());
  });
  return kept;
}
