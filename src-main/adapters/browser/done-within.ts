import { setTimeout as sleep } from "node:timers/promises";

/** Whether work ended well in this time; what ends later, or badly, did not. Nothing of the waiting is left behind. */
export async function doneWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const isDone = await Promise.race([
    work.then(
      () => true,
      () => false,
    ),
    sleep(ms, false, { signal: timer.signal }).catch(() => false),
  ]);
  timer.abort();
  return isDone;
}
