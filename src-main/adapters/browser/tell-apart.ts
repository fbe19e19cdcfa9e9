import { clip, fold } from "#base/text.ts";
import { kindWord, type Level, type SeenElement } from "./elements.ts";

export type Unlabelled = Omit<SeenElement, "label" | "within">;
type Placed = Pick<SeenElement, "levels" | "name">;

const LONGEST_WITHIN = 80;

/** Gives every element a label that is unique on its page; equal names get a text that only one of them stands by. */
export function tellApart(elements: readonly Unlabelled[]): SeenElement[] {
  const kept = withoutTwins(elements);
  const within = new Map<Unlabelled, string>();
  for (const group of Map.groupBy(kept, (element) => `${kindWord(element.role, element.action)} ${fold(element.name)}`).values()) {
    if (group.length === 1) continue;
    for (const [index, element] of group.entries()) within.set(element, tellingText(element, group) ?? `#${index + 1}`);
  }
  return kept.map((element) => {
    const telling = within.get(element) ?? "";
    const label = `${kindWord(element.role, element.action)} ${element.name}`.trim();
    // A label stands in brackets on its page: no name can leave them and pass for another element.
    return { ...element, within: telling, label: (telling === "" ? label : `${label} (${telling})`).replaceAll("[", "(").replaceAll("]", ")") };
  });
}

/** Links of one name to one place are one element: the first. */
function withoutTwins(elements: readonly Unlabelled[]): Unlabelled[] {
  const seen = new Set<string>();
  return elements.filter((element) => {
    if (element.role !== "link" || element.url === "" || element.url.startsWith("#") || /^javascript:/iu.test(element.url)) return true;
    const key = `${fold(element.name)}\n${element.url}\n${element.frame ?? ""}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** What surrounds an element and none of the others of its group, outermost first. */
function ownLevels(element: Placed, group: readonly Placed[]): Level[] {
  const shared = new Set(group.filter((other) => other !== element).flatMap((other) => other.levels.map((level) => level.id)));
  return element.levels.filter((level) => !shared.has(level.id)).reverse();
}

function textsOf(levels: readonly Level[]): string[] {
  return levels.flatMap((level) => level.texts);
}

/** True where a folded text is part of what surrounds this element alone of its group. */
export function standsBy(element: Placed, group: readonly Placed[], folded: string): boolean {
  return textsOf(ownLevels(element, group)).some((text) => fold(text).includes(folded));
}

/** True where a folded text is one whole text of what surrounds this element alone of its group. */
export function standsExactlyBy(element: Placed, group: readonly Placed[], folded: string): boolean {
  return textsOf(ownLevels(element, group)).some((text) => fold(text) === folded);
}

function tellingText(element: Unlabelled, group: readonly Unlabelled[]): string | null {
  const others = group.filter((other) => other !== element);
  const isTelling = (text: string): boolean => text !== "" && fold(text) !== fold(element.name) && !others.some((other) => standsBy(other, group, fold(text)));
  const own = textsOf(ownLevels(element, group)).map((text) => clip(text, LONGEST_WITHIN).replace(/…$/u, "").trim());
  const single = own.find(isTelling);
  if (single !== undefined) return single;
  // Rows of one name in several sections: the row's text with the section's.
  const first = own.find((text) => text !== "" && fold(text) !== fold(element.name));
  if (first === undefined) return null;
  const around = textsOf(element.levels).find(
    (text) => text.length <= 40 && others.every((other) => !textsOf(other.levels).includes(text) || !textsOf(ownLevels(other, group)).includes(first)),
  );
  return around === undefined ? null : `${first}, ${around}`;
}
