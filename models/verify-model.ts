import { stat } from "node:fs/promises";
import type { CatalogueEntry } from "#contract/models/schema.ts";
import { hashFile } from "./hash-file.ts";
import { modelPath } from "./model-places.ts";

/** Hashes the model's file, always afresh, and says in a line what it found and the way on. */
export async function verifyModel(
  entry: CatalogueEntry,
  options: { readonly cacheFolder: string; readonly signal: AbortSignal },
): Promise<{ ok: boolean; message: string }> {
  const file = modelPath(entry, options.cacheFolder);
  const wayOn = `Get it with: knack models get ${entry.id}`;
  const size = await stat(file).then(
    (stats) => stats.size,
    () => undefined,
  );
  if (size === undefined) return { ok: false, message: `${entry.id} is not there: no ${file}. ${wayOn}` };
  if (size < entry.bytes) return { ok: false, message: `${entry.id} is cut short: ${size} of ${entry.bytes} bytes in ${file}. ${wayOn}` };
  const found = await hashFile(file, options.signal);
  if (found === entry.sha256) return { ok: true, message: `${entry.id} is whole: SHA-256 ${found}` };
  return { ok: false, message: `${entry.id} was altered: expected SHA-256 ${entry.sha256}, found ${found} in ${file}. ${wayOn}` };
}
