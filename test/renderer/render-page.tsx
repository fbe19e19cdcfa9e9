import "./jsdom-gaps.ts";
import { act, cleanup, configure, fireEvent, render } from "@testing-library/react";
import { afterEach, vi } from "vitest";
import { App } from "#renderer/app.tsx";
import { createStores, type Link, type Stores, StoresContext } from "#renderer/store/stores.ts";

// Looking by role through a whole page takes jsdom its time on a busy machine.
configure({ asyncUtilTimeout: 5000 });

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

/** A press, and everything that follows from it at once. */
export async function press(control: Element): Promise<void> {
  await act(async () => {
    fireEvent.click(control);
  });
}
