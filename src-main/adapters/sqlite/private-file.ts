import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync } from "node:fs";

/** Makes the folder for this user alone; one that exists keeps its rights, it may be shared on purpose. */
export function makePrivateFolder(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Readable and writable by this user alone. SQLite gives its journal files the rights of the database. */
export function makePrivate(file: string): void {
  chmodSync(file, 0o600);
}

/** Makes a new empty file that nobody else can read, even for a moment. */
export function createPrivateFile(file: string): void {
  closeSync(openSync(file, "wx", 0o600));
}

/** Makes the bytes of a file, or the names in a folder, survive a power cut. Windows cannot do it for folders and needs not. */
export function syncToDisk(path: string): void {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch (error) {
    if (process.platform === "win32") return;
    throw error;
  }
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (process.platform !== "win32") throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Takes a draft away if it is there. Never throws: it runs where another error is on its way to the user. */
export function discard(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // What cannot be removed is in nobody's way; its name is never used for anything else.
  }
}
