import { clip, fold } from "#base/text.ts";
import { kindWord, type SeenElement } from "./elements.ts";

export type Unlabelled = Omit<SeenElement, "label" | "within">;

const LONGEST_WITHIN = 80;

/** Gives every element a label that is unique on its page; equal names get the nearest text that only one of them stands by. */
export function tellApart(elements: readonly Unlabelled[]): SeenElement[] {
  const groups = Map.groupBy(withoutTwins(elements), (element) => `${kindWord(element.role, element.action)} ${fold(element.name)}`);
  const within = new Map<Unlabelled, string>();
  for (const group of groups.values()) {
    if (group.length === 1) within.set(group[0] as Unlabelled, "");
    else for (const [index, element] of group.entries()) within.set(element, tellingText(element, group) ?? `#${index + 1}`);
  }
  return [...within.keys()].length === 0 ? [] : withoutTwins(elements).map((element) => {
    const telling = within.get(element) ?? "";
    const label = `${kindWord(element.role, element.action)} ${element.name}`.trim();
    return { ...element, within: telling, label: telling === "" ? label : `${label} (${telling})` };
  });
}

/** Links of one name to one place are one element: the first. */
function withoutTwins(elements: readonly Unlabelled[]): Unlabelled[] {
  const seen = new Set<string>();
  return elements.filter((element) => {
    if (element.role !== "link" || element.url === "" || element.url.startsWith("#") || /^javascript:/iu.test(element.url)) return true;
    const key = `${fold(element.name)}\n${element.url}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function tellingText(element: Unlabelled, group: readonly Unlabelled[]): string | null {
  for (const context of element.contexts) {
    const text = clip(context, LONGEST_WITHIN).replace(/…$/u, "").trim();
    const folded = fold(text);
    if (folded === "" || folded === fold(element.name)) continue;
    if (group.every((other) => other === element || !standsBy(other, folded))) return text;
  }
  return null;
}

/** True where a folded text is part of one of the texts around an element. */
export function standsBy(element: Pick<SeenElement, "contexts">, folded: string): boolean {
  return element.contexts.some((context) => fold(context).includes(folded));
}
