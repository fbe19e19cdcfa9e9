import { stripInvisible } from "#base/invisible.ts";
import { MapBuilder, type MappedText, mapOf, textOf } from "./mapped-text.ts";

const space = 32;
const dropped = 0;

/** What each ASCII unit folds to. */
const ascii = Uint8Array.from({ length: 0x80 }, (_, code) => {
  if (code === 9 || code === 10 || code === 13 || code === space || code === 43) return space;
  return code < space || code === 127 ? dropped : String.fromCharCode(code).toLowerCase().charCodeAt(0);
});

/**
 * The form in which secrets are looked for: compatibility forms, case, accents, invisible and control characters are
 * levelled; runs of white space and "+" (a space in forms) are one space.
 */
export function foldMapped({ units, starts, ends }: MappedText): MappedText {
  const builder = new MapBuilder(units.length);
  const seen = new Map<number, string>();
  let wasSpace = false;
  const put = (unit: number, from: number, to: number) => {
    if (unit === dropped || (unit === space && wasSpace)) return;
    wasSpace = unit === space;
    builder.add(unit, starts[from] as number, ends[to] as number);
  };
  for (let index = 0; index < units.length; index += 1) {
    const unit = units[index] as number;
    if (unit < 0x80) {
      put(ascii[unit] as number, index, index);
      continue;
    }
    const low = units[index + 1] ?? 0;
    const isPair = unit >= 0xd800 && unit < 0xdc00 && low >= 0xdc00 && low < 0xe000;
    const code = isPair ? (unit - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000 : unit;
    let folded = seen.get(code);
    if (folded === undefined) seen.set(code, (folded = foldWide(String.fromCodePoint(code))));
    for (let at = 0; at < folded.length; at += 1) put(folded.charCodeAt(at), index, isPair ? index + 1 : index);
    if (isPair) index += 1;
  }
  return builder.done();
}

/** The folded text without its spaces. */
export function withoutSpaces({ units, starts, ends }: MappedText): MappedText {
  const builder = new MapBuilder(units.length);
  for (let index = 0; index < units.length; index += 1)
    if (units[index] !== space) builder.add(units[index] as number, starts[index] as number, ends[index] as number);
  return builder.done();
}

export function foldText(text: string): string {
  return textOf(foldMapped(mapOf(text)));
}

function foldWide(character: string): string {
  // Upper case first: some letters have two capitals ("ß", Greek with iota below), and both ways must meet.
  return stripInvisible(character.toUpperCase().normalize("NFKD").toUpperCase().toLowerCase().normalize("NFKD"))
    .replace(/[\p{M}\p{Cc}\p{Cf}]/gu, "")
    .replace(/[\s+]+/gu, " ");
}
