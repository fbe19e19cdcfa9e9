export const VIEWS = ["chat", "skills", "alerts", "models", "memory", "permissions", "activity", "vault", "settings"] as const;
export type View = (typeof VIEWS)[number];

/** Where the page is. `item` is a conversation's id, or a skill's name or id; null is the view itself. `part` is a message of that conversation, or a proposal of that skill. */
export interface Route {
  readonly view: View;
  readonly item: string | null;
  readonly part: string | null;
}

/** "#/skills/visitor-permit" → the route; anything unknown is the chat. */
export function parseRoute(hash: string): Route {
  const [view = "", ...rest] = hash.replace(/^#?\/?/u, "").split("/");
  const known = VIEWS.find((name) => name === view);
  if (known === undefined) return { view: "chat", item: null, part: null };
  try {
    const [item = null, part = null] = rest.map((one) => (one === "" ? null : decodeURIComponent(one)));
    return { view: known, item, part };
  } catch {
    return { view: known, item: null, part: null };
  }
}

export function routeHash(view: View, item: string | null = null, part: string | null = null): string {
  return ["#", view, ...[item, part].filter((one) => one !== null).map(encodeURIComponent)].join("/");
}
