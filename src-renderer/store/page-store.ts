import { createStore, type StoreApi } from "zustand/vanilla";
import { parseRoute, type Route, routeHash, type View } from "./route.ts";

export type Overlay = "palette" | "keys" | "teach" | "menu" | null;

export interface PageState {
  readonly route: Route;
  readonly overlay: Overlay;
  /** Said once to a screen reader, at the end of an answer or after an action. `count` tells equal texts apart. */
  readonly said: { readonly text: string; readonly count: number };
  go(view: View, item?: string | null): void;
  show(overlay: Overlay): void;
  say(text: string): void;
}

export type PageStore = StoreApi<PageState>;

/** Which view, which overlay, what was said. The address bar's fragment is the route, so back and forward work. */
export function createPageStore(page: Window): PageStore {
  const store = createStore<PageState>()((set, get) => ({
    route: parseRoute(page.location.hash),
    overlay: null,
    said: { text: "", count: 0 },
    go(view, item = null) {
      const hash = routeHash(view, item);
      if (page.location.hash !== hash) page.location.hash = hash;
      set({ route: { view, item }, overlay: null });
    },
    show: (overlay) => set({ overlay }),
    say: (text) => set({ said: { text, count: get().said.count + 1 } }),
  }));
  page.addEventListener("hashchange", () => {
    const route = parseRoute(page.location.hash);
    const current = store.getState().route;
    if (route.view !== current.view || route.item !== current.item) store.setState({ route, overlay: null });
  });
  return store;
}
