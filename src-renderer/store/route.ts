export const VIEWS = ["chat", "skills", "alerts", "models", "memory", "permissions", "settings"] as const;
export type View = (typeof VIEWS)[number];

/** Where the page is. `item` is a conversation's id or a skill's name; null is the view itself. */
export interface Route {
  readonly view: View;
  readonly item: string | null;
}

/** "#/skills/visitor-permit" → the route; anything unknown is the chat. */
export function parseRoute(hash: string): Route {
  const [view = "", item = ""] = hash.replace(/^#?\/?/u, "").split("/");
  const known = VIEWS.find((name) => name === view);
  if (known === undefined) return { view: "chat", item: null };
  try {
    return { view: known, item: item === "" ? null : decodeURIComponent(item) };
  } catch {
    return { view: known, item: null };
  }
}

export function routeHash(view: View, item: string | null = null): string {
  return item === null ? `#/${view}` : `#/${view}/${encodeURIComponent(item)}`;
}
