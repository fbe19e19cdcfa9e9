import { setTimeout as sleep } from "node:timers/promises";
import { KnackError } from "#contract/errors.ts";
import type { Destination } from "#contract/grants/schema.ts";
import type { Target } from "#contract/skills/schema.ts";
import type { ActionOutcome, BrowserOptions, BrowserSession, DownloadedFile, Egress, LoginSent, PageView } from "#core/ports/index.ts";
import { clickElement, fillElement, locate, selectOption } from "./act.ts";
import type { BrowserLimits } from "./browser-limits.ts";
import { browserProblem, networkProblem } from "./browser-problem.ts";
import type { BrowserWindow, Mark } from "./browser-window.ts";
import { noteFields, signIn } from "./login.ts";
import { pageView } from "./page-view.ts";
import type { ReadTree } from "./read-tree.ts";
import { shapeView } from "./shape-view.ts";
import { takeSnapshot } from "./snapshot.ts";
import { untilAborted } from "./until-aborted.ts";

const LONGEST_WAIT_MS = 30_000;

export interface SessionParts {
  readonly egress: Egress;
  readonly options: BrowserOptions;
  readonly limits: BrowserLimits;
  /** Opens a window, at the start and again after a crash. */
  readonly openWindow: (signal: AbortSignal) => Promise<BrowserWindow>;
  readonly onClose: () => void;
}

/** One task's browser behind its own proxy. */
export function createSession(first: BrowserWindow, parts: SessionParts): BrowserSession {
  const { egress, options, limits } = parts;
  const finished: DownloadedFile[] = [];
  let window = first;
  let isClosed = false;
  /** The page as it was last read. */
  let seen: ReadTree | null = null;
  /** Values of the vault are on their way through the page. */
  let isSigningIn = false;

  async function read(signal: AbortSignal): Promise<PageView> {
    await window.requireReadable();
    const snapshot = await takeSnapshot(window.page, signal);
    if (isSigningIn) return shapeView(snapshot.tree, snapshot.url);
    seen = snapshot.tree;
    // Not before: a page that no login is looked for on is asked nothing more.
    if (snapshot.tree.elements.some((element) => element.action === "fill")) await noteFields(window).catch(() => undefined);
    return pageView(snapshot.tree, { url: snapshot.url, title: snapshot.title, notes: window.takeNotes() }, options.maxChars);
  }

  function requireWindow(): void {
    if (isClosed) throw new KnackError("browser.closed", "This browser was closed.");
    if (window.isDead) throw window.stopped ?? new KnackError("browser.crashed", "The browser went away. Open the page again.");
  }

  /** Work on a page, which ends when it hangs. */
  async function watched<T>(doing: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const over = new AbortController();
    const both = AbortSignal.any([signal, over.signal]);
    const doingIt = work(both);
    try {
      return await untilAborted(Promise.race([doingIt, window.whenHung(doing, both)]), signal);
    } finally {
      over.abort();
      doingIt.catch(() => undefined);
    }
  }

  /** One action: does it, waits for what it sets off, reads the page. A page that was to go somewhere ungranted is an error that names the host. */
  async function act(doing: string, outer: AbortSignal, action: (signal: AbortSignal) => Promise<void>): Promise<ActionOutcome> {
    const work = async (signal: AbortSignal): Promise<ActionOutcome> => {
      requireWindow();
      const mark = window.mark();
      try {
        await action(signal);
      } catch (error) {
        // What a login was refused for says more than where its page was kept from going.
        if (!(error instanceof KnackError && error.code.startsWith("cred."))) throwRefusedNavigation(mark);
        throwStopped(mark);
        throw await problemOf(error, doing);
      }
      try {
        await window.settle(mark, signal);
        throwRefusedNavigation(mark);
        throwStopped(mark);
        if (await window.stopWaiting())
          throw new KnackError("browser.timeout", `The site did not answer in time while ${doing}. What was open before it still is.`);
        throwUnreached(mark, doing);
        const answer = window.answerSince(mark);
        const page = await read(signal);
        return {
          page,
          ...(answer === null ? {} : { status: answer.status }),
          downloads: window.downloads.slice(mark.downloads),
          refused: window.refusedSince(mark).map(({ code, host, message }) => ({ code, host, message })),
        };
      } catch (error) {
        throw await problemOf(error, doing);
      }
    };
    outer.throwIfAborted();
    return watched(doing, outer, work);
  }

  /** What went wrong, in our words; a page that hangs is given up, so that the next one opens in a fresh browser. */
  async function problemOf(error: unknown, doing: string): Promise<unknown> {
    if (window.stopped !== null) return window.stopped;
    if (window.hang !== null) return window.hang;
    if (window.isDead) return new KnackError("browser.crashed", `The browser went away while ${doing}. Open the page again.`);
    const problem = browserProblem(error, doing);
    // Nothing is asked of a page whose site is still being waited for: first it is told to wait no more.
    if (problem instanceof KnackError && problem.code === "browser.timeout") {
      await window.stopWaiting();
      await window.stopLoading();
    }
    if (problem instanceof KnackError && problem.code === "browser.timeout" && (await window.giveUpIfHung()))
      return new KnackError("stop.hang", `The page hung while ${doing}, so it was closed. Open it again, or another one.`);
    return problem;
  }

  function throwRefusedNavigation(mark: Mark): void {
    const refusal = window.refusedSince(mark).find((each) => each.isNavigation);
    if (refusal === undefined) return;
    const isHop = refusal.code.startsWith("hop.");
    throw new KnackError(
      refusal.code,
      isHop ? `The site sent the browser on to ${refusal.host}, which you have not granted, so nothing was sent there.` : refusal.message,
      { exit: 3, fields: { host: refusal.host } },
    );
  }

  /** More went through the proxy than one task may take. */
  function throwStopped(mark: Mark): void {
    const stopped = egress.refusals.slice(mark.egress).find((each) => each.code.startsWith("stop."));
    if (stopped !== undefined) throw new KnackError(stopped.code, stopped.message, { fields: { host: stopped.host } });
  }

  /** A page that came from the proxy or from the browser itself is no page of the site. */
  function throwUnreached(mark: Mark, doing: string): void {
    const found = window.failureSince(mark);
    if (found === null) return;
    if ("refusal" in found) throw new KnackError(found.refusal.code, found.refusal.message, { exit: 3, fields: { host: found.refusal.host } });
    throw networkProblem(/ERR_[A-Z_]+/u.exec(found.failure)?.[0] ?? "ERR_FAILED", doing);
  }

  /** A page that is on its way out no longer says that it was pressed: once it goes somewhere, it was. */
  async function untilMade(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => {
      const isTimeout = error instanceof Error && error.name === "TimeoutError";
      if (!isTimeout || !(window.activity.isNavigating(window.page) || window.activity.isOpeningTab())) throw error;
    });
  }

  async function open(url: string, outer: AbortSignal): Promise<ActionOutcome> {
    if (isClosed) throw new KnackError("browser.closed", "This browser was closed.");
    const refusal = egress.check(url, "navigate");
    if (refusal?.code === "proxy.down") throw new KnackError(refusal.code, refusal.message);
    if (refusal !== null) throw new KnackError(refusal.code, refusal.message, { exit: 3, fields: { host: refusal.host } });
    const href = new URL(url).href;
    if (window.isDead) {
      finished.push(...window.downloads);
      await window.close();
      window = await untilAborted(parts.openWindow(outer), outer);
    }
    return act("opening the page", outer, async (signal) => {
      const mark = window.mark();
      await window.page
        .goto(href, { waitUntil: "domcontentloaded", timeout: limits.answerMs, signal: AbortSignal.any([signal, window.kept]) })
        .catch(async (error: unknown) => {
          if (window.kept.aborted && !signal.aborted) return;
          if (error instanceof Error && /interrupted by another navigation/u.test(error.message)) {
            // Most often the page went on by itself; else the error page came before the answer.
            await window.settle(mark, signal);
            if (/^https?:/u.test(window.page.url())) return;
            throw new Error(window.activity.lastFailure);
          }
          // The site has answered and goes on sending: what is there is shown, where anything is.
          if (error instanceof Error && error.name === "TimeoutError" && (await window.hasArrived(mark))) return;
          const isCutShort = error instanceof Error && /ERR_ABORTED|Download is starting/u.test(error.message);
          if (isCutShort) {
            await window.settle(mark, signal);
            if (window.downloads.length > mark.downloads) return;
          }
          const refused = window.refusedSince(mark)[0];
          if (refused !== undefined && !isCutShort) throw new KnackError(refused.code, refused.message, { exit: 3, fields: { host: refused.host } });
          throw error;
        });
    });
  }

  return {
    open,
    async view(outer) {
      outer.throwIfAborted();
      return watched("reading the page", outer, async (signal) => {
        requireWindow();
        return read(signal).catch(async (error: unknown) => {
          throw await problemOf(error, "reading the page");
        });
      });
    },
    click: (target: Target, outer) => act("clicking", outer, async (signal) => untilMade(clickElement(await locate(window.page, target, signal), signal))),
    fill: (target: Target, text, outer) =>
      act("typing", outer, async (signal) => {
        const found = await locate(window.page, target, signal);
        if (found.element.action === "select") await untilMade(selectOption(window.page, found, text, signal));
        else await untilMade(fillElement(found, text, signal));
      }),
    select: (target: Target, option, outer) =>
      act("choosing", outer, async (signal) => untilMade(selectOption(window.page, await locate(window.page, target, signal), option, signal))),
    press: (key, outer) =>
      act("pressing a key", outer, async () => {
        await window.page.keyboard.press(key).catch((error: unknown) => {
          if (error instanceof Error && /Unknown key/u.test(error.message))
            throw new KnackError("browser.bad-value", `There is no key "${key.slice(0, 40)}". Use names like Enter, Tab, Escape, ArrowDown.`);
          throw error;
        });
      }),
    async login(request, outer) {
      let sent: LoginSent = { filled: [], isSent: false };
      try {
        const outcome = await act("signing in", outer, async (signal) => {
          sent = await signIn(window, seen, request, () => void (isSigningIn = true), signal);
        });
        isSigningIn = false;
        return { ...outcome, page: await untilAborted(read(outer), outer), ...sent };
      } finally {
        isSigningIn = false;
      }
    },
    back: (outer) =>
      act("going back", outer, async (signal) => {
        const response = await window.page.goBack({ waitUntil: "domcontentloaded", timeout: limits.answerMs, signal });
        if (response === null && window.page.url() === "about:blank") throw new KnackError("browser.no-history", "There is no earlier page to go back to.");
      }),
    wait: (milliseconds, outer) => act("waiting", outer, (signal) => sleep(Math.min(Math.max(0, milliseconds), LONGEST_WAIT_MS), undefined, { signal })),
    downloads: () => [...finished, ...window.downloads],
    setDestinations: (destinations: readonly Destination[]) => egress.setDestinations(destinations),
    async close() {
      if (isClosed) return;
      isClosed = true;
      parts.onClose();
      await window.close();
      await egress.close();
    },
  };
}
