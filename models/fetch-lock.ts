import { open, readFile, rm, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "./is-alive.ts";

const lookEvery = 300;
const writingMs = 5_000;

/** Runs `work` while no other process fetches the same model. `onWait` is called once when another one is at it. */
export async function withFetchLock<T>(lock: string, signal: AbortSignal, onWait: () => void, work: () => Promise<T>): Promise<T> {
  let waited = false;
  while (!(await take(lock))) {
    if (!waited) onWait();
    waited = true;
    await sleep(lookEvery, undefined, { signal });
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    const handle = await open(lock, "wx", 0o600);
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  if (await isHeld(lock)) return false;
  await rm(lock, { force: true });
  return take(lock);
}

/** A process that died holds nothing, even when it died before it could write its id. */
async function isHeld(lock: string): Promise<boolean> {
  try {
    const holder = Number(await readFile(lock, "utf8"));
    return holder > 0 ? isAlive(holder) : Date.now() - (await stat(lock)).mtimeMs < writingMs;
  } catch {
    return false;
  }
}
