import { fold } from "#base/text.ts";
import type { Target } from "#contract/skills/schema.ts";
import type { PageElement } from "../ports/browser.ts";
import { anyDay, findValues } from "../skills/values/index.ts";

/**
 * How many there are of what the name stands for: "(3)", "(2 items, £30.00)", "· 4", ", 3 unread". A number without brackets or a mark before it
 * may as well say which one is meant ("Room 12").
 */
const counter = /\s*[([{]\s*\d[^()[\]{}]*[)\]}]|\s*[,·•:–—|]\s*\d[\d.,]*\+?(?:\s+\p{Ll}+){0,2}$|\s+-\s+\d[\d.,]*\+?(?:\s+\p{Ll}+){0,2}$/gu;

/** A name without what changes by itself: counters ("Messages (3)") and days ("Agenda, 30 November"). */
function stablePart(name: string): string {
  let rest = name;
  for (const { kind, start, end } of findValues(name, anyDay).toReversed())
    if (kind === "date" || kind === "month" || kind === "time") rest = `${rest.slice(0, start)} ${rest.slice(end)}`;
  return fold(rest.replace(counter, " "));
}

/** The only element of this role whose name is the same but for what changes by itself; a rest without a word tells nothing. */
export function sameButForCounters(candidates: readonly PageElement[], target: Target): PageElement | undefined {
  const wanted = stablePart(target.name);
  if (!/\p{L}{2}/u.test(wanted)) return undefined;
  const [only, ...more] = candidates.filter((element) => element.role === target.role && stablePart(element.name) === wanted);
  return more.length === 0 ? only : undefined;
}
