/** What an answer that goes on where it was cut is passed through. */
export interface WithoutRepeat {
  /** Passes pieces on as they come, from the first on. */
  stream(pass: (text: string) => void): (piece: string) => void;
  /** The same for the whole text. */
  whole(text: string): string;
}

/**
 * A small model that goes on in the middle of a sentence begins it again. What it says first is left out as far as it only says once more how the answer so
 * far ended: the sentence that was cut, or the one before.
 */
export function withoutRepeat(begun: string): WithoutRepeat {
  const ends = lastSentences(begun);

  /** How much of what comes after is said once more; null while that cannot be told. */
  function repeated(after: string): number | null {
    const text = after.trimStart();
    const lead = after.length - text.length;
    if (ends.some((end) => end.length > text.length && end.startsWith(text))) return null;
    const said = ends.find((end) => text.startsWith(end));
    return said === undefined ? 0 : lead + said.length;
  }

  /** A word that was cut is finished without a space; after one that was whole there is one. */
  const joined = (rest: string): string => (/\s$/u.test(begun) ? rest.trimStart() : rest);

  return {
    whole(text) {
      if (!text.startsWith(begun)) return text;
      const after = text.slice(begun.length);
      const count = repeated(after) ?? after.length;
      return count === 0 ? text : begun + joined(after.slice(count));
    },
    stream(pass) {
      let written = "";
      let isDecided = false;
      return (piece) => {
        if (isDecided) return pass(piece);
        const before = written;
        written += piece;
        if (!written.startsWith(begun.slice(0, written.length))) {
          isDecided = true;
          return pass(piece);
        }
        // What stood there already goes out at once.
        if (before.length < begun.length) pass(written.slice(before.length, begun.length));
        const after = written.slice(begun.length);
        if (after === "") return;
        const count = repeated(after);
        if (count === null) return;
        isDecided = true;
        const rest = count === 0 ? after : joined(after.slice(count));
        if (rest !== "") pass(rest);
      };
    },
  };
}

/** How the text ends: the sentence that was cut, and with the one before it. Short ones may well come again. */
function lastSentences(text: string): string[] {
  const starts = [0, ...[...text.matchAll(/[.!?…]\s+|\n+/gu)].map((found) => found.index + found[0].length)];
  const ends = starts.slice(-2).map((start) => text.slice(start).trim());
  return ends.filter((end) => end.length > 8).toSorted((a, b) => b.length - a.length);
}
