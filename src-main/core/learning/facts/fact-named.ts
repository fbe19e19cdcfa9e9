import { fold } from "#base/text.ts";
import type { Fact } from "#contract/memory/schema.ts";
import { tellingStems } from "../../skills/values/index.ts";
import { factKeys } from "./find-facts.ts";

/** Fewest characters of an id that name a fact. */
const shortestId = 4;

/**
 * The facts that are meant: by id, or the beginning or end of one; by what it says, however it is worded; else by a description, all of whose telling words
 * stand in it. One where it is clear, several where it is not. Pure.
 */
export function factsNamed<Named extends Pick<Fact, "id" | "text">>(facts: readonly Named[], which: string): Named[] {
  const wanted = which.trim();
  const exact = facts.find(({ id }) => id === wanted);
  if (exact) return [exact];
  const shortened = wanted.toUpperCase();
  const byId =
    wanted.length < shortestId || /\s/u.test(wanted)
      ? []
      : facts.filter(({ id }) => id.toUpperCase().startsWith(shortened) || id.toUpperCase().endsWith(shortened));
  if (byId.length > 0) return byId;
  const same = facts.filter(({ text }) => fold(text) === fold(wanted));
  if (same.length > 0) return same;
  const keys = factKeys(wanted);
  const alike = facts.filter(({ text }) => factKeys(text).some((key) => keys.includes(key)));
  if (alike.length > 0) return alike;
  const telling = tellingStems(wanted);
  if (telling.length === 0) return [];
  return facts.filter(({ text }) => {
    const said = new Set(tellingStems(text));
    return telling.every((word) => said.has(word));
  });
}

/** Whether a message speaks of this fact: by its id, or by a telling word of what it says. "Forget my cat" does not speak of the user's name. Pure. */
export function speaksOf(message: string, { id, text }: Pick<Fact, "id" | "text">): boolean {
  const said = new Set(tellingStems(message));
  return message.split(/\s+/u).includes(id) || tellingStems(text).some((word) => said.has(word));
}
