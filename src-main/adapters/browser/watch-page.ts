import type { BrowserContext, Page } from "playwright-core";
import type { BrowserGuard, Wish } from "./guard-browser.ts";

export interface PageWatch {
  /** Nodes of all documents that the page's process holds; above `enough` without those that nobody holds any more. */
  nodes(enough: number): Promise<number>;
}

/** Listens to where a page's documents want to go, and cancels every question for a file of the user's. */
export async function watchPage(context: BrowserContext, page: Page, guard: BrowserGuard): Promise<PageWatch> {
  const client = await context.newCDPSession(page);
  client.on("Page.frameRequestedNavigation", ({ url, reason }: Wish) => guard.heard({ url, reason }));
  client.on("Page.navigatedWithinDocument", () => guard.moved());
  await client.send("Page.enable");
  await client.send("Page.setInterceptFileChooserDialog", { enabled: true, cancel: true });
  const count = async (): Promise<number> => ((await client.send("Memory.getDOMCounters")) as { nodes: number }).nodes;
  return {
    async nodes(enough) {
      const all = await count();
      if (all <= enough) return all;
      await client.send("HeapProfiler.collectGarbage");
      return await count();
    },
  };
}
