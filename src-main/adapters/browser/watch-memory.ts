import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession } from "playwright-core";
import { KnackError } from "#contract/errors.ts";
import { ownMemory } from "./own-memory.ts";

/** Asking costs a process elsewhere, and next to nothing on Linux. */
const LOOK_MS = process.platform === "linux" ? 400 : 2_000;

interface ProcessInfo {
  type: string;
  id: number;
}

/** The processes of the browser behind this session, by what they are. */
export async function processesOf(client: CDPSession): Promise<readonly ProcessInfo[]> {
  return ((await client.send("SystemInfo.getProcessInfo")) as { processInfo: readonly ProcessInfo[] }).processInfo;
}

/**
 * Looks again and again at what the browser's processes take, until the signal is aborted; above the limit the largest one that shows pages is ended, so
 * that the machine has its memory back at once, and the browser is stopped.
 */
export async function watchMemory(client: CDPSession, limitBytes: number, onStop: (reason: KnackError) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const isOver = await look(client, limitBytes).catch(() => false);
    if (isOver) {
      const most = `${Math.round(limitBytes / 1024 ** 2)} MB`;
      return onStop(new KnackError("stop.memory", `The page took more memory than the ${most} that a browser may, so it was closed. Open another page.`));
    }
    await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

async function look(client: CDPSession, limitBytes: number): Promise<boolean> {
  const processes = await processesOf(client);
  const memory = await ownMemory(processes.map(({ id }) => id));
  const total = [...memory.values()].reduce((sum, bytes) => sum + bytes, 0);
  if (total <= limitBytes) return false;
  const largest = processes.filter(({ type }) => type !== "browser").toSorted((a, b) => (memory.get(b.id) ?? 0) - (memory.get(a.id) ?? 0))[0];
  if (largest !== undefined) end(largest.id);
  return true;
}

/** Ends a process of the browser. */
export function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}
