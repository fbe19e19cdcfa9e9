import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "#models/is-alive.ts";

/**
 * Notes which process works on a data folder. True when this one is the first: what a dead process left running may then be marked as
 * interrupted; beside a living one (the app, while a command runs) it must be left alone.
 */
export function takeHostLock(dataFolder: string): { readonly isFirst: boolean; release(): void } {
  const file = join(dataFolder, "host.pid");
  const other = readPid(file);
  if (other !== null && other !== process.pid && isAlive(other)) return { isFirst: false, release() {} };
  writeFileSync(file, String(process.pid), { mode: 0o600 });
  return {
    isFirst: true,
    release() {
      if (readPid(file) === process.pid) rmSync(file, { force: true });
    },
  };
}

function readPid(file: string): number | null {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}
