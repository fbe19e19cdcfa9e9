import type { BrowserContext, Frame, Page, Request } from "playwright-core";

const WATCHED = new Set(["document", "xhr", "fetch", "script", "stylesheet"]);

/** What the pages of a context are loading at this moment. */
export class Activity {
  /** Rises with every start and end of a watched request and with every navigation. */
  count = 0;
  /** Rises when a page's own navigation ends without a page, as a download does. */
  aborted = 0;
  /** Chromium's words for why the latest navigation of a page failed. */
  lastFailure = "";
  readonly #pending = new Map<Request, number>();

  constructor(context: BrowserContext) {
    context.on("request", (request) => {
      if (!WATCHED.has(request.resourceType())) return;
      this.count += 1;
      this.#pending.set(request, Date.now());
    });
    const end = (request: Request, isFailed: boolean): void => {
      if (!this.#pending.delete(request)) return;
      this.count += 1;
      if (!isFailed || !isOwnNavigation(request)) return;
      this.aborted += 1;
      this.lastFailure = request.failure()?.errorText ?? "";
    };
    context.on("requestfinished", (request) => end(request, false));
    context.on("requestfailed", (request) => end(request, true));
  }

  watch(page: Page): void {
    page.on("framenavigated", (frame: Frame) => {
      this.count += 1;
      if (frame === page.mainFrame()) for (const request of this.#pending.keys()) if (frameOf(request) === null) this.#pending.delete(request);
    });
    page.on("close", () => {
      for (const request of this.#pending.keys())
        if (frameOf(request)?.page() !== page) continue;
        else this.#pending.delete(request);
    });
  }

  /** A page's own navigation is under way. */
  isNavigating(page: Page): boolean {
    return [...this.#pending.keys()].some((request) => isOwnNavigation(request) && frameOf(request)?.page() === page);
  }

  /** Requests younger than `youngerThan` milliseconds are still under way; older ones (long polls) do not count. */
  isLoading(youngerThan: number): boolean {
    const now = Date.now();
    return [...this.#pending.values()].some((since) => now - since < youngerThan);
  }
}

function frameOf(request: Request): Frame | null {
  try {
    return request.frame();
  } catch {
    // A navigation whose page is not there yet, or a worker's request, has no frame.
    return null;
  }
}

function isOwnNavigation(request: Request): boolean {
  return request.isNavigationRequest() && (frameOf(request)?.parentFrame() ?? null) === null;
}
