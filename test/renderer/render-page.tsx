import { cleanup, render } from "@testing-library/react";
import { afterEach, vi } from "vitest";
import { App } from "#renderer/app.tsx";
import { createStores, type Link, type Stores, StoresContext } from "#renderer/store/stores.ts";

// What jsdom has not.
window.matchMedia ??= ((query: string) => ({ matches: false, media: query, addEventListener() {}, removeEventListener() {} })) as never;
Element.prototype.scrollIntoView ??= () => undefined;

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  window.location.hash = "";
});

/** The whole page at a route, over a scripted link. */
export function renderPage(link: Link, hash = "#/chat"): Stores {
  window.location.hash = hash;
  const stores = createStores(link, window);
  render(
    <StoresContext value={stores}>
      <App />
    </StoresContext>,
  );
  return stores;
}
