import type { ProfileField } from "#contract/memory/schema.ts";
import type { FactStore } from "../../ports/stores.ts";
import { factSlot } from "./find-facts.ts";

/** What a fact is about, where it answers one of the questions. */
const fieldOfSlot: Readonly<Record<string, ProfileField>> = { name: "name", home: "location", role: "role", employer: "role", business: "role" };

/**
 * Which of name, location and role are known from what the user said of themselves (facts labelled SOUL), and which they would rather not say. A field that
 * is in neither state is not in the map; what was declined once and said later is known.
 */
export function profileFields(facts: Pick<FactStore, "list" | "declined">): ReadonlyMap<ProfileField, "known" | "declined"> {
  const fields = new Map<ProfileField, "known" | "declined">(facts.declined().map((field) => [field, "declined"]));
  for (const { label, text } of facts.list()) {
    const slot = label === "SOUL" ? factSlot(text) : null;
    const field = slot !== null && Object.hasOwn(fieldOfSlot, slot) ? fieldOfSlot[slot] : undefined;
    if (field !== undefined) fields.set(field, "known");
  }
  return fields;
}
