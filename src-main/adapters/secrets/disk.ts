import { closeSync, constants, fchmodSync, fstatSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";

/** The few things a vault asks of a disk; each may fail, and a test makes each fail. */
export interface Disk {
  /** Null where there is no such file. */
  read(file: string): Uint8Array | null;
  /** A new file for this user alone, on the disk when it returns. */
  write(file: string, bytes: Uint8Array): void;
  rename(from: string, to: string): void;
  remove(file: string): void;
  names(folder: string): string[];
  /** Makes the names in a folder survive a power cut. */
  syncFolder(folder: string): void;
}

/** More than any vault holds; a larger file is not read into memory. */
const mostBytes = 64 * 1024 * 1024;

export const disk: Disk = {
  read(file) {
    let descriptor: number;
    try {
      // Never waits for the other end of a pipe that stands in its place.
      descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
    try {
      const state = fstatSync(descriptor);
      if (!state.isFile() || state.size > mostBytes) return new Uint8Array();
      return new Uint8Array(readFileSync(descriptor));
    } finally {
      closeSync(descriptor);
    }
  },
  write(file, bytes) {
    const descriptor = openSync(file, "wx", 0o600);
    try {
      if (process.platform !== "win32") fchmodSync(descriptor, 0o600);
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  },
  rename: renameSync,
  remove: (file) => rmSync(file, { force: true }),
  names: (folder) => readdirSync(folder),
  syncFolder(folder) {
    if (process.platform === "win32") return; // it cannot be done there, and needs not
    const descriptor = openSync(folder, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  },
};
