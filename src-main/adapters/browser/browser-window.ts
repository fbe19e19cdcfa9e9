import { access, chmod, mkdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, type BrowserContext, chromium, type Dialog, type Download, type Page } from "playwright-core";
import { clip } from "#base/text.ts";
import { KnackError } from "#contract/errors.ts";
import type { DownloadedFile, Egress, Refusal } from "#core/ports/index.ts";
import { Activity, type DocumentAnswer } from "./activity.ts";
import { doneWithin } from "./done-within.ts";
import { guardPage, type PageRefusal } from "./guard-page.ts";
import { closeSideDoors, launchArguments } from "./launch-arguments.ts";
import { registerFacts } from "./page-facts.ts";
import { numbered, safeFileName } from "./safe-file-name.ts";
import { NAVIGATION_CAP_MS, settle } from "./settle.ts";
import { outerEnvironment, withTempFolder } from "./temp-folder.ts";
import { visibleText } from "./visible-text.ts";

/** Services the browser calls for itself, which no page asked for; they are refused like all else, and not worth telling. */
const ownServices = /(?:^|\.)(?:googleapis\.com|gvt[12]\.com|clients\d*\.google\.com|accounts\.google\.com|www\.google\.com|edgedl\.me)$/u;

export interface WindowOptions {
  readonly executable: string;
  readonly allowNoSandbox: boolean;
  readonly trustedSpki: string | undefined;
  readonly headed: boolean;
  readonly egress: Egress;
  readonly downloadFolder: string;
  /** Where the browser's profile is made. Default: the system's temporary folder. */
  readonly tempFolder: string | undefined;
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
  readonly at: number;
}

const ALIVE_MS = 3_000;
const STOP_MS = 1_500;
const REPLACE_MS = 5_000;
const MOST_POPUPS = 3;
/** How long a new tab may stay blank: while nothing is loading, while something is, while its own site is being waited for. */
const BLANK_TAB_MS = 1_000;
const BUSY_TAB_MS = 8_000;
const LOOK_MS = 20;
const NOTES_KEPT = 6;
/** So many dialogs in one action are a flood; the page is kept from making more. */
const MOST_DIALOGS = 12;
const DOWNLOAD_TIMEOUT_MS = 120_000;
const LAUNCH_TIMEOUT_MS = 30_000;

/** One Chromium process with one context and the page that is in front. Ends with `close`, or by itself when it crashes. */
export class BrowserWindow {
  readonly context: BrowserContext;
  readonly activity: Activity;
  readonly downloads: DownloadedFile[] = [];
  readonly #browser: Browser;
  readonly #options: WindowOptions;
  readonly #pageRefusals: PageRefusal[] = [];
  readonly #pages: Page[] = [];
  #notes: string[] = [];
  #pendingPopups = new Set<Promise<void>>();
  #pendingDownloads = new Set<Promise<void>>();
  #latest: Mark = { page: 0, egress: 0, downloads: 0, aborted: 0, documents: 0, at: 0 };
  #popups = 0;
  #dialogs = 0;
  #notesLeftOut = 0;
  #isDead = false;
  #isClosing = false;
  readonly #ended = Promise.withResolvers<void>();

  private constructor(browser: Browser, context: BrowserContext, options: WindowOptions) {
    this.#browser = browser;
    this.context = context;
    this.#options = options;
    this.activity = new Activity(context);
  }

  static async open(options: WindowOptions, signal: AbortSignal): Promise<BrowserWindow> {
    await registerFacts();
    await mkdir(options.downloadFolder, { recursive: true });
    signal.throwIfAborted();
    const { egress } = options;
    const launch = () =>
      chromium.launch({
        executablePath: options.executable,
        env: outerEnvironment(),
        headless: !options.headed,
        chromiumSandbox: !options.allowNoSandbox,
        args: launchArguments(options),
        proxy: { server: `http://127.0.0.1:${egress.port}`, bypass: "<-loopback>", username: egress.username, password: egress.password },
        timeout: LAUNCH_TIMEOUT_MS,
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
      });
    const browser = await (options.tempFolder === undefined ? launch() : withTempFolder(options.tempFolder, launch)).catch((error: unknown) => {
      throw launchProblem(error, options);
    });
    try {
      signal.throwIfAborted();
      const context = await browser.newContext({
        acceptDownloads: options.downloadsAllowed,
        serviceWorkers: "block",
        viewport: options.headed ? null : { width: 1280, height: 900 },
      });
      const window = new BrowserWindow(browser, context, options);
      await context.grantPermissions([]);
      await context.addInitScript(closeSideDoors);
      window.#listen();
      await window.#adopt(await context.newPage());
      return window;
    } catch (error) {
      await browser.close().catch(() => undefined);
      throw error;
    }
  }

  get page(): Page {
    const page = this.#pages.findLast((each) => !each.isClosed());
    if (page === undefined) throw new KnackError("browser.crashed", "The browser window is gone. Open the page again.");
    return page;
  }

  get isDead(): boolean {
    return this.#isDead || this.#pages.every((page) => page.isClosed());
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
    this.#latest = {
      page: this.#pageRefusals.length,
      egress: this.#options.egress.refusals.length,
      downloads: this.downloads.length,
      aborted: this.activity.aborted,
      documents: this.activity.documents,
      at: Date.now(),
    };
    return this.#latest;
  }

  /** When the latest action began. */
  get latest(): Mark {
    return this.#latest;
  }

  refusedSince(mark: Mark): PageRefusal[] {
    const byPage = this.#pageRefusals.slice(mark.page);
    const byProxy = this.#options.egress.refusals
      .slice(mark.egress)
      .filter((refusal: Refusal) => !ownServices.test(refusal.host))
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
    const stop = async (): Promise<void> => {
      const client = await this.context.newCDPSession(this.page);
      await client.send("Page.stopLoading");
      await client.detach();
    };
    await doneWithin(STOP_MS, stop());
    return true;
  }

  /** Waits for everything an action set off: navigation, requests, popups, downloads. */
  async settle(mark: Mark, signal: AbortSignal): Promise<void> {
    await settle(() => this.page, this.activity, signal);
    if (this.#pendingPopups.size > 0) {
      await Promise.all(this.#pendingPopups);
      await settle(() => this.page, this.activity, signal);
    }
    // A navigation that ended without a page is most often a download that is about to be announced.
    const until = Date.now() + 400;
    while (this.activity.aborted > mark.aborted && this.#pendingDownloads.size === 0 && this.downloads.length === mark.downloads && Date.now() < until) {
      await sleep(20);
    }
    await Promise.all(this.#pendingDownloads);
  }

  /** After something took too long: is the page still there to be asked? A page that hangs is closed, and a blank one takes its place with the same cookies; with its browser when that fails. */
  async giveUpIfHung(): Promise<boolean> {
    if (this.isDead) return true;
    const isAlive = await doneWithin(ALIVE_MS, this.page.evaluate("1"));
    if (!isAlive) await this.#replacePages();
    return !isAlive;
  }

  async #replacePages(): Promise<void> {
    const replace = async (): Promise<void> => {
      const old = this.#pages.filter((page) => !page.isClosed());
      await this.#adopt(await this.context.newPage());
      await Promise.all(old.map((page) => page.close()));
    };
    if (!(await doneWithin(REPLACE_MS, replace()))) await this.close();
  }

  /** Ends this window so that nothing of it runs on, also when it hangs. */
  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    await Promise.race([this.#browser.close(), sleep(5_000, undefined, { ref: false })]).catch(() => undefined);
    this.#isDead = true;
    this.#ended.resolve();
  }

  #listen(): void {
    this.#browser.on("disconnected", () => {
      this.#isDead = true;
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
      this.#isDead = true;
      this.#ended.resolve();
    });
    page.on("close", () => {
      if (this.#pages.every((each) => each.isClosed())) this.#ended.resolve();
    });
    page.on("download", (download) => {
      const keeping = this.#keep(download).finally(() => this.#pendingDownloads.delete(keeping));
      this.#pendingDownloads.add(keeping);
    });
    page.on("filechooser", () => undefined);
    await guardPage(this.context, page, this.#options.egress, (refusal) => this.#refused(refusal));
    await this.#options.onPage?.(page);
  }

  #refused(refusal: PageRefusal): void {
    if (this.#pageRefusals.length < 10_000) this.#pageRefusals.push(refusal);
  }

  /** A new tab becomes the page in front when it leads to a granted place, and is closed otherwise. */
  async #takePopup(page: Page): Promise<void> {
    this.#popups += 1;
    if (this.#popups > MOST_POPUPS && this.#pages.filter((each) => !each.isClosed()).length > MOST_POPUPS) {
      await page.close().catch(() => undefined);
      return;
    }
    try {
      this.activity.watch(page);
      if (!(await this.#leadsSomewhere(page))) throw new Error("a blank tab");
      const url = page.url();
      const refusal = /^https?:/u.test(url) ? this.#options.egress.check(url, "navigate") : null;
      if (refusal !== null) this.#refused({ ...refusal, isNavigation: true });
      if (refusal === null && /^https?:|^blob:/u.test(url)) {
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
      const patience = isOnItsWay ? NAVIGATION_CAP_MS : this.activity.isLoading(BUSY_TAB_MS) ? BUSY_TAB_MS : BLANK_TAB_MS;
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

  async #keep(download: Download): Promise<void> {
    const name = safeFileName(download.suggestedFilename());
    if (!this.#options.downloadsAllowed) {
      await download.cancel().catch(() => undefined);
      this.#refused({
        code: "download.refused",
        host: hostOf(download.url()),
        message: `The page offered the file "${name}"; downloads are not allowed here.`,
        isNavigation: false,
      });
      return;
    }
    const timer = setTimeout(() => void download.cancel().catch(() => undefined), DOWNLOAD_TIMEOUT_MS);
    try {
      const path = await this.#freePath(name);
      await download.saveAs(path);
      await chmod(path, 0o600);
      const { size } = await stat(path);
      this.downloads.push({ name: basename(path), path, bytes: size, fromUrl: download.url() });
    } catch {
      if (!this.#isClosing) this.#note(`The download of "${name}" did not finish.`);
    } finally {
      clearTimeout(timer);
      await download.delete().catch(() => undefined);
    }
  }

  async #freePath(name: string): Promise<string> {
    for (let count = 1; ; count += 1) {
      const path = join(this.#options.downloadFolder, numbered(name, count));
      const isTaken = await access(path).then(
        () => true,
        () => false,
      );
      if (!isTaken) return path;
    }
  }
}

/** Runs in a page that floods its visitor. */
function keepSilent(): void {
  globalThis.alert = () => undefined;
  globalThis.confirm = () => false;
  globalThis.prompt = () => null;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "";
}

function launchProblem(error: unknown, options: WindowOptions): KnackError {
  const text = error instanceof Error ? error.message : "";
  if (/sandbox/iu.test(text) && !options.allowNoSandbox) {
    return new KnackError(
      "browser.sandbox",
      `The browser's own sandbox cannot be started here, so it was not started at all. Run Knack as an ordinary user; only if you must run it as root, set KNACK_NO_SANDBOX=1 and know that pages are then less contained.`,
    );
  }
  if (options.headed && /display|\$DISPLAY|ozone|X server/iu.test(text))
    return new KnackError("browser.no-display", "A browser window needs a display, and there is none here.");
  return new KnackError(
    "browser.missing",
    `The browser at ${options.executable} could not be started. Install Chrome, Chromium or Edge, or name one in KNACK_BROWSER.`,
  );
}
