import type { CDPSession } from "playwright-core";
import { KnackError } from "#contract/errors.ts";
import type { Egress, Refusal } from "#core/ports/index.ts";
import { hostOf } from "./address-parts.ts";
import type { BrowserLimits } from "./browser-limits.ts";

export interface PageRefusal extends Refusal {
  /** The page itself was to go there, not a part of it. */
  readonly isNavigation: boolean;
}

/** Why a document asked to go somewhere, in Chromium's words: "formSubmissionPost", "anchorClick", "metaTagRefresh" … */
export interface Wish {
  readonly url: string;
  readonly reason: string;
}

export interface BrowserGuard {
  /** Refusals so far. */
  readonly count: number;
  /** Those from the position `since` on, in order. */
  refusalsSince(since: number): readonly PageRefusal[];
  /** A refusal that was met elsewhere. */
  refuse(refusal: PageRefusal): void;
  /** An action begins: what the pages may do by themselves is counted anew, and a page that was held may move again. */
  begin(): void;
  /** A page is about to be opened by us, not by a page. */
  expectPage(): void;
  /** What a document said about where it is going. */
  heard(wish: Wish): void;
  /** A page gave its document another address. */
  moved(): void;
}

export interface GuardOptions {
  readonly egress: Egress;
  readonly limits: BrowserLimits;
  /** A person is at the window, who may go elsewhere after a refusal, and is asked for passwords of the web server by the browser itself. */
  readonly isForPerson: boolean;
  /** A page was kept from going somewhere. */
  readonly onKept: () => void;
  /** The browser must end: it went beyond a limit, or can no longer be watched. */
  readonly onStop: (reason: KnackError) => void;
}

interface Paused {
  requestId: string;
  request: { url: string; method: string; headers: Readonly<Record<string, string>> };
  frameId: string;
  resourceType: string;
  redirectedRequestId?: string;
  responseErrorReason?: string;
  responseStatusCode?: number;
  responseHeaders?: readonly { name: string; value: string }[];
}

interface TargetInfo {
  targetId: string;
  type: string;
}

interface Noted extends PageRefusal {
  readonly url: string;
  readonly method: string;
  readonly isHop: boolean;
}

const MOST_REFUSALS = 10_000;
const WISHES_KEPT = 200;
const WINDOW_MS = 10_000;
const ELSEWHERE = /^dest\.(host|kind|port|scheme)$/u;

/**
 * The second layer (security rule 4). One session on the browser itself sees every request of every target before it leaves: pages, the first request of a
 * popup, frames in processes of their own, workers, redirects; with scheme, path and kind of use, which a tunnel hides from the proxy. A refused navigation
 * is dropped, so the page stays as it was, and it is held there until the next action. It also hands the proxy its credential.
 */
export async function guardBrowser(client: CDPSession, options: GuardOptions): Promise<BrowserGuard> {
  const { egress, limits } = options;
  const refusals: Noted[] = [];
  const wishes: Wish[] = [];
  /** Types of the targets, by id; that of a page is also the id of its main frame. */
  const targets = new Map<string, string>();
  const popups = new Set<string>();
  const answered = new Set<string>();
  const held = new Set<string>();
  let navigations: number[] = [];
  let moves: number[] = [];
  let openedTabs = 0;
  let expectedPages = 0;

  function send(method: "Fetch.continueRequest" | "Fetch.continueResponse" | "Fetch.failRequest" | "Fetch.continueWithAuth", parameters: object): void {
    // The page may go away between the question and the answer; nothing of it goes on then.
    client.send(method, parameters as never).catch(() => undefined);
  }

  async function isMainFrame(frameId: string): Promise<boolean> {
    if (!targets.has(frameId)) {
      const { targetInfos } = (await client.send("Target.getTargets")) as { targetInfos: readonly TargetInfo[] };
      for (const { targetId, type } of targetInfos) targets.set(targetId, type);
    }
    return targets.get(frameId) === "page";
  }

  function note(refusal: Noted): void {
    if (refusals.length < MOST_REFUSALS) refusals.push(refusal);
    if (refusal.isNavigation) options.onKept();
    if (refusal.code === "proxy.down") options.onStop(new KnackError("proxy.down", refusal.message));
  }

  function drop(event: Paused, isNavigation: boolean): void {
    send("Fetch.failRequest", { requestId: event.requestId, errorReason: isNavigation ? "Aborted" : "BlockedByClient" });
    if (!isNavigation) return;
    if (!options.isForPerson) held.add(event.frameId);
    // A tab that was opened to go there has nothing to show.
    if (popups.has(event.frameId) && !answered.has(event.frameId)) void client.send("Target.closeTarget", { targetId: event.frameId }).catch(() => undefined);
  }

  function refusalOf(event: Paused, isNavigation: boolean): Refusal | null {
    const { url, headers } = event.request;
    if (hasHeader(headers, "service-worker")) return { code: "worker.refused", host: hostOf(url), message: "Scripts that outlive their page are not started." };
    if (/^(?:data|about):/iu.test(url) && !(isNavigation && /^data:/iu.test(url))) return null;
    // A blob is made by a page; it may be shown where its maker may.
    const asked = /^blob:/iu.test(url) ? url.slice("blob:".length) : url;
    if (asked !== url && !isNavigation) return null;
    return egress.check(asked, isNavigation ? "navigate" : "subresource");
  }

  async function decide(event: Paused): Promise<void> {
    const isDocument = event.resourceType === "Document";
    const isNavigation = isDocument && (await isMainFrame(event.frameId));
    if (event.responseStatusCode !== undefined || event.responseErrorReason !== undefined) {
      if (isNavigation) answered.add(event.frameId);
      const headers = isNavigation && event.responseStatusCode === 200 ? asDownload(event.responseHeaders ?? []) : null;
      const changed = headers === null ? {} : { responseCode: 200, responseHeaders: headers };
      return send("Fetch.continueResponse", { requestId: event.requestId, ...changed });
    }
    const { url, method } = event.request;
    if (isNavigation && held.has(event.frameId)) return drop(event, true);
    const isHop = event.redirectedRequestId !== undefined;
    if (isNavigation && !isHop) {
      navigations = recent(navigations);
      if (navigations.length > limits.navigations) {
        const message = `The page moved on by itself more than ${limits.navigations} times within ten seconds, so it was held where it is.`;
        note({ code: "nav.limit", host: hostOf(url), message, isNavigation, url, method, isHop });
        return drop(event, true);
      }
    }
    const refusal = refusalOf(event, isNavigation);
    if (refusal === null) return send("Fetch.continueRequest", { requestId: event.requestId });
    note({ ...refusal, isNavigation, url, method, isHop });
    drop(event, isNavigation);
  }

  /** The refusal by what led to it: a redirect, a form, the page itself. */
  function named({ url, method, isHop, ...refusal }: Noted): PageRefusal {
    if (!ELSEWHERE.test(refusal.code)) return refusal;
    if (isHop) return { ...refusal, code: refusal.code.replace("dest.", "hop.") };
    const reason = wishes.findLast((wish) => wish.url === url)?.reason ?? "";
    // Nothing but a form sends a document's request with a body, also where its page has not said so yet.
    if (reason.startsWith("formSubmission") || (refusal.isNavigation && method === "POST"))
      return { ...refusal, code: "form.action", message: `The form sends what it holds to another place, so nothing was sent. ${refusal.message}` };
    return refusal.isNavigation
      ? { ...refusal, code: "nav.page", message: `The page was to lead elsewhere and was kept where it is. ${refusal.message}` }
      : refusal;
  }

  function created({ targetId, type }: TargetInfo): void {
    targets.set(targetId, type);
    if (type !== "page") return;
    if (expectedPages > 0) {
      expectedPages -= 1;
      return;
    }
    popups.add(targetId);
    openedTabs += 1;
    if (openedTabs <= limits.popups || options.isForPerson) return;
    options.onStop(new KnackError("stop.popup", `The page opened more than ${limits.popups} tabs at once, so the browser was closed. Open another page.`));
  }

  client.on("Fetch.requestPaused", (event: Paused) => {
    void decide(event).catch(() => send("Fetch.failRequest", { requestId: event.requestId, errorReason: "BlockedByClient" }));
  });
  client.on("Fetch.authRequired", (event: { requestId: string; authChallenge: { source?: string } }) => {
    const { username, password } = egress;
    const answer =
      event.authChallenge.source === "Proxy"
        ? { response: "ProvideCredentials", username, password }
        : { response: options.isForPerson ? "Default" : "CancelAuth" };
    send("Fetch.continueWithAuth", { requestId: event.requestId, authChallengeResponse: answer });
  });
  client.on("Target.targetCreated", ({ targetInfo }: { targetInfo: TargetInfo }) => created(targetInfo));
  client.on("Target.targetDestroyed", ({ targetId }: { targetId: string }) => {
    for (const known of [targets, popups, answered, held]) known.delete(targetId);
  });
  client.on("close", () =>
    options.onStop(new KnackError("browser.unwatched", "The browser could no longer be watched, so it was closed. Open the page again.")),
  );
  await client.send("Target.setDiscoverTargets", { discover: true });
  await client.send("Fetch.enable", {
    handleAuthRequests: true,
    patterns: [
      { urlPattern: "*", requestStage: "Request" },
      { urlPattern: "*", resourceType: "Document", requestStage: "Response" },
    ],
  });

  return {
    get count() {
      return refusals.length;
    },
    refusalsSince: (since) => refusals.slice(since).map(named),
    refuse: (refusal) => note({ ...refusal, url: "", method: "", isHop: false }),
    begin() {
      held.clear();
      navigations = [];
      moves = [];
      openedTabs = 0;
    },
    expectPage() {
      expectedPages += 1;
    },
    heard(wish) {
      wishes.push(wish);
      if (wishes.length > WISHES_KEPT) wishes.shift();
    },
    moved() {
      moves = recent(moves);
      if (moves.length <= limits.moves) return;
      options.onStop(new KnackError("nav.limit", `The page changed its address more than ${limits.moves} times within ten seconds, so it was closed.`));
    },
  };
}

/** The moments of the last ten seconds, and now. */
function recent(moments: readonly number[]): number[] {
  const now = Date.now();
  return [...moments.filter((at) => now - at < WINDOW_MS), now];
}

function hasHeader(headers: Readonly<Record<string, string>>, name: string): boolean {
  return Object.keys(headers).some((each) => each.toLowerCase() === name);
}

/** Headers with which a PDF is kept as a file instead of being shown, where nothing of it can be read; null for other documents. */
function asDownload(headers: readonly { name: string; value: string }[]): { name: string; value: string }[] | null {
  const valueOf = (name: string): string => headers.find((each) => each.name.toLowerCase() === name)?.value ?? "";
  if (!/^application\/pdf\b/iu.test(valueOf("content-type").trim())) return null;
  const disposition = valueOf("content-disposition");
  const rest = disposition.includes(";") ? disposition.slice(disposition.indexOf(";")) : "";
  return [...headers.filter((each) => each.name.toLowerCase() !== "content-disposition"), { name: "content-disposition", value: `attachment${rest}` }];
}
