import { clip, fold, squash } from "#base/text.ts";
import { KnackError } from "#contract/errors.ts";
import type { Target } from "#contract/skills/schema.ts";
import type { SeenElement } from "./elements.ts";
import { standsBy, standsExactlyBy } from "./tell-apart.ts";

const FAMILIES: readonly (readonly string[])[] = [
  ["textbox", "searchbox", "spinbutton", "combobox", "slider", "field"],
  ["combobox", "listbox", "list", "select"],
  ["button", "summary", "disclosure"],
  ["menuitem", "menuitemcheckbox", "menuitemradio", "menu item"],
  ["checkbox", "switch"],
];

function isOfRole(element: SeenElement, role: string): boolean {
  return element.role === role || FAMILIES.some((family) => family.includes(role) && family.includes(element.role));
}

/** `missing` may heal by waiting; the others do not. */
export type Found =
  | { readonly kind: "one"; readonly element: SeenElement }
  | { readonly kind: "missing" }
  | { readonly kind: "several"; readonly elements: readonly SeenElement[] };

/** The one element a target means: by role and name (exact, then folded), told apart by `within`. */
export function findTarget(elements: readonly SeenElement[], target: Target): Found {
  const name = squash(target.name);
  const named = [
    (element: SeenElement) => element.role === target.role && element.name === name,
    (element: SeenElement) => element.role === target.role && fold(element.name) === fold(name),
    (element: SeenElement) => isOfRole(element, target.role) && fold(element.name) === fold(name),
  ];
  const matches = named.map((test) => elements.filter(test)).find((list) => list.length > 0) ?? [];
  if (matches.length === 0) return { kind: "missing" };
  const within = fold(target.within ?? "");
  if (within === "") return only(matches);
  const tests = [
    (element: SeenElement) => fold(element.within) === within,
    (element: SeenElement) => standsExactlyBy(element, matches, within),
    (element: SeenElement) => standsBy(element, matches, within),
    (element: SeenElement) => element.levels.some((level) => level.texts.some((text) => fold(text).includes(within))),
  ];
  return only(tests.map((test) => matches.filter(test)).find((list) => list.length > 0) ?? []);
}

function only(elements: readonly SeenElement[]): Found {
  const [first, second] = elements;
  if (first === undefined) return { kind: "missing" };
  return second === undefined ? { kind: "one", element: first } : { kind: "several", elements };
}

/** How a target is named in a message. */
export function targetText(target: Target): string {
  return `${target.role} "${clip(squash(target.name), 80)}"${target.within === undefined || target.within === "" ? "" : ` (${clip(target.within, 60)})`}`;
}

export function missingTarget(target: Target, elements: readonly SeenElement[]): KnackError {
  const alike = elements.filter((element) => isOfRole(element, target.role)).slice(0, 12);
  const there = alike.length === 0 ? "" : ` There is: ${alike.map((element) => element.label).join(", ")}.`;
  return new KnackError("browser.target-missing", `There is no ${targetText(target)} on this page.${there}`, { fields: { target } });
}

export function ambiguousTarget(target: Target, elements: readonly SeenElement[]): KnackError {
  return new KnackError(
    "browser.target-ambiguous",
    `There are ${elements.length} of ${targetText(target)} on this page: ${elements
      .slice(0, 8)
      .map((element) => element.label)
      .join(", ")}. Say which by its row or section.`,
    { fields: { target } },
  );
}
