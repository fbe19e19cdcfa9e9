import { words } from "#base/text.ts";

/**
 * An FTS5 query from what a person typed: words only, each quoted, so no operator of the query language gets through.
 * "all" wants every word and takes the last one as a beginning; "any" wants one of them. Undefined when there is no word.
 */
export function fullTextQuery(text: string, mode: "all" | "any"): string | undefined {
  const quoted = words(text).map((word) => `"${word}"`);
  if (quoted.length === 0) return undefined;
  return mode === "all" ? `${quoted.join(" ")}*` : quoted.join(" OR ");
}

/** Best hits for all words; where there are none, for any of them. */
export function searchWords<Row>(text: string, search: (query: string) => Row[]): Row[] {
  const all = fullTextQuery(text, "all");
  const any = fullTextQuery(text, "any");
  if (all === undefined || any === undefined) return [];
  const hits = search(all);
  return hits.length > 0 ? hits : search(any);
}
