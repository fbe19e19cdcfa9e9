import { createStore, type StoreApi } from "zustand/vanilla";
import { parseRoute, type Route, routeHash, type View } from "./route.ts";

export type Overlay = "palette" | "keys" | "teach" | "menu" | null;

/** A skill that is to be shown again, and what the dialog starts from. */
export interface Reteaching {
  readonly skill: string;
  readonly goal: string;
  readonly address: string;
  /** Only from this step on, which stopped working: those before are carried out. Absent where all of it is shown. */
  readonly step?: number;
}

export interface Told {
  readonly title: string;
  readonly lines: readonly string[];
}

export interface PageState {
  readonly route: Route;
  readonly overlay: Overlay;
  /** The next new conversation is gone once it is closed. */
  readonly isTemporary: boolean;
  /** Only while the overlay is "teach"; null teaches something new. */
  readonly reteaching: Reteaching | null;
  /** Only while the overlay is "teach": the conversation that stands for a showing; null where something is shown. */
  readonly learnedFrom: string | null;
  /** Said once to a screen reader, at the end of an answer or after an action. `count` tells equal texts apart. */
  readonly said: { readonly text: string; readonly count: number };
  /** What an act came to, until the user has read it. */
  readonly told: Told | null;
  go(view: View, item?: string | null, part?: string | null): void;
  /** A new conversation of which nothing is kept. */
  beginTemporary(): void;
  show(overlay: Overlay): void;
  teachAgain(reteaching: Reteaching): void;
  learnThis(conversationId: string): void;
  say(text: string): void;
  tell(told: Told | null): void;
}

export type PageStore = StoreApi<PageState>;

/** Which view, which overlay, what was said. The address bar's fragment is the route, so back and forward work. */
export function createPageStore(page: Window): PageStore {
  const store = createStore<PageState>()((set, get) => ({
    route: parseRoute(page.location.hash),
    overlay: null,
    isTemporary: false,
    reteaching: null,
    learnedFrom: null,
    said: { text: "", count: 0 },
    told: null,
    go(view, item = null, part = null) {
      const hash = routeHash(view, item, part);
      if (page.location.hash !== hash) page.location.hash = hash;
      set({ route: { view, item, part }, overlay: null, isTemporary: false });
    },
    beginTemporary() {
      get().go("chat");
      set({ isTemporary: true });
    },
    show: (overlay) => set({ overlay, reteaching: null, learnedFrom: null }),
    teachAgain: (reteaching) => set({ overlay: "teach", reteaching, learnedFrom: null }),
    tell: (told) => set({ told }),
    learnThis: (conversationId) => set({ overlay: "teach", reteaching: null, learnedFrom: conversationId }),
    say: (text) => set({ said: { text, count: get().said.count + 1 } }),
  }));
  page.addEventListener("hashchange", () => {
    const route = parseRoute(page.location.hash);
    const current = store.getState().route;
    if (route.view !== current.view || route.item !== current.item || route.part !== current.part) store.setState({ route, overlay: null });
  });
  return store;
}
