import { stopWords } from "#base/stop-words.ts";
import { words } from "#base/text.ts";
import type { PageElement, PageView } from "../ports/browser.ts";
import { holdsLetter, indexOn, isFixedLandmark, isPager, pagersOn } from "../skills/index.ts";
import { tokens, withoutUrls } from "../skills/values/index.ts";

/** Closed things that are opened in the search for one target, for want of better. */
const mostOpened = 6;

/**
 * Controls that may bring the target into sight, best first: what is closed and called by a part of what is wanted ("2026" for a bill of that
 * year), letters of an index, what shows more of the list, in the direction taken before, then other folded sections and menus.
 */
export function waysOn(page: PageView, tried: readonly string[], wanted: string, goal: string): PageElement[] {
  const sought = new Set(words(wanted).filter((word) => !stopWords.has(word)));
  const pressable = page.elements.filter((element) => !element.disabled && element.action === "click");
  const closed = pressable.filter((element) => element.isClosed && element.role !== "combobox");
  const isNamed = (element: PageElement): boolean => words(element.name).some((word) => sought.has(word));
  const pagers = pagersOn(page)
    .filter((element) => !element.isClosed)
    .sort((a, b) => Number(b.name === tried.at(-1)) - Number(a.name === tried.at(-1)));
  const others = closed.filter((element) => !isNamed(element)).sort((a, b) => Number(isFixedLandmark(a.landmark)) - Number(isFixedLandmark(b.landmark)));
  const letters = lettersFor(goal, indexOn(pressable)).filter(({ name }) => !tried.includes(name));
  // "Later shows" where the page does not say that it lists shows: for want of better.
  const perhaps = pagers.length > 0 ? [] : pressable.filter((element) => !element.isClosed && isPager(element.name));
  const isFramed = ({ landmark }: PageElement): boolean => isFixedLandmark(landmark);
  const [near, far] = [perhaps.filter((element) => !isFramed(element)), perhaps.filter(isFramed)];
  return [...closed.filter(isNamed), ...letters, ...pagers, ...near, ...others.slice(0, mostOpened), ...far];
}

/** The letters of an index ("A B C …") that words of the goal begin with; those of names first. */
function lettersFor(goal: string, index: readonly PageElement[]): PageElement[] {
  if (index.length === 0) return [];
  const said = tokens(withoutUrls(goal)).filter(({ word }) => !stopWords.has(word));
  const isName = ({ start }: { start: number }): boolean => start > 0 && /\p{Lu}/u.test(withoutUrls(goal)[start] ?? "");
  const initials = said.toSorted((a, b) => Number(isName(b)) - Number(isName(a))).map(({ word }) => word[0] ?? "");
  const found = initials.flatMap((letter) => index.find(({ name }) => holdsLetter(name, letter)) ?? []);
  return [...new Set(found)];
}
