import { fold } from "#base/text.ts";
import type { Target } from "#contract/skills/schema.ts";
import type { PageElement } from "../ports/browser.ts";
import { findPlaceholders, placeholderNames } from "../skills/index.ts";
import { toTemplate } from "../skills/values/index.ts";
import { type Bindings, fillText, valuesOf } from "./bindings.ts";
import { holdsWhole } from "./whole-words.ts";

/** The cells of a row as the page gives them, or the whole text of a card. */
export function cellsOf(context: string): string[] {
  return context
    .split(" | ")
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "");
}

function rowText({ context, within, label }: PageElement): string {
  return `${context} ${within} ${label}`;
}

/**
 * The elements that stand in the row a target names: where cells are exactly what was named, these; else where it stands in whole words, else
 * where its values stand in another form ("8 Mar 2027"), days as days and not by their month alone.
 */
export function inRow(elements: readonly PageElement[], target: Target, bindings: Bindings): readonly PageElement[] {
  const parts = (target.within ?? "")
    .split("*")
    .flatMap((part) => fillText(part, bindings)?.split("*") ?? [])
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const isCell = (element: PageElement, part: string): boolean =>
    cellsOf(element.context).some((cell) => fold(cell) === fold(part)) || fold(element.within) === fold(part);
  const exactly = elements.filter((element) => parts.every((part) => isCell(element, part)));
  if (exactly.length > 0) return exactly;
  const worded = elements.filter((element) => parts.every((part) => holdsWhole(rowText(element), part)));
  if (worded.length > 0) return worded;
  const names = placeholderNames(target.within ?? "");
  const values = valuesOf(names, bindings);
  if (names.length === 0 || values.length === 0) return [];
  return elements.filter((element) => {
    const there = findPlaceholders(toTemplate(rowText(element), values));
    return values.every(({ name, kind }) => there.some((mark) => mark.name === name && (kind !== "date" || /D/u.test(mark.form ?? "D"))));
  });
}
