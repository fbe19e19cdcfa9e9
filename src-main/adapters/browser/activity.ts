import type { BrowserContext, Frame, Page, Request, Response } from "playwright-core";

const WATCHED = new Set(["document", "xhr", "fetch", "script", "stylesheet"]);

const DOCUMENTS_KEPT = 100;

/** What a site, or the proxy in its stead, answered to a page's own navigation. */
export interface DocumentAnswer {
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  /** Set by the proxy where it answered for the site; a site can write it as well. */
  readonly refusal: string;
}

/** What the pages of a context are loading at this moment. */
export class Activity {
  /** Rises with every start and end of a watched request and with every navigation. */
  count = 0;
  /** Rises when a page's own navigation ends without a page, as a download does. */
  aborted = 0;
  /** Chromium's words for why the latest navigation of a page failed. */
  lastFailure = "";
  /** Documents answered so far; a position in it marks a moment. */
  documents = 0;
  /** Rises with every address that a page in front came to. */
  arrivals = 0;
  readonly #pending = new Map<Request, number>();
  readonly #answered = new WeakSet<Request>();
  #answers: Response[] = [];

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
    context.on("response", (response) => {
      const request = response.request();
      this.#answered.add(request);
      if (!request.isNavigationRequest() || (response.status() >= 300 && response.status() < 400)) return;
      this.documents += 1;
      this.#answers = [...this.#answers, response].slice(-DOCUMENTS_KEPT);
    });
    context.on("requestfinished", (request) => end(request, false));
    context.on("requestfailed", (request) => end(request, true));
  }

  watch(page: Page): void {
    page.on("framenavigated", (frame: Frame) => {
      this.count += 1;
      if (frame === page.mainFrame()) this.arrivals += 1;
      if (frame === page.mainFrame()) for (const request of this.#pending.keys()) if (frameOf(request) === null) this.#pending.delete(request);
    });
    page.on("close", () => {
      for (const request of this.#pending.keys())
        if (frameOf(request)?.page() !== page) continue;
        else this.#pending.delete(request);
    });
  }

  /** A page's own navigation is under way and nobody has answered it yet. */
  isNavigating(page: Page): boolean {
    return [...this.#pending.keys()].some((request) => !this.#answered.has(request) && isOwnNavigation(request) && frameOf(request)?.page() === page);
  }

  /** A new tab was asked for and nobody has answered yet: Playwright shows a tab only then. */
  isOpeningTab(): boolean {
    return [...this.#pending.keys()].some((request) => !this.#answered.has(request) && request.isNavigationRequest() && frameOf(request) === null);
  }

  /** Waits for such a tab no longer. */
  forgetTabs(): void {
    for (const request of this.#pending.keys()) if (request.isNavigationRequest() && frameOf(request) === null) this.#pending.delete(request);
  }

  /** The newest answer to a navigation of this page itself since `documents` stood at `since`. */
  answerSince(since: number, page: Page): DocumentAnswer | null {
    const fresh = Math.min(this.documents - since, this.#answers.length);
    const own = fresh <= 0 ? undefined : this.#answers.slice(-fresh).findLast((each) => frameOf(each.request()) === page.mainFrame());
    if (own === undefined) return null;
    const headers = own.headers();
    return { url: own.url(), status: own.status(), contentType: headers["content-type"] ?? "", refusal: headers["x-knack-refusal"] ?? "" };
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
