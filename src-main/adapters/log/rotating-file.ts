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
      const bytes = Buffer.byteLength(line);
      if (this.#isFull(bytes)) this.#followOther();
      if (this.#isFull(bytes)) this.#rotate();
      writeSync(this.#open(), line);
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

  /** A line larger than a whole file goes into an empty one. */
  #isFull(bytes: number): boolean {
    const { size } = fstatSync(this.#open());
    return size > 0 && size + bytes > this.#options.maxBytes;
  }

  /** Another process may have moved the files on already; then the open one is an older one. */
  #followOther(): void {
    const isCurrent = fstatSync(this.#open()).ino === statSync(this.#name(0), { throwIfNoEntry: false })?.ino;
    if (!isCurrent) this.close();
  }

  /** Moves every file one place on; the oldest goes. */
  #rotate(): void {
    this.close();
    const { keep } = this.#options;
    rmSync(this.#name(keep - 1), { force: true });
    for (let age = keep - 2; age >= 0; age -= 1) moveIfThere(this.#name(age), this.#name(age + 1));
  }

  #name(age: number): string {
    return `${this.#options.base}${age === 0 ? "" : `.${age}`}.log`;
  }
}

function moveIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to);
}
