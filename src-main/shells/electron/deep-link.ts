import { PAGE_SCHEME } from "./own-page.ts";

/**
 * Where in the page a link from outside leads, as the page's fragment: "knack://skills/visitor-permit" is "#/skills/visitor-permit". A link only shows
 * something; it does nothing. Null for what is no such link.
 */
export function routeOfLink(link: string): string | null {
  const [, view, item] = new RegExp(`^${PAGE_SCHEME}://([a-z]{1,20})(?:/([^/?#]{0,200}))?/?$`, "u").exec(link) ?? [];
  // The page's own address is no place in it.
  if (view === undefined || view === "app") return null;
  return item === undefined || item === "" ? `#/${view}` : `#/${view}/${encodeURIComponent(plain(item))}`;
}

/** The link among what a program was started with. */
export function linkAmong(words: readonly string[]): string | null {
  return words.findLast((word) => word.startsWith(`${PAGE_SCHEME}://`)) ?? null;
}

function plain(item: string): string {
  try {
    return decodeURIComponent(item);
  } catch {
    return item;
  }
}
