import { chromium } from "playwright-core";

/** Measures a page of Knack's own in a real browser; milliseconds. */
export interface PageMeter {
  /**
   * From the beginning of the loading until something of this selector has been painted, each time in a page of its own; and what the processor spent for
   * that on the page's main thread.
   */
  firstPaint(url: string, selector: string): Promise<{ readonly clock: number; readonly processor: number }>;
  /**
   * Turns the wheel upwards over what scrolls, this many times; returns how long each task of the page was that took longer than 50 ms, what the processor
   * spent on its longest one, and how far it came.
   */
  scroll(
    url: string,
    selector: string,
    turns: number,
  ): Promise<{ readonly longTasks: readonly number[]; readonly processor: number; readonly scrolled: number }>;
  /** From a query that is typed until its results are painted; `results` names their list, which says in `data-query` what it is of. */
  search(url: string, field: string, results: string, queries: readonly string[]): Promise<number[]>;
  close(): Promise<void>;
}

/** @param executable the browser; without its sandbox only where that cannot be had */
export async function openPageMeter(executable: string, hasSandbox: boolean): Promise<PageMeter> {
  const browser = await chromium.launch({ executablePath: executable, chromiumSandbox: hasSandbox });
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  return {
    async firstPaint(url, selector) {
      const page = await context.newPage();
      await page.addInitScript(notePaint, selector);
      await browser.startTracing(page, { categories: traced });
      await page.goto(url);
      const painted = await page.waitForFunction(() => (globalThis as { knackPainted?: number }).knackPainted, undefined, { timeout: 60_000 });
      const clock = Number(await painted.jsonValue());
      const processor = tasksIn(await browser.stopTracing()).reduce((sum, task) => sum + task, 0);
      await page.close();
      return { clock, processor };
    },
    async scroll(url, selector, turns) {
      const page = await context.newPage();
      await page.goto(url);
      await page.locator(selector).first().waitFor();
      // What loading took is another figure.
      await page.waitForTimeout(1000);
      await page.evaluate(noteLongTasks);
      await browser.startTracing(page, { categories: traced });
      await page.mouse.move(640, 400);
      for (let turn = 0; turn < turns; turn += 1) {
        await page.mouse.wheel(0, -700);
        await page.waitForTimeout(30);
      }
      await page.waitForTimeout(500);
      const trace = await browser.stopTracing();
      const longTasks = await page.evaluate(() => (globalThis as { knackLongTasks?: number[] }).knackLongTasks ?? []);
      await page.close();
      return { longTasks, processor: Math.max(0, ...tasksIn(trace)), scrolled: turns * 700 };
    },
    async search(url, field, results, queries) {
      const page = await context.newPage();
      await page.goto(url);
      await page.locator(field).waitFor();
      await page.waitForTimeout(1000);
      const times: number[] = [];
      for (const query of queries) times.push(await page.evaluate(searched, { field, results, query }));
      await page.close();
      return times;
    },
    close: () => browser.close(),
  };
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds that the processor spent on it. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

const traced = ["toplevel", "__metadata"];

/** Milliseconds that the processor spent on each task of a page's main thread: the clock tells of everything else on the machine too. */
function tasksIn(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] };
  const pages = traceEvents.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain");
  const isOfPage = (event: TraceEvent): boolean => pages.some(({ pid, tid }) => pid === event.pid && tid === event.tid);
  return traceEvents.filter((event) => event.name.endsWith("RunTask") && isOfPage(event)).map(({ tdur = 0 }) => tdur / 1000);
}

// What follows runs in the page.

function notePaint(selector: string): void {
  const seen = new MutationObserver(() => {
    if (document.querySelector(selector) === null) return;
    seen.disconnect();
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        (globalThis as { knackPainted?: number }).knackPainted = performance.now();
      }),
    );
  });
  seen.observe(document, { childList: true, subtree: true });
}

function noteLongTasks(): void {
  const tasks: number[] = [];
  (globalThis as { knackLongTasks?: number[] }).knackLongTasks = tasks;
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
}

function searched({ field, results, query }: { field: string; results: string; query: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    const input = document.querySelector(field) as HTMLInputElement;
    const isThere = (): boolean => document.querySelector(results)?.getAttribute("data-query") === query;
    const startedAt = performance.now();
    const impatience = setTimeout(() => reject(new Error(`no results for "${query}"`)), 10_000);
    const seen = new MutationObserver(() => {
      if (!isThere()) return;
      seen.disconnect();
      clearTimeout(impatience);
      requestAnimationFrame(() => resolve(performance.now() - startedAt));
    });
    seen.observe(document.body, { childList: true, subtree: true, attributes: true });
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, query);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
