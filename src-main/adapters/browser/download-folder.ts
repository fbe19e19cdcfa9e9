import { randomUUID } from "node:crypto";
import { chmod, link, mkdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Download } from "playwright-core";
import type { DownloadedFile } from "#core/ports/index.ts";
import { hostOf } from "./address-parts.ts";
import type { PageRefusal } from "./guard-browser.ts";
import { numbered, safeFileName } from "./safe-file-name.ts";

const TIMEOUT_MS = 120_000;

export interface DownloadOptions {
  readonly downloadFolder: string;
  readonly downloadsAllowed: boolean;
  /** Files that are kept; more are refused. */
  readonly most: number;
  readonly onRefused: (refusal: PageRefusal) => void;
  /** Told of a file that did not come whole. */
  readonly onUnfinished: (name: string) => void;
}

/** What one browser downloads: under plain names, never over another file, never to be run. */
export class DownloadFolder {
  readonly files: DownloadedFile[] = [];
  readonly #options: DownloadOptions;
  readonly #pending = new Set<Promise<void>>();
  #taken = 0;

  constructor(options: DownloadOptions) {
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#pending.size > 0;
  }

  take(download: Download): void {
    const keeping = this.#keep(download).finally(() => this.#pending.delete(keeping));
    this.#pending.add(keeping);
  }

  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }

  async #keep(download: Download): Promise<void> {
    const name = safeFileName(download.suggestedFilename());
    const refused = this.#reasonAgainst(name);
    if (refused !== null) {
      await download.cancel().catch(() => undefined);
      this.#options.onRefused({ code: "download.refused", host: hostOf(download.url()), message: refused, isNavigation: false });
      return;
    }
    this.#taken += 1;
    const timer = setTimeout(() => void download.cancel().catch(() => undefined), TIMEOUT_MS);
    const part = join(this.#options.downloadFolder, `.${randomUUID()}.part`);
    try {
      await mkdir(this.#options.downloadFolder, { recursive: true, mode: 0o700 });
      await download.saveAs(part);
      await chmod(part, 0o600);
      const path = await this.#place(part, name);
      const { size } = await stat(path);
      this.files.push({ name: basename(path), path, bytes: size, fromUrl: download.url() });
    } catch {
      this.#options.onUnfinished(name);
    } finally {
      clearTimeout(timer);
      await rm(part, { force: true });
      await download.delete().catch(() => undefined);
    }
  }

  #reasonAgainst(name: string): string | null {
    if (!this.#options.downloadsAllowed) return `The page offered the file "${name}"; downloads are not allowed here.`;
    if (this.#taken >= this.#options.most) return `The page offered more than ${this.#options.most} files; "${name}" was not kept.`;
    return null;
  }

  /** Gives the file the first free form of its name. A link is made or refused in one step, so that two files never meet under one name. */
  async #place(part: string, name: string): Promise<string> {
    for (let count = 1; ; count += 1) {
      const path = join(this.#options.downloadFolder, numbered(name, count));
      try {
        await link(part, path);
        return path;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
    }
  }
}
