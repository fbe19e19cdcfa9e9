import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { KnackError } from "#contract/errors.ts";

export const mostBytes = 1_000_000;

/**
 * The text of a real path. Refuses folders and devices (a pipe would wait for ever), more than 1 MB, and what is not
 * UTF-8 text. `path` is what the caller called it. A link put in its place meanwhile is not followed.
 */
export async function readTextFile(real: string, path: string, signal: AbortSignal): Promise<string> {
  const handle = await open(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const status = await handle.stat();
    if (status.isDirectory()) throw new KnackError("workspace.not-file", `"${path}" is a folder, not a file.`, { fields: { path } });
    if (!status.isFile()) throw new KnackError("workspace.not-file", `"${path}" is not an ordinary file.`, { fields: { path } });
    if (status.size > mostBytes) throw tooLarge(path, status.size);
    signal.throwIfAborted();
    const bytes = await handle.readFile({ signal });
    // It may have grown since it was measured.
    if (bytes.length > mostBytes) throw tooLarge(path, bytes.length);
    return decode(bytes, path);
  } finally {
    await handle.close();
  }
}

function decode(bytes: Uint8Array, path: string): string {
  const binary = (): KnackError => new KnackError("workspace.binary", `"${path}" is not a text file (UTF-8), so Knack cannot read it.`, { fields: { path } });
  if (bytes.includes(0)) throw binary();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw binary();
  }
}

function tooLarge(path: string, bytes: number): KnackError {
  return new KnackError("workspace.too-large", `"${path}" has ${bytes} bytes; Knack reads files of up to ${mostBytes} bytes. Search it instead, or split it.`, {
    fields: { path, bytes },
  });
}
