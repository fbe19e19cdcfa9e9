import { mkdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, BrowserContext, CDPSession, Dialog, Page } from "playwright-core";
import { clip } from "#base/text.ts";
import { KnackError } from "#contract/errors.ts";
import type { DownloadedFile, Egress, Refusal } from "#core/ports/index.ts";
import { Activity, type DocumentAnswer } from "./activity.ts";
import { hostOf } from "./address-parts.ts";
import type { BrowserLimits } from "./browser-limits.ts";
import { doneWithin } from "./done-within.ts";
import { DownloadFolder } from "./download-folder.ts";
import { type BrowserGuard, guardBrowser, type PageRefusal } from "./guard-browser.ts";
import { closeSideDoors } from "./launch-arguments.ts";
import { type LaunchOptions, launchBrowser } from "./launch-browser.ts";
import { registerFacts } from "./page-facts.ts";
import { settle } from "./settle.ts";
import { visibleText } from "./visible-text.ts";
import { end, processesOf, watchMemory } from "./watch-memory.ts";
import { type PageWatch, watchPage } from "./watch-page.ts";

/** Services the browser calls for itself, which no page asked for; they are refused like all else, and not worth telling. */
const ownServices = /(?:^|\.)(?:googleapis\.com|gvt[12]\.com|clients\d*\.google\.com|accounts\.google\.com|www\.google\.com|edgedl\.me)$/u;

export interface WindowOptions extends LaunchOptions {
  readonly egress: Egress;
  readonly limits: BrowserLimits;
  readonly downloadFolder: string;
  readonly downloadsAllowed: boolean;
  /** A person is at the window: questions of a page are answered with yes, since the person just asked for it. */
  readonly acceptQuestions: boolean;
  /** Called with each page as soon as it is ours. */
  readonly onPage?: (page: Page) => Promise<void>;
}

/** A moment in the life of a window, as positions in its lists. */
export interface Mark {
  readonly page: number;
  readonly egress: number;
  readonly downloads: number;
  readonly aborted: number;
  readonly documents: number;
  readonly arrivals: number;
  readonly at: number;
}

const ALIVE_MS = 3_000;
const STOP_MS = 1_500;
const REPLACE_MS = 5_000;
const CLOSE_MS = 5_000;
const PING_MS = 500;
/** How long a new tab may stay blank: while nothing is loading, while something is, while its own site is being waited for. */
const BLANK_TAB_MS = 1_000;
const BUSY_TAB_MS = 8_000;
const LOOK_MS = 20;
const NOTES_KEPT = 6;
/** So many dialogs in one action are a flood; the page is kept from making more. */
const MOST_DIALOGS = 12;

/** One Chromium process with one context and the page that is in front. Ends with `close`, or by itself when it crashes. */
export class BrowserWindow {
  readonly context: BrowserContext;
  readonly activity: Activity;
  readonly #browser: Browser;
  readonly #client: CDPSession;
  readonly #options: WindowOptions;
  readonly #pages: Page[] = [];
  readonly #crashed = new WeakSet<Page>();
  readonly #watches = new WeakMap<Page, PageWatch>();
  readonly #downloads: DownloadFolder;
  readonly #over = new AbortController();
  #guard: BrowserGuard | undefined;
  #kept = new AbortController();
  #pid: number | undefined;
  #notes: string[] = [];
  #pendingPopups = new Set<Promise<void>>();
  #latest: Mark = { page: 0, egress: 0, downloads: 0, aborted: 0, documents: 0, arrivals: 0, at: 0 };
  #dialogs = 0;
  #notesLeftOut = 0;
  #isDead = false;
  #isClosing = false;
  #stopped: KnackError | null = null;
  #hang: KnackError | null = null;
  readonly #ended = Promise.withResolvers<void>();

  private constructor(browser: Browser, client: CDPSession, context: BrowserContext, options: WindowOptions) {
    this.#browser = browser;
    this.#client = client;
    this.context = context;
    this.#options = options;
    this.activity = new Activity(context);
    this.#downloads = new DownloadFolder({
      downloadFolder: options.downloadFolder,
      downloadsAllowed: options.downloadsAllowed,
      most: options.limits.downloads,
      onRefused: (refusal) => this.#refused(refusal),
      onUnfinished: (name) => {
        if (!this.#isClosing) this.#note(`The download of "${name}" did not finish.`);
      },
    });
  }

  static async open(options: WindowOptions, signal: AbortSignal): Promise<BrowserWindow> {
    await registerFacts();
    await mkdir(options.downloadFolder, { recursive: true });
    signal.throwIfAborted();
    const browser = await launchBrowser(options);
    try {
      signal.throwIfAborted();
      const client = await browser.newBrowserCDPSession();
      const context = await browser.newContext({
        acceptDownloads: options.downloadsAllowed,
        serviceWorkers: "block",
        viewport: options.headed ? null : { width: 1280, height: 900 },
      });
      const window = new BrowserWindow(browser, client, context, options);
      await window.#begin();
      return window;
    } catch (error) {
      await browser.close().catch(() => undefined);
      throw error;
    }
  }

  /** Everything that watches stands before the first page does. */
  async #begin(): Promise<void> {
    const { egress, limits, acceptQuestions } = this.#options;
    const onStop = (reason: KnackError): void => this.stop(reason);
    this.#guard = await guardBrowser(this.#client, { egress, limits, isForPerson: acceptQuestions, onKept: () => this.#kept.abort(), onStop });
    this.#pid = (await processesOf(this.#client)).find(({ type }) => type === "browser")?.id;
    await this.context.grantPermissions([]);
    await this.context.addInitScript(closeSideDoors);
    this.#listen();
    await this.#adopt(await this.#newPage());
    void watchMemory(this.#client, limits.memoryBytes, onStop, this.#over.signal);
  }

  get downloads(): readonly DownloadedFile[] {
    return this.#downloads.files;
  }

  /** Why the page of the latest action was closed while that was done: it hung. */
  get hang(): KnackError | null {
    return this.#hang;
  }

  /** Why it was ended before its time: a limit that a page went beyond, the proxy that is gone. */
  get stopped(): KnackError | null {
    return this.#stopped;
  }

  get page(): Page {
    const page = this.#front();
    if (page === undefined) throw new KnackError("browser.crashed", "The browser window is gone. Open the page again.");
    return page;
  }

  get isDead(): boolean {
    const front = this.#front();
    return this.#isDead || front === undefined || this.#crashed.has(front);
  }

  #front(): Page | undefined {
    return this.#pages.findLast((each) => !each.isClosed());
  }

  /** Resolves when the browser or its last page is gone. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Lines about what happened beside the page (dialogs), handed out once. */
  takeNotes(): string[] {
    const notes = this.#notesLeftOut === 0 ? this.#notes : [...this.#notes, `The page said ${this.#notesLeftOut} more things.`];
    this.#notes = [];
    this.#notesLeftOut = 0;
    return notes;
  }

  /** A moment, to be asked for what was refused and downloaded since. */
  mark(): Mark {
    this.#dialogs = 0;
    this.#hang = null;
    this.#guard?.begin();
    this.#kept = new AbortController();
    this.#latest = {
      page: this.#guard?.count ?? 0,
      egress: this.#options.egress.refusals.length,
      downloads: this.downloads.length,
      aborted: this.activity.aborted,
      documents: this.activity.documents,
      arrivals: this.activity.arrivals,
      at: Date.now(),
    };
    return this.#latest;
  }

  /** Aborted as soon as a page is kept from going somewhere after the newest mark: its document may never say then that it is there. */
  get kept(): AbortSignal {
    return this.#kept.signal;
  }

  /** When the latest action began. */
  get latest(): Mark {
    return this.#latest;
  }

  refusedSince(mark: Mark): PageRefusal[] {
    const byPage = this.#guard?.refusalsSince(mark.page) ?? [];
    const byProxy = this.#options.egress.refusals
      .slice(mark.egress)
      .filter((refusal: Refusal) => !ownServices.test(refusal.host))
      // Chromium may already knock where a page is about to go; what the page was kept from is told once.
      .filter((refusal: Refusal) => !byPage.some((each) => each.host === refusal.host))
      .map((refusal: Refusal) => ({ ...refusal, isNavigation: false }));
    const seen = new Set<string>();
    return [...byPage, ...byProxy].filter((refusal) => {
      const isNew = !seen.has(refusal.host + refusal.code);
      seen.add(refusal.host + refusal.code);
      return isNew;
    });
  }

  /** What was answered to the navigation of the page in front since then, null when it went nowhere. */
  answerSince(mark: Mark): DocumentAnswer | null {
    return this.activity.answerSince(mark.documents, this.page);
  }

  /** Why the page in front is not the site's: the proxy answered for it, or the browser shows its own page of failure. Null when the site answered. */
  failureSince(mark: Mark): { readonly refusal: Refusal } | { readonly failure: string } | null {
    const refusals = this.#options.egress.refusals.slice(mark.egress);
    if (this.page.url().startsWith("chrome-error:")) {
      const refusal = refusals.findLast((each) => !ownServices.test(each.host));
      return refusal === undefined ? { failure: this.activity.lastFailure } : { refusal };
    }
    const answer = this.answerSince(mark);
    if (answer === null || !answer.url.startsWith("http:")) return null;
    const host = hostOf(answer.url);
    const refusal = refusals.findLast((each) => each.host === host && each.code === answer.refusal);
    if (refusal !== undefined) return { refusal };
    const isUndelivered = (answer.status === 504 || (answer.status >= 590 && answer.status <= 599)) && this.#wasUnreached(host, mark);
    return isUndelivered ? { failure: "net::ERR_CONNECTION_FAILED" } : null;
  }

  #wasUnreached(host: string, mark: Mark): boolean {
    return this.#options.egress.decisions.some((each) => each.at >= mark.at && each.host === host && each.code === "dial.failed");
  }

  /** Stops a navigation that nobody has answered; the page before it is there again. False when there was none. */
  async stopWaiting(): Promise<boolean> {
    if (this.isDead) return false;
    const isTab = this.activity.isOpeningTab();
    this.activity.forgetTabs();
    if (!this.activity.isNavigating(this.page)) return isTab;
    await this.stopLoading();
    return true;
  }

  /** Has the page in front take in no more, whether it was answered or not. */
  async stopLoading(): Promise<void> {
    if (this.isDead) return;
    const stop = async (): Promise<void> => {
      const client = await this.context.newCDPSession(this.page);
      await client.send("Page.stopLoading");
      await client.detach();
    };
    await doneWithin(STOP_MS, stop());
  }

  /** Waits for everything an action set off: navigation, requests, popups, downloads. */
  async settle(mark: Mark, signal: AbortSignal): Promise<void> {
    await settle(() => this.page, this.activity, this.#options.limits.answerMs, signal);
    if (this.#pendingPopups.size > 0) {
      await Promise.all(this.#pendingPopups);
      await settle(() => this.page, this.activity, this.#options.limits.answerMs, signal);
    }
    // A navigation that ended without a page is most often a download that is about to be announced.
    const until = Date.now() + 400;
    while (this.#mayBringFile(mark) && !this.#downloads.isBusy && this.downloads.length === mark.downloads && Date.now() < until) await sleep(LOOK_MS);
    await this.#downloads.settled();
  }

  /** A navigation of the page ended without a page, and not because it was refused. */
  #mayBringFile(mark: Mark): boolean {
    return this.activity.aborted > mark.aborted && !this.refusedSince(mark).some((refusal) => refusal.isNavigation);
  }

  /** Rejects with KnackError "stop.hang" when the page in front leaves a question without an answer for too long, and closes it then; ends with the signal. */
  async whenHung(doing: string, signal: AbortSignal): Promise<never> {
    while (!signal.aborted) {
      await sleep(PING_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted || this.isDead) continue;
      // A site that is waited for is another matter.
      const isAnswered = this.activity.isNavigating(this.page) || (await answersWithin(this.#options.limits.hangMs, this.page));
      if (isAnswered || signal.aborted || this.isDead) continue;
      // Said before it is closed: what was being done on it fails with the closing.
      this.#hang = hung(doing);
      await this.#replacePages();
      throw this.#hang;
    }
    return new Promise(() => undefined);
  }

  /** Whether something of the page that was asked for since then can be seen: more than its head has come, and it stands in front. */
  async hasArrived(mark: Mark): Promise<boolean> {
    if (this.answerSince(mark) === null || this.activity.arrivals === mark.arrivals || this.activity.isNavigating(this.page)) return false;
    const hasContent = this.page.evaluate("document.body !== null && (document.body.childElementCount > 0 || document.body.textContent.trim() !== '')");
    return await doneWithin(
      ALIVE_MS,
      hasContent.then((is) => (is === true ? is : Promise.reject(new Error("empty")))),
    );
  }

  /** Throws KnackError "stop.nodes" where the page has more parts than are read. */
  async requireReadable(): Promise<void> {
    const { nodes: most } = this.#options.limits;
    const nodes = (await this.#watches.get(this.page)?.nodes(most)) ?? 0;
    if (nodes > most) throw new KnackError("stop.nodes", `The page has ${nodes} parts, more than the ${most} that are read of one. Open another page.`);
  }

  /** After something took too long: is the page still there to be asked? A page that hangs is closed, and a blank one takes its place with the same cookies; with its browser when that fails. */
  async giveUpIfHung(): Promise<boolean> {
    if (this.isDead) return true;
    const isAlive = await answersWithin(ALIVE_MS, this.page);
    if (!isAlive) await this.#replacePages();
    return !isAlive;
  }

  async #replacePages(): Promise<void> {
    const replace = async (): Promise<void> => {
      const old = this.#pages.filter((page) => !page.isClosed());
      await this.#adopt(await this.#newPage());
      await Promise.all(old.map((page) => page.close()));
    };
    if (!(await doneWithin(REPLACE_MS, replace()))) await this.close();
  }

  /** Ends it at once, for a reason that is told to whoever waits for something of it. */
  stop(reason: KnackError): void {
    if (this.#isClosing) return;
    this.#stopped ??= reason;
    void this.close();
  }

  /** Ends this window so that nothing of it runs on, also when it hangs. */
  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#over.abort();
    const isClosed = await doneWithin(CLOSE_MS, this.#browser.close());
    if (!isClosed && this.#pid !== undefined) end(this.#pid);
    this.#isDead = true;
    this.#ended.resolve();
  }

  async #newPage(): Promise<Page> {
    this.#guard?.expectPage();
    return await this.context.newPage();
  }

  #listen(): void {
    this.#browser.on("disconnected", () => {
      this.#isDead = true;
      this.#over.abort();
      this.#ended.resolve();
    });
    this.context.on("page", (page) => {
      if (this.#pages.length === 0 || this.#pages.includes(page)) return;
      const adopting = this.#takePopup(page).finally(() => this.#pendingPopups.delete(adopting));
      this.#pendingPopups.add(adopting);
    });
    this.context.on("dialog", (dialog) => void this.#answer(dialog));
  }

  async #adopt(page: Page): Promise<void> {
    this.#pages.push(page);
    this.activity.watch(page);
    page.on("crash", () => {
      this.#crashed.add(page);
      // One that was given up may go this way while another has taken its place.
      if (this.isDead) this.#ended.resolve();
    });
    page.on("close", () => {
      if (this.#pages.every((each) => each.isClosed())) this.#ended.resolve();
    });
    page.on("download", (download) => this.#downloads.take(download));
    if (this.#guard !== undefined) this.#watches.set(page, await watchPage(this.context, page, this.#guard));
    await this.#options.onPage?.(page);
  }

  #refused(refusal: PageRefusal): void {
    this.#guard?.refuse(refusal);
  }

  /** A new tab becomes the page in front when it leads to a granted place, and is closed otherwise. */
  async #takePopup(page: Page): Promise<void> {
    try {
      this.activity.watch(page);
      if (!(await this.#leadsSomewhere(page))) throw new Error("a blank tab");
      const url = page.url();
      if (/^https?:|^blob:/u.test(url)) {
        await page.waitForLoadState("domcontentloaded", { timeout: BUSY_TAB_MS });
        await this.#adopt(page);
        return;
      }
    } catch {
      // It never went anywhere that may be shown.
    }
    // Its first request met the proxy; that refusal is the answer to the action that opened it.
    const met = this.#options.egress.refusals.slice(this.#latest.egress).findLast((each) => !ownServices.test(each.host));
    if (met !== undefined) this.#refused({ ...met, isNavigation: true });
    await page.close().catch(() => undefined);
  }

  async #leadsSomewhere(page: Page): Promise<boolean> {
    const start = Date.now();
    while (!page.isClosed() && (page.url() === "about:blank" || page.url() === "")) {
      const isOnItsWay = this.activity.isNavigating(page);
      const patience = isOnItsWay ? this.#options.limits.answerMs : this.activity.isLoading(BUSY_TAB_MS) ? BUSY_TAB_MS : BLANK_TAB_MS;
      if (Date.now() - start > patience) return false;
      await sleep(LOOK_MS);
    }
    return !page.isClosed();
  }

  #note(text: string): void {
    if (this.#notes.length < NOTES_KEPT) this.#notes.push(text);
    else this.#notesLeftOut += 1;
  }

  async #answer(dialog: Dialog): Promise<void> {
    const said = clip(visibleText(dialog.message()), 400);
    const isQuestion = dialog.type() === "confirm" || dialog.type() === "prompt";
    const isYes = !isQuestion || (this.#options.acceptQuestions && dialog.type() === "confirm");
    if (dialog.type() !== "beforeunload")
      this.#note(isQuestion && !isYes ? `The page asked: "${said}" It was answered with Cancel.` : `The page said: "${said}"`);
    this.#dialogs += 1;
    if (this.#dialogs === MOST_DIALOGS)
      void dialog
        .page()
        ?.evaluate(keepSilent)
        .catch(() => undefined);
    await (isYes ? dialog.accept() : dialog.dismiss()).catch(() => undefined);
  }
}

/** Runs in a page that floods its visitor. */
function keepSilent(): void {
  globalThis.alert = () => undefined;
  globalThis.confirm = () => false;
  globalThis.prompt = () => null;
}

function hung(doing: string): KnackError {
  return new KnackError("stop.hang", `The page hung while ${doing}, so it was closed. Open it again, or another one.`);
}

/** Whether the page's own thread still does what it is asked; a page that is just being left, or gone, does. */
async function answersWithin(ms: number, page: Page): Promise<boolean> {
  const answer = page.evaluate("1").then(
    () => true,
    () => true,
  );
  return await doneWithin(ms, answer);
}
