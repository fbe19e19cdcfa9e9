import { stat } from "node:fs/promises";
import { KnackError } from "#contract/errors.ts";
import type { CatalogueEntry } from "#contract/models/schema.ts";
import { catalogue, catalogueEntry } from "./catalogue.ts";
import { type FetchOptions, fetchModel } from "./fetch-model.ts";
import { modelPath } from "./model-places.ts";

export interface ChoiceOptions {
  readonly cacheFolder: string;
  /** Id the user chose; null for no choice. */
  readonly chosen: string | null;
  /** Default: the catalogue. */
  readonly among?: readonly CatalogueEntry[];
}

type Role = "chat" | "embedding";

/** The user's choice, else the first by preference that is present, else the first by preference. */
export function pickModel(role: Role, among: readonly CatalogueEntry[], chosen: string | null, present: ReadonlySet<string>): CatalogueEntry | undefined {
  const candidates = byPreference(role, among);
  if (chosen !== null) return candidates.find(({ id }) => id === chosen);
  return candidates.find(({ id }) => present.has(id)) ?? candidates[0];
}

/** The chat model to use: the user's choice, else the first present by preference, else the default (then it has to be fetched). */
export function chooseChat(options: ChoiceOptions): Promise<CatalogueEntry> {
  return choose("chat", options);
}

/** The embedder to use, by the same rule. */
export function chooseEmbedder(options: ChoiceOptions): Promise<CatalogueEntry> {
  return choose("embedding", options);
}

/** Fetches the chat model to use; without a choice, the first by preference that can be had. */
export function fetchChat(options: ChoiceOptions & FetchOptions): Promise<{ entry: CatalogueEntry; path: string }> {
  return fetchFirst("chat", options);
}

/** Fetches the embedder to use; without a choice, the first by preference that can be had. */
export function fetchEmbedder(options: ChoiceOptions & FetchOptions): Promise<{ entry: CatalogueEntry; path: string }> {
  return fetchFirst("embedding", options);
}

async function choose(role: Role, { cacheFolder, chosen, among = catalogue }: ChoiceOptions): Promise<CatalogueEntry> {
  const candidates = byPreference(role, among);
  const present = new Set<string>();
  for (const entry of candidates) if (await isPresent(entry, cacheFolder)) present.add(entry.id);
  return pickModel(role, among, chosen, present) ?? catalogueEntry(chosen ?? "", candidates);
}

async function fetchFirst(role: Role, options: ChoiceOptions & FetchOptions): Promise<{ entry: CatalogueEntry; path: string }> {
  const first = await choose(role, options);
  // A model the user chose is never silently replaced by another.
  const others =
    options.chosen === null ? byPreference(role, options.among ?? catalogue).filter((entry) => entry !== first && entry.packages !== undefined) : [];
  let failure: unknown;
  for (const entry of [first, ...others]) {
    try {
      return { entry, path: await fetchModel(entry, options) };
    } catch (error) {
      if (!(error instanceof KnackError) || error.code !== "model.unobtainable") throw error;
      failure ??= error;
    }
  }
  throw failure;
}

function byPreference(role: Role, among: readonly CatalogueEntry[]): CatalogueEntry[] {
  return among.filter((entry) => entry.role === role).toSorted((a, b) => a.preference - b.preference);
}

async function isPresent(entry: CatalogueEntry, cacheFolder: string): Promise<boolean> {
  return stat(modelPath(entry, cacheFolder)).then(
    ({ size }) => size === entry.bytes,
    () => false,
  );
}
