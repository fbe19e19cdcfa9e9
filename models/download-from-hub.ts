import { open, rm, stat } from "node:fs/promises";
import type { CatalogueEntry } from "#contract/models/schema.ts";
import { needSpace } from "./free-space.ts";
import type { ModelPlaces } from "./model-places.ts";
import type { OnContact } from "./on-contact.ts";
import { reasonOf, SourceFailure } from "./source-failure.ts";

export const officialHub = "https://huggingface.co";

const connectMs = 5_000;
const silenceMs = 30_000;
/** A hub found unreachable is not waited for again this soon: one set-up asks for several models, and a person who came online tries again later. */
const trustMs = 60_000;
const unreachable = new Map<string, { readonly reason: string; readonly until: number }>();

/** Where the official file of a model is; undefined when there is none. */
export function hubAddress({ hub }: CatalogueEntry, base: string): string | undefined {
  return hub === undefined ? undefined : `${base}/${hub.repository}/resolve/${hub.revision}/${encodeURIComponent(hub.file)}`;
}

/**
 * Brings `places.part` to the entry's full length, going on where an earlier download broke off.
 * Rejects with SourceFailure (the part is kept), "model.disk-full" or the signal's reason.
 */
export async function downloadFromHub(
  entry: CatalogueEntry,
  places: ModelPlaces,
  base: string,
  onContact: OnContact,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const address = hubAddress(entry, base);
  if (address === undefined) throw new SourceFailure("has no official file");
  let have = await sizeOf(places.part);
  if (have > entry.bytes) {
    await rm(places.part);
    have = 0;
  }
  if (have === entry.bytes) return;
  const known = unreachable.get(base);
  if (known !== undefined && performance.now() < known.until) throw new SourceFailure(known.reason);
  await needSpace(places.folder, entry.bytes - have, entry.name);

  const watch = watchdog(signal);
  let told = onContact(address);
  let isReached = false;
  let came = 0;
  try {
    const response = await connect(address, have, base, watch, signal);
    isReached = true;
    if (new URL(response.url).host !== new URL(address).host) {
      // The hub answers with the address of a store of its own.
      told(0, true);
      told = onContact(response.url);
    }
    if (response.status === 200) have = 0;
    else if (response.status !== 206 || !continuesAt(response, have)) throw new SourceFailure(`answered ${response.status} ${response.statusText}`.trimEnd());
    const from = have;
    const count = (bytes: number): void => {
      came = bytes - from;
      onBytes(bytes);
    };
    await write(response, entry, places.part, have, count, watch);
  } catch (error) {
    signal.throwIfAborted();
    if (watch.signal.aborted) throw new SourceFailure(reasonOf(watch.signal.reason));
    throw error instanceof TypeError ? new SourceFailure(`the connection broke: ${reasonOf(error)}`) : error;
  } finally {
    watch.stop();
    told(came, isReached);
  }
}

async function connect(address: string, have: number, base: string, watch: Watchdog, signal: AbortSignal): Promise<Response> {
  watch.expect(connectMs, `gave no answer within ${connectMs / 1000} s`);
  try {
    const response = await fetch(address, { headers: have > 0 ? { range: `bytes=${have}-` } : {}, signal: watch.signal });
    if (base.startsWith("https:") && !response.url.startsWith("https:")) throw new SourceFailure("led to an address without https");
    return response;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SourceFailure) throw error;
    const reason = `cannot be reached: ${reasonOf(watch.signal.aborted ? watch.signal.reason : error)}`;
    unreachable.set(base, { reason, until: performance.now() + trustMs });
    throw new SourceFailure(reason);
  }
}

async function write(response: Response, entry: CatalogueEntry, part: string, have: number, onBytes: (bytes: number) => void, watch: Watchdog): Promise<void> {
  const handle = await open(part, have > 0 ? "a" : "w", 0o600);
  let bytes = have;
  try {
    watch.expect(silenceMs, `sent nothing for ${silenceMs / 1000} s`);
    for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      watch.expect(silenceMs, `sent nothing for ${silenceMs / 1000} s`);
      bytes += piece.length;
      if (bytes > entry.bytes) throw new SourceFailure(`sent more than the ${entry.bytes} bytes there should be`);
      await handle.writeFile(piece);
      onBytes(bytes);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (bytes < entry.bytes) throw new SourceFailure(`broke off at ${bytes} of ${entry.bytes} bytes`);
}

function continuesAt(response: Response, have: number): boolean {
  return response.headers.get("content-range")?.startsWith(`bytes ${have}-`) ?? false;
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

interface Watchdog {
  readonly signal: AbortSignal;
  /** Aborts unless called again, or stopped, within this time. */
  expect(milliseconds: number, otherwise: string): void;
  stop(): void;
}

function watchdog(signal: AbortSignal): Watchdog {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  return {
    signal: AbortSignal.any([signal, late.signal]),
    expect(milliseconds, otherwise) {
      clearTimeout(timer);
      timer = setTimeout(() => late.abort(new Error(otherwise)), milliseconds);
    },
    stop: () => clearTimeout(timer),
  };
}
