import { statfs } from "node:fs/promises";
import { KnackError } from "#contract/errors.ts";

const margin = 64 * 1024 * 1024;

/** Rejects with KnackError "model.disk-full" when the folder's disk cannot take this many bytes more. */
export async function needSpace(folder: string, bytes: number, what: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free < bytes + margin) throw diskFull(folder, what, bytes + margin, free);
}

/** "model.disk-full" when that is what the file system said, else the error itself. */
export function asDiskFull(error: unknown, folder: string, what: string): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === "ENOSPC" || code === "EDQUOT" ? diskFull(folder, what) : error;
}

function diskFull(folder: string, what: string, needed?: number, free?: number): KnackError {
  const figures = needed === undefined || free === undefined ? "" : ` It needs ${inMegabytes(needed)} and ${inMegabytes(free)} are free.`;
  return new KnackError(
    "model.disk-full",
    `There is not enough room on the disk for ${what} in ${folder}.${figures} Make room, or set KNACK_CACHE to a folder on another disk, then run it again: what came so far is kept.`,
    {
      fields: { folder, needed, free },
    },
  );
}

export function inMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString("en")} MB`;
}
