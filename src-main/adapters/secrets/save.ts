import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { KnackError } from "#contract/errors.ts";
import type { Disk } from "./disk.ts";

/** Where the copy before the last change is. */
export function previousOf(file: string): string {
  return `${file}.previous`;
}

const ending = ".tmp";

/**
 * Puts `next` in the place of the file: written beside it, brought to the disk, and renamed, so that after any crash there is the old file or the new one.
 * What was there becomes the previous copy. Throws "vault.save"; the file is then as it was.
 */
export function saveFile(disk: Disk, file: string, next: Uint8Array, current: Uint8Array | null): void {
  try {
    if (current !== null) place(disk, previousOf(file), current);
    place(disk, file, next);
  } catch (error) {
    throw notSaved(file, error);
  }
}

/** Lets the previous copy be the same as the file, where the old one must not open any more. */
export function levelPrevious(disk: Disk, file: string, current: Uint8Array): void {
  try {
    place(disk, previousOf(file), current);
  } catch (error) {
    throw notSaved(previousOf(file), error);
  }
}

/** Takes away what a save that was cut off has left. Only while nobody else saves. */
export function removeLeftovers(disk: Disk, file: string): void {
  const folder = dirname(file);
  for (const name of disk.names(folder)) if (name.startsWith(`${basename(file)}.`) && name.endsWith(ending)) disk.remove(join(folder, name));
}

function place(disk: Disk, file: string, bytes: Uint8Array): void {
  const draft = `${file}.${randomBytes(6).toString("hex")}${ending}`;
  try {
    disk.write(draft, bytes);
    disk.rename(draft, file);
  } catch (error) {
    try {
      disk.remove(draft);
    } catch {
      // It goes with the next start.
    }
    throw error;
  }
  disk.syncFolder(dirname(file));
}

function notSaved(file: string, error: unknown): KnackError {
  const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  return new KnackError("vault.save", `The vault could not be saved to ${file} (${reason}). Make room or make the folder writable, and do it again.`, {
    fields: { file, reason },
  });
}
