import { readdir } from "node:fs/promises";
import { join, posix } from "node:path";
import { clip, squash } from "#base/text.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import { readTextFile } from "./read-text-file.ts";
import { draftPrefix } from "./write-text-file.ts";

export interface Line {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

const mostHits = 200;
const mostCharacters = 400;
const unread = new Set([".git", "node_modules"]);

/** Lines that contain the text, upper and lower case alike, in every text file below the real folder; at most 200. Links are not followed: what they lead to inside is found in its own place. */
export async function searchFolder(root: string, wanted: string, signal: AbortSignal): Promise<Line[]> {
  if (squash(wanted) === "") throw badInput("There is nothing to search for.");
  const hits: Line[] = [];
  const folders = [""];
  for (let folder = folders.shift(); folder !== undefined && hits.length < mostHits; folder = folders.shift()) {
    for (const entry of await entriesOf(join(root, folder))) {
      signal.throwIfAborted();
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory() && !unread.has(entry.name)) folders.push(path);
      if (entry.isFile() && !entry.name.startsWith(draftPrefix)) hits.push(...(await linesWith(join(root, path), path, wanted, signal)));
    }
  }
  return hits.slice(0, mostHits);
}

async function entriesOf(folder: string): Promise<import("node:fs").Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // A folder that cannot be opened, or went away meanwhile, hides its files from the user as well.
    return [];
  }
}

async function linesWith(real: string, path: string, wanted: string, signal: AbortSignal): Promise<Line[]> {
  const text = await readTextFile(real, path, signal).catch((error: unknown) => {
    const isSkipped = error instanceof KnackError || (error instanceof Error && "code" in error && error.name !== "AbortError");
    if (isSkipped) return "";
    throw error;
  });
  const needle = wanted.toLowerCase();
  return text
    .split(/\r?\n/u)
    .map((line, index) => ({ path, line: index + 1, text: line }))
    .filter((line) => line.text.toLowerCase().includes(needle))
    .map((line) => ({ ...line, text: clip(line.text, mostCharacters) }));
}
