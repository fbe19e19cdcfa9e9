import { chmodSync, realpathSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname } from "node:path";
import { KnackError } from "#contract/errors.ts";
import { makeFolder } from "./make-folder.ts";

/** Makes the folder, or takes the one that is there, for this user alone (0700). Returns its path. */
export function privateFolder(folder: string, setting: string): string {
  try {
    makeFolder(folder);
    refuseShared(folder, setting);
    if (process.platform !== "win32" && (statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
    return folder;
  } catch (error) {
    if (error instanceof KnackError) throw error;
    throw new KnackError(
      "files.folder",
      `The folder ${folder} cannot be made or used (${error instanceof Error ? error.message : String(error)}). Set ${setting} to a folder you may write to.`,
      {
        fields: { folder, setting },
        cause: error,
      },
    );
  }
}

/** Closing these to others would break the machine for them, and Knack's files would lie among everyone's. */
function refuseShared(folder: string, setting: string): void {
  const real = realpathSync(folder);
  const shared = [homedir(), tmpdir()].map(realOrSame);
  if (real !== dirname(real) && !shared.includes(real)) return;
  throw new KnackError("files.folder", `${setting} names ${folder}, which is not Knack's alone. Give Knack a folder of its own, for instance one inside it.`, {
    exit: 2,
    fields: { folder, setting },
  });
}

function realOrSame(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
