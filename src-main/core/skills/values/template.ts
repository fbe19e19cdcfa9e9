import { escapePattern } from "#base/text.ts";
import type { ValueKind } from "#contract/skills/schema.ts";
import { formsOf, renderValue } from "./render-value.ts";

/** A value whose traces are looked for in what was done. */
export interface NamedValue {
  readonly name: string;
  readonly kind: ValueKind;
  readonly canonical: string;
}

/** Where `needle` stands in `text` as whole words; case is respected unless `loose`. */
function place(text: string, needle: string, loose: boolean): { start: number; end: number } | undefined {
  if (needle === "" || needle === "*") return undefined;
  // Most needles are nowhere in the text: looking is far cheaper than making an expression of each.
  if (!loose && !needle.split("*").every((part) => text.includes(part))) return undefined;
  const body = escapePattern(needle).replaceAll("\\*", "(?:\\d{4}|[A-Z][a-z]+)");
  const match = new RegExp(`(?<![\\p{L}\\p{N}])${body}(?![\\p{L}\\p{N}])`, loose ? "iu" : "u").exec(text);
  return match ? { start: match.index, end: match.index + match[0].length } : undefined;
}

interface Writing {
  readonly form: string;
  readonly written: string;
}

const known = new Map<string, readonly Writing[]>();

/** A value in all forms of its kind. Kept for the newest values: a page's names are each held against the same few. */
function writings(kind: ValueKind, canonical: string): readonly Writing[] {
  const id = `${kind} ${canonical}`;
  const there = known.get(id);
  if (there) return there;
  const made = formsOf(kind).flatMap((form) => {
    const written = renderValue(canonical, kind, form);
    return written === undefined || written === "" ? [] : [{ form, written }];
  });
  if (known.size >= 200) known.delete(known.keys().next().value ?? "");
  known.set(id, made);
  return made;
}

/**
 * Replaces every trace of the values in a literal by `{{name|form}}` placeholders: longest trace first, so that "14 Feb 2027" is not taken
 * apart into its month. Text that is a placeholder already is left alone.
 */
export function toTemplate(literal: string, values: readonly NamedValue[]): string {
  interface Piece {
    readonly text: string;
    readonly fixed: boolean;
  }
  let pieces: Piece[] = [{ text: literal, fixed: false }];
  const needles = values
    .flatMap((value) => writings(value.kind, value.canonical).map((writing) => ({ value, ...writing })))
    .sort((a, b) => b.written.replaceAll("*", "0000").length - a.written.replaceAll("*", "0000").length);
  for (const { value, form, written } of needles) {
    // Two characters or fewer would also hit page numbers and counters; take them only as the whole literal.
    const whole = written.length <= 2;
    pieces = pieces.flatMap((piece): Piece[] => {
      if (piece.fixed || (whole && piece.text !== written)) return [piece];
      const at = place(piece.text, written, false);
      if (!at) return [piece];
      const mark = form === "as-is" || form === "plain" ? `{{${value.name}}}` : `{{${value.name}|${form}}}`;
      return [
        { text: piece.text.slice(0, at.start), fixed: false },
        { text: mark, fixed: true },
        { text: piece.text.slice(at.end), fixed: false },
      ].filter((part) => part.text !== "");
    });
  }
  return pieces.map((piece) => piece.text).join("");
}
