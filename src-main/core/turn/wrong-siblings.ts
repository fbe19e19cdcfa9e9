import type { PageElement, PageView } from "../ports/browser.ts";
import { type FoundValue, findValues, readCanonicalDate } from "../skills/values/index.ts";

const comparable = new Set(["date", "month", "id", "amount"]);

/** Whether two values may be the same: a day without its year agrees with that day of any year. */
export function agree(a: FoundValue, b: FoundValue): boolean {
  if (a.canonical === b.canonical) return true;
  const [x, y] = [readCanonicalDate(a.canonical), readCanonicalDate(b.canonical)];
  if (!x || !y) return false;
  return x.month === y.month && (x.year === null || y.year === null || x.year === y.year) && (x.day === null || y.day === null || x.day === y.day);
}

/**
 * Elements whose name carries one value of a kind the goal names, and another one than the goal's: "Download January bill" when June is asked
 * for. Only where the page has at least two such elements, so that a single link that happens to hold a date stays.
 */
export function wrongSiblings(page: PageView, goal: string, now: Date): Set<PageElement> {
  const wanted = findValues(goal, now).filter((value) => comparable.has(value.kind));
  const wrong = new Set<PageElement>();
  if (wanted.length === 0) return wrong;
  for (const element of page.elements) {
    if (element.action !== "click") continue;
    const own = findValues(element.name, now).filter((value) => comparable.has(value.kind));
    if (own.length !== 1 || !own[0]) continue;
    const [value] = own;
    const alike = wanted.filter(
      (other) => other.kind === value.kind || (other.kind === "date" && value.kind === "month") || (other.kind === "month" && value.kind === "date"),
    );
    if (alike.length > 0 && !alike.some((other) => agree(other, value))) wrong.add(element);
  }
  return wrong.size >= 2 ? wrong : new Set();
}
