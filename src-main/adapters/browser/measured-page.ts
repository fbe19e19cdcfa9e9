import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { KnackError } from "#contract/errors.ts";
import type { Egress } from "#core/ports/index.ts";
import { usualLimits } from "./browser-limits.ts";
import { BrowserWindow } from "./browser-window.ts";
import { findBrowser } from "./find-browser.ts";

/** A page whose loads are timed. */
export interface MeasuredPage {
  /** Milliseconds from the question to the page's load event. Rejects where the page cannot be loaded. */
  load(url: string, signal: AbortSignal): Promise<number>;
  close(): Promise<void>;
}

export interface MeasuredOptions {
  readonly allowNoSandbox: boolean;
  /** Public-key pin of the sites' certificate. */
  readonly trustedSpki: string;
  readonly executable: string | undefined;
}

function executableOf({ executable }: MeasuredOptions): string {
  const path = executable ?? findBrowser();
  if (path === null) throw new KnackError("browser.missing", "No browser was found. Install Chrome, Chromium or Edge, or name one in KNACK_BROWSER.");
  return path;
}

/** As a task's page is: behind the proxy, with everything that watches it. The egress stays its maker's. */
export async function openGuardedPage(options: MeasuredOptions, egress: Egress, signal: AbortSignal): Promise<MeasuredPage> {
  const folder = await mkdtemp(join(tmpdir(), "knack-measured-"));
  const window = await BrowserWindow.open(
    {
      ...options,
      executable: executableOf(options),
      headed: false,
      egress,
      limits: usualLimits,
      tempFolder: undefined,
      downloadFolder: folder,
      downloadsAllowed: false,
      acceptQuestions: false,
    },
    signal,
  );
  return {
    async load(url, stop) {
      window.mark();
      return await timed(window.page, url, stop);
    },
    async close() {
      await window.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** As Playwright opens one by itself, with nothing in between: names are mapped to where the sites are. */
export async function openPlainPage(
  options: MeasuredOptions,
  seats: ReadonlyMap<string, { readonly ip: string; readonly port: number }>,
): Promise<MeasuredPage> {
  const rules = [...seats].map(([host, { ip, port }]) => `MAP ${host}:443 ${ip}:${port}`);
  const browser = await chromium.launch({
    executablePath: executableOf(options),
    chromiumSandbox: !options.allowNoSandbox,
    args: [`--host-resolver-rules=${rules.join(",")}`, `--ignore-certificate-errors-spki-list=${options.trustedSpki}`],
  });
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  return { load: (url, signal) => timed(page, url, signal), close: () => browser.close() };
}

async function timed(page: Page, url: string, signal: AbortSignal): Promise<number> {
  const start = performance.now();
  await page.goto(url, { waitUntil: "load", signal });
  return performance.now() - start;
}
