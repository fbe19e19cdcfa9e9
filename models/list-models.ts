import { readdir, stat } from "node:fs/promises";
import type { CatalogueEntry, ModelState } from "#contract/models/schema.ts";
import { catalogue } from "./catalogue.ts";
import { pickModel } from "./choose-model.ts";
import { type ModelPlaces, modelPlaces } from "./model-places.ts";

export interface ListOptions {
  readonly cacheFolder: string;
  /** All memory of the machine. */
  readonly memoryBytes: number;
  /** What the user chose, by role; null for no choice. */
  readonly chosen: { readonly chat: string | null; readonly embedding: string | null };
  /** Default: the catalogue. */
  readonly among?: readonly CatalogueEntry[];
}

const gigabyte = 1024 ** 3;
/** A machine sold with 8 GB reports less: firmware and graphics keep some. */
const reported = 0.85;
/** Besides the weights: context, buffers, and everything else that runs. */
const besideWeights = 1.5 * gigabyte;
/** Besides the weights, by what is free now: the smallest context with its buffers. */
const besideSmallContext = 0.4 * gigabyte;

/** Every model with its state on this machine. Looks at sizes only; hashes are checked when a model is fetched, loaded or verified. */
export async function listModels(options: ListOptions): Promise<ModelState[]> {
  const entries = (options.among ?? catalogue).filter(({ role }) => role !== "test");
  const found = await Promise.all(entries.map(async (entry) => ({ entry, ...(await stateOf(entry, modelPlaces(entry, options.cacheFolder))) })));
  const present = new Set(found.filter(({ state }) => state === "present").map(({ entry }) => entry.id));
  const inUse = new Set([pickModel("chat", entries, options.chosen.chat, present)?.id, pickModel("embedding", entries, options.chosen.embedding, present)?.id]);
  const recommended = new Set([recommendedChat(entries, options.memoryBytes)?.id, recommendedEmbedder(entries)?.id]);
  return found.map(({ entry, state, path }) => ({
    ...entry,
    state,
    path,
    inUse: state === "present" && inUse.has(entry.id),
    fit: fitOf(entry, options.memoryBytes),
    recommended: recommended.has(entry.id),
  }));
}

async function stateOf(entry: CatalogueEntry, places: ModelPlaces): Promise<Pick<ModelState, "state" | "path">> {
  const size = await sizeOf(places.file);
  if (size === entry.bytes) return { state: "present", path: places.file };
  if (size !== undefined) return { state: "damaged", path: places.file };
  const hasPart = (await sizeOf(places.part)) !== undefined || (await readdir(places.wheels).catch(() => [])).some((name) => name.endsWith(".whl"));
  return { state: hasPart ? "partial" : "absent", path: null };
}

function fitOf({ bytes, minimumMemoryGb }: CatalogueEntry, memoryBytes: number): ModelState["fit"] {
  if (memoryBytes >= minimumMemoryGb * gigabyte * reported) return "fits";
  return memoryBytes >= bytes + besideWeights ? "may-be-slow" : "will-not-fit";
}

/** The largest chat model besides this one that can be run in so many free bytes, with a small context. */
export function largestThatFits(freeBytes: number, besides: string, among: readonly CatalogueEntry[] = catalogue): CatalogueEntry | undefined {
  return among
    .filter(({ role, id, bytes }) => role === "chat" && id !== besides && bytes + besideSmallContext <= freeBytes)
    .toSorted((a, b) => b.bytes - a.bytes)[0];
}

/** The largest that fits the memory. */
function recommendedChat(entries: readonly CatalogueEntry[], memoryBytes: number): CatalogueEntry | undefined {
  return entries.filter((entry) => entry.role === "chat" && fitOf(entry, memoryBytes) === "fits").toSorted((a, b) => b.minimumMemoryGb - a.minimumMemoryGb)[0];
}

function recommendedEmbedder(entries: readonly CatalogueEntry[]): CatalogueEntry | undefined {
  return entries.filter(({ role }) => role === "embedding").toSorted((a, b) => a.preference - b.preference)[0];
}

async function sizeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
}
