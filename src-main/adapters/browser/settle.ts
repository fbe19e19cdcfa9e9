import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { Activity } from "./activity.ts";

const QUIET_MS = 100;
const QUIET_CAP_MS = 1_500;
const LONG_POLL_MS = 2_000;
const SETTLE_CAP_MS = 3_000;
const STEP_MS = 20;

/** Runs in the page: resolves when its document has not changed for a while. */
function whenQuiet([quiet, cap]: readonly [number, number]): Promise<void> {
  return new Promise((resolve) => {
    let timer = setTimeout(done, quiet);
    const last = setTimeout(done, cap);
    const observer = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(done, quiet);
    });
    function done(): void {
      clearTimeout(timer);
      clearTimeout(last);
      observer.disconnect();
      resolve();
    }
    observer.observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
  });
}

/** Waits until what an action set off has come to rest: its navigation, its requests, the changes to the document. Never longer than its caps; `answerMs` for the site. */
export async function settle(page: () => Page, activity: Activity, answerMs: number, signal: AbortSignal): Promise<void> {
  const start = Date.now();
  for (;;) {
    signal.throwIfAborted();
    const at = page();
    if (at.isClosed()) return;
    while ((activity.isNavigating(at) || activity.isOpeningTab()) && Date.now() - start < answerMs) await sleep(STEP_MS, undefined, { signal });
    // A document that is on its way out answers no question.
    if (activity.isNavigating(at)) return;
    const before = activity.count;
    const timer = new AbortController();
    const isQuiet = await Promise.race([
      at.evaluate(whenQuiet, [QUIET_MS, QUIET_CAP_MS] as const).then(
        () => true,
        () => false,
      ),
      sleep(QUIET_CAP_MS + 500, true, { signal: AbortSignal.any([signal, timer.signal]) }).catch(() => true),
    ]);
    timer.abort();
    signal.throwIfAborted();
    const isOver = Date.now() - start > SETTLE_CAP_MS && !activity.isNavigating(at);
    if (isOver || Date.now() - start > answerMs) return;
    if (isQuiet && page() === at && activity.count === before && !activity.isLoading(LONG_POLL_MS)) return;
    if (!isQuiet || activity.isLoading(LONG_POLL_MS)) await sleep(STEP_MS, undefined, { signal });
  }
}
