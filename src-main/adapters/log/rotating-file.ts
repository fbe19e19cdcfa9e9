import { closeSync, fchmodSync, fstatSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";

export interface RotatingFileOptions {
  /** Path without its ending: "…/logs/knack" gives knack.log, knack.1.log (the one before), … */
  readonly base: string;
  readonly maxBytes: number;
  /** Files kept, the current one included. */
  readonly keep: number;
}

/**
 * Lines appended to a file of bounded size, 0600. Written at once, so the last lines before a crash are there.
 * A log must never take the app down: when it cannot be written, lines are lost and counted.
 */
export class RotatingFile implements Disposable {
  readonly #options: RotatingFileOptions;
  #descriptor: number | undefined;
  #lost = 0;

  constructor(options: RotatingFileOptions) {
    this.#options = options;
  }

  /** Lines that could not be written. */
  get lost(): number {
    return this.#lost;
  }

  write(line: string): void {
    try {
      const descriptor = this.#open();
      const isFull = fstatSync(descriptor).size + Buffer.byteLength(line) > this.#options.maxBytes;
      writeSync(isFull ? this.#rotate(descriptor) : descriptor, line);
    } catch {
      this.#lost += 1;
      this.close();
    }
  }

  close(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor !== undefined) closeSync(descriptor);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #open(): number {
    if (this.#descriptor === undefined) {
      this.#descriptor = openSync(this.#name(0), "a", 0o600);
      if (process.platform !== "win32") fchmodSync(this.#descriptor, 0o600);
    }
    return this.#descriptor;
  }

  /** Moves every file one place on. When another process has done so already, only opens the new one. */
  #rotate(descriptor: number): number {
    const isCurrent = fstatSync(descriptor).ino === statSync(this.#name(0), { throwIfNoEntry: false })?.ino;
    this.close();
    if (isCurrent && fileSize(this.#name(0)) > 0) {
      const { keep } = this.#options;
      rmSync(this.#name(keep - 1), { force: true });
      for (let age = keep - 2; age >= 0; age -= 1) moveIfThere(this.#name(age), this.#name(age + 1));
    }
    return this.#open();
  }

  #name(age: number): string {
    return `${this.#options.base}${age === 0 ? "" : `.${age}`}.log`;
  }
}

function fileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function moveIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to);
}
