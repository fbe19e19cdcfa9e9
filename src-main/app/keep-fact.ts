import { fold } from "#base/text.ts";
import type { Fact } from "#contract/memory/schema.ts";
import { factKeys, factSlot } from "#core/learning/index.ts";
import type { Stores } from "#core/ports/index.ts";

export type KeptFact =
  /** Nothing was known of it. */
  | { readonly became: "added"; readonly fact: Fact; readonly before: null }
  /** It was known, in these words or others. */
  | { readonly became: "known"; readonly fact: Fact; readonly before: null }
  /** It takes the place of what cannot be so at the same time. */
  | { readonly became: "renewed"; readonly fact: Fact; readonly before: string }
  /** The user wrote down something else about this themselves, or said something else later; that stays. */
  | { readonly became: "left"; readonly fact: Fact; readonly because: "theirs" | "later" };

/** What the user wrote, worded anew or brought along: nobody else changes it. */
export function isUsersOwn({ source }: Pick<Fact, "source">): boolean {
  return source === "user" || source === "imported";
}

/**
 * Keeps a fact: what says the same is not kept a second time, and what cannot be so at the same time gives way, unless it is the user's own word and this is
 * not. Throws nothing; to be called in a transaction where something else is written with it.
 * @param saidAt when the message was written that the fact quotes; it does not take the place of what was said later
 */
export function keepFact(stores: Pick<Stores, "facts" | "conversations">, fact: Fact, saidAt: number): KeptFact {
  const { facts } = stores;
  const known = facts.list();
  const keys = factKeys(fact.text);
  const same = known.find(({ text }) => factKeys(text).some((key) => keys.includes(key)));
  if (same) return keepSame(stores, same, fact);
  const slot = factSlot(fact.text);
  const other = slot === null ? undefined : known.find(({ text }) => factSlot(text) === slot);
  if (!other) {
    facts.add(fact);
    return { became: "added", fact, before: null };
  }
  // What is brought along may be old: it takes the place of nothing.
  if (fact.source === "imported" || (isUsersOwn(other) && !isUsersOwn(fact))) return { became: "left", fact: other, because: "theirs" };
  const before = other.provenance && stores.conversations.message(other.provenance.messageId);
  if (before && before.createdAt > saidAt && !isUsersOwn(fact)) return { became: "left", fact: other, because: "later" };
  const renewed = { ...fact, id: other.id, createdAt: other.createdAt };
  facts.renew(renewed);
  return { became: "renewed", fact: renewed, before: other.text };
}

/** What the user writes down themselves is theirs from then on, in their words. */
function keepSame({ facts }: Pick<Stores, "facts">, same: Fact, fact: Fact): KeptFact {
  if (fact.source !== "user" || (isUsersOwn(same) && fold(same.text) === fold(fact.text))) return { became: "known", fact: same, before: null };
  if (fold(same.text) !== fold(fact.text)) facts.update(same.id, fact.text, fact.updatedAt);
  if (same.label !== fact.label || !isUsersOwn(same)) facts.relabel(same.id, fact.label, fact.updatedAt);
  return { became: "known", fact: facts.list().find(({ id }) => id === same.id) ?? same, before: null };
}
