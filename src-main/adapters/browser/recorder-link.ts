import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { RECORDER_BINDING, RECORDER_GLOBAL, RECORDER_WORLD, type RecorderInPage, recorderSource, type SeenInPage } from "./recorder-script.ts";

/** One report with the way back to the frame it came from. */
export interface Report extends SeenInPage {
  readonly page: Page;
  readonly tell: (method: keyof RecorderInPage, argument?: number | boolean) => Promise<void>;
}

export interface RecorderLink {
  /** Calls a method in every frame of the page. */
  readonly tellAll: (method: keyof RecorderInPage, argument?: number | boolean) => Promise<void>;
  /** How the page in front was reached: "typed", "link", "reload" …, with the entry's place in the history. */
  readonly history: () => Promise<{ readonly transition: string; readonly index: number; readonly entries: number }>;
}

interface ContextCreated {
  context: { id: number; name: string };
}

/** Puts the recorder into every frame of a page, in a world that the page's own scripts cannot reach. */
export async function linkRecorder(context: BrowserContext, page: Page, onReport: (report: Report) => void): Promise<RecorderLink> {
  const client: CDPSession = await context.newCDPSession(page);
  const worlds = new Set<number>();

  async function tell(world: number, method: keyof RecorderInPage, argument?: number | boolean): Promise<void> {
    const expression = `globalThis.${RECORDER_GLOBAL}?.${method}(${argument === undefined ? "" : JSON.stringify(argument)})`;
    // A frame that is gone has nothing left to be told.
    await client.send("Runtime.evaluate", { contextId: world, expression, returnByValue: true }).catch(() => undefined);
  }

  client.on("Runtime.executionContextCreated", (event: ContextCreated) => {
    if (event.context.name === RECORDER_WORLD) worlds.add(event.context.id);
  });
  client.on("Runtime.executionContextDestroyed", (event: { executionContextId: number }) => worlds.delete(event.executionContextId));
  client.on("Runtime.executionContextsCleared", () => worlds.clear());
  client.on("Runtime.bindingCalled", (event: { name: string; payload: string; executionContextId: number }) => {
    if (event.name !== RECORDER_BINDING || !worlds.has(event.executionContextId)) return;
    const seen = JSON.parse(event.payload) as SeenInPage;
    onReport({ ...seen, page, tell: (method, argument) => tell(event.executionContextId, method, argument) });
  });
  await client.send("Runtime.enable");
  await client.send("Runtime.addBinding", { name: RECORDER_BINDING, executionContextName: RECORDER_WORLD });
  await client.send("Page.enable");
  await client.send("Page.addScriptToEvaluateOnNewDocument", { source: recorderSource(), worldName: RECORDER_WORLD, runImmediately: true });

  return {
    async tellAll(method, argument) {
      await Promise.all([...worlds].map((world) => tell(world, method, argument)));
    },
    async history() {
      const { currentIndex, entries } = (await client.send("Page.getNavigationHistory")) as { currentIndex: number; entries: { transitionType: string }[] };
      return { transition: entries[currentIndex]?.transitionType ?? "", index: currentIndex, entries: entries.length };
    },
  };
}
