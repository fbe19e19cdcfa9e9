import { cut, fold, words } from "#base/text.ts";
import { anyDay, findValues, formsOf, renderValue, stem, tellingStems, withoutUrls } from "../skills/values/index.ts";

/** Characters of a page that a question about it may take. */
const longest = 1200;
/** The same where no line shares a word with the question, so that nothing tells them apart. */
const longestUnknown = 3600;
/** A line beyond this is told apart by its sentences. */
const longestLine = 300;

/**
 * The lines of a page that a question is answered from, in the order of the page; all of it where it is short. First come lines that share words with
 * the question, or hold its values in another form, each with those beside it: an answer stands under its heading. A word counts for more the fewer
 * lines have it.
 */
export function tellingLines(page: readonly string[], question: string): string[] {
  if (size(page) <= longest) return [...page];
  const lines = page.flatMap(inPieces);
  const said = withoutUrls(question);
  const asked = new Set(tellingStems(said));
  const written = writtenForms(said);
  const marks = lines.map((line) => {
    const folded = fold(line);
    return new Set([
      ...words(line)
        .map(stem)
        .filter((word) => asked.has(word)),
      ...written.filter((form) => folded.includes(form)),
    ]);
  });
  const counts = new Map<string, number>();
  for (const own of marks) for (const mark of own) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  const scores = marks.map((own) => [...own].reduce((sum, mark) => sum + Math.log(1 + lines.length / (counts.get(mark) ?? 1)), 0));
  const kept = new Set<number>();
  let room = counts.size > 0 ? longest : longestUnknown;
  const keep = (index: number): void => {
    const line = lines[index];
    if (line === undefined || kept.has(index) || line.length + 1 > room) return;
    kept.add(index);
    room -= line.length + 1;
  };
  const best = scores.map((score, index) => ({ score, index })).sort((a, b) => b.score - a.score || a.index - b.index);
  for (const { score, index } of best) for (const at of score > 0 ? [index, index + 1, index - 1, index + 2] : [index]) keep(at);
  return lines.filter((_, index) => kept.has(index));
}

/** How the values of a question may stand on a page; what is too short would be found in anything. */
function writtenForms(question: string): string[] {
  const forms = findValues(question, anyDay).flatMap(({ kind, canonical }) =>
    formsOf(kind).flatMap((form) => fold(renderValue(canonical, kind, form) ?? "").replace(/[^\p{L}\p{N}]*\*.*$/u, "")),
  );
  return [...new Set(forms)].filter((form) => form.length > 2);
}

/** A long line by its sentences or cells, and what is longer still by its length. */
function inPieces(line: string): string[] {
  if (line.length <= longestLine) return [line];
  return line.split(/(?<=[.!?;…])\s+|\s+(?=\|)/u).flatMap((piece) => {
    const parts: string[] = [];
    for (let rest = piece; rest !== ""; ) {
      const whole = cut(rest, longestLine);
      const end = rest.length > whole.length && whole.includes(" ") ? whole.lastIndexOf(" ") + 1 : whole.length;
      parts.push(rest.slice(0, end).trimEnd());
      rest = rest.slice(end);
    }
    return parts;
  });
}

function size(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
