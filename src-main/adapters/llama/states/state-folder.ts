import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { KnackError } from "#contract/errors.ts";
import type { Log } from "#core/ports/index.ts";
import { closeStateFile, isStateWhole, readStateHeader, type StateHeader } from "./state-file.ts";
import { hashOf, isSameKey, type StateKey } from "./state-key.ts";

/** Whose state it is: a conversation's, one of each; or what every conversation begins with, one for each beginning. */
export type StateOwner = { readonly conversation: string } | { readonly prefix: readonly number[] };

/** Saved states of one store, within a folder that all stores of this user share and that is bounded as a whole. Nothing here throws but `remove`. */
export interface StateFolder {
  /** What is kept for this owner and key; null where nothing is. Reads no more than the end of a file. */
  look(owner: StateOwner, key: StateKey): StateHeader | null;
  /** The note that was saved with a conversation, under whatever key; null where there is none. */
  note(conversation: string): string | null;
  /**
   * Hands over the file, once every byte of it was found to be what was saved. False, and `read` is not called, where there is none or it is damaged; false
   * as well where `read` failed. In both cases the file is gone. A process that dies in `read` leaves a mark, and the next one removes the file unread.
   */
  load(owner: StateOwner, key: StateKey, read: (file: string) => Promise<void>): Promise<boolean>;
  /**
   * Has `write` write the engine's part to a new file and resolves when it has; hash, header and the move into place follow by themselves. Where anything goes
   * wrong, and where there is no room, nothing is kept and the log says so. `write` returns the bytes it wrote.
   */
  save(owner: StateOwner, content: Pick<StateHeader, "key" | "tokens" | "note">, write: (file: string) => Promise<number>): Promise<void>;
  /**
   * Removes what is kept of a conversation, or everything of this store with null. What is being saved of it is not kept either. Returns how many files went.
   * Throws "state.not-removed" where some stayed: whoever had something erased has to know.
   */
  remove(conversation: string | null): number;
  /** Removes what is over the limit, those that were not used for longest first. */
  bound(): void;
  /** Files and bytes of all stores. */
  usage(): { readonly files: number; readonly bytes: number };
  /** Resolves when everything that was begun is in place. */
  idle(): Promise<void>;
}

export interface StateFolderOptions {
  /** Shared by all stores of this user. */
  readonly root: string;
  /** The store the conversations are of. */
  readonly store: string;
  /** Bytes of all states together; 0 keeps none. Asked anew each time. */
  readonly limitBytes: () => number;
  readonly isAlive: (pid: number) => boolean;
  readonly log: Log;
  /** Free bytes of the disk; asked of the file system by default. */
  readonly freeBytes?: (folder: string) => number;
  readonly clock?: () => number;
}

/** A cache is not what fills a disk: so many bytes stay free. */
const leftFreeBytes = 500_000_000;
/** A state is read in well under a second; a mark this old is of a process whose number another one has by now. */
const longestReadMs = 2 * 60_000;
const ending = ".state";
const fileName = /^(?:prefix|talk)-[0-9a-f]+(?:-[0-9a-f]+)?\.state$/u;
const markName = /^(.+\.state)\.reading\.(\d+)$/u;
const draftName = /\.writing\.(\d+)\.\d+$/u;

/** Opens it, and clears away what processes that died left behind. Never throws: without a folder nothing is kept. */
export function openStateFolder(options: StateFolderOptions): StateFolder {
  const { root, log, isAlive, limitBytes } = options;
  const clock = options.clock ?? Date.now;
  const folder = join(root, short(options.store));
  /** Saving that is under way, by file name. */
  const saving = new Map<string, Promise<void>>();
  /** Files this process is reading just now. */
  const reading = new Set<string>();
  /** Grows with every removal of a conversation ("" for all): what was begun before is not kept. */
  const removals = new Map<string, number>();
  let drafts = 0;
  clearAway();

  function nameOf(owner: StateOwner, key: StateKey): string {
    return "conversation" in owner
      ? `${talkName(owner.conversation)}-${hashOf(key).slice(0, 16)}${ending}`
      : `prefix-${hashOf(key, owner.prefix).slice(0, 32)}${ending}`;
  }

  function removalsOf(owner: StateOwner): string {
    return `${removals.get("") ?? 0} ${"conversation" in owner ? (removals.get(owner.conversation) ?? 0) : 0}`;
  }

  function placeOf(name: string): string {
    return short(`${options.store}\n${name}`);
  }

  function drop(name: string, code: string): void {
    rmSync(join(folder, name), { force: true });
    log.warn("state-removed", { state: name, code });
  }

  /** Why a file could not be removed; null where it is gone. */
  function failedAt(path: string): unknown {
    try {
      rmSync(path, { force: true });
      return null;
    } catch (error) {
      log.warn("state-not-removed", { state: basename(path), error });
      return error;
    }
  }

  /** Marks of processes that died while they read, and drafts they left. */
  function clearAway(): void {
    for (const name of namesIn(folder)) {
      const mark = markName.exec(name);
      const draft = draftName.exec(name);
      try {
        if (mark?.[1] !== undefined) endMark(mark[1], name, Number(mark[2]));
        else if (draft !== null && (Number(draft[1]) === process.pid || !isAlive(Number(draft[1])))) rmSync(join(folder, name), { force: true });
      } catch (error) {
        log.warn("state-folder", { state: name, error });
      }
    }
  }

  /** True where a process died over this file; it is gone then. */
  function endMark(name: string, mark: string, pid: number): boolean {
    const isOwn = pid === process.pid;
    const isOld = clock() - (statSync(join(folder, mark), { throwIfNoEntry: false })?.mtimeMs ?? 0) > longestReadMs;
    if (isOwn ? reading.has(name) : isAlive(pid) && !isOld) return false;
    drop(name, "state.crashed");
    rmSync(join(folder, mark), { force: true });
    return true;
  }

  function hasCrashed(name: string): boolean {
    return namesIn(folder)
      .map((mark) => ({ mark, found: markName.exec(mark) }))
      .filter(({ found }) => found?.[1] === name)
      .map(({ mark, found }) => endMark(name, mark, Number(found?.[2])))
      .some((crashed) => crashed);
  }

  function headerOf(name: string, key: StateKey | null): StateHeader | null {
    if (statSync(join(folder, name), { throwIfNoEntry: false }) === undefined) return null;
    const header = readStateHeader(join(folder, name));
    const isForeign = typeof header !== "string" && (header.place !== placeOf(name) || (key !== null && !isSameKey(header.key, key)));
    const code = typeof header === "string" ? header : isForeign ? "state.foreign" : null;
    if (code !== null) drop(name, code);
    return code !== null || typeof header === "string" ? null : header;
  }

  /** Those that were not used for longest go, until all fit; of every store. */
  function bound(): void {
    const all = filesIn(root).sort((a, b) => b.usedAt - a.usedAt);
    let bytes = 0;
    for (const file of all) {
      bytes += file.bytes;
      if (bytes <= limitBytes()) continue;
      failedAt(file.path);
      bytes -= file.bytes;
    }
  }

  /** Why nothing of this size can be kept; null where it can. */
  function whyNot(bytes: number): string | null {
    if (bytes > limitBytes()) return "state.too-large";
    const free = options.freeBytes?.(folder) ?? freeBytesOf(folder);
    return free - bytes < leftFreeBytes ? "state.disk-full" : null;
  }

  async function finish(name: string, owner: StateOwner, draft: string, header: Omit<StateHeader, "sha256">, asOf: string): Promise<void> {
    try {
      await closeStateFile(draft, header);
      if (removalsOf(owner) !== asOf) return;
      await rename(draft, join(folder, name));
      // A conversation has one state: what another model or an earlier build kept of it would only be in the way.
      if ("conversation" in owner) {
        for (const other of namesIn(folder))
          if (other !== name && other.startsWith(`${talkName(owner.conversation)}-`) && fileName.test(other)) rmSync(join(folder, other), { force: true });
        // Erased between the look and the move.
        if (removalsOf(owner) !== asOf) rmSync(join(folder, name), { force: true });
      }
      bound();
    } finally {
      rmSync(draft, { force: true });
    }
  }

  return {
    look(owner, key) {
      const name = nameOf(owner, key);
      try {
        return hasCrashed(name) ? null : headerOf(name, key);
      } catch (error) {
        log.warn("state-not-read", { state: name, error });
        return null;
      }
    },
    note(conversation) {
      try {
        const name = namesIn(folder).find((one) => one.startsWith(`${talkName(conversation)}-`) && fileName.test(one));
        const header = name === undefined ? null : headerOf(name, null);
        return header === null || header.note === "" ? null : header.note;
      } catch (error) {
        log.warn("state-not-read", { error });
        return null;
      }
    },
    async load(owner, key, read) {
      const name = nameOf(owner, key);
      await saving.get(name);
      const file = join(folder, name);
      const mark = `${file}.reading.${process.pid}`;
      try {
        if (hasCrashed(name)) return false;
        const header = headerOf(name, key);
        if (header === null) return false;
        if (!(await isStateWhole(file, header))) {
          drop(name, "state.altered");
          return false;
        }
        reading.add(name);
        writeFileSync(mark, "", { mode: 0o600 });
        try {
          await read(file);
        } catch (error) {
          drop(name, "state.refused");
          log.warn("state-not-read", { state: name, error });
          return false;
        } finally {
          rmSync(mark, { force: true });
          reading.delete(name);
        }
        const now = new Date(clock());
        utimesSync(file, now, now);
        return true;
      } catch (error) {
        log.warn("state-not-read", { state: name, error });
        return false;
      }
    },
    async save(owner, { key, tokens, note }, write) {
      const name = nameOf(owner, key);
      const asOf = removalsOf(owner);
      const draft = join(folder, `${name}.writing.${process.pid}.${(drafts += 1)}`);
      const fail = (code: string, error?: unknown): void => {
        rmSync(draft, { force: true });
        log.warn("state-not-saved", { state: name, code, ...(error === undefined ? {} : { error }) });
      };
      try {
        if (limitBytes() <= 0) return;
        makePrivate(root);
        makePrivate(folder);
        const full = whyNot(0);
        if (full !== null) return fail(full);
        // Made by us first, so that nobody else may read it while the engine fills it.
        writeFileSync(draft, "", { mode: 0o600, flag: "wx" });
        const bytes = await write(draft);
        const code = whyNot(bytes);
        if (code !== null) return fail(code);
        const before = saving.get(name) ?? Promise.resolve();
        const done = before
          .then(() => finish(name, owner, draft, { key, place: placeOf(name), tokens, note, bytes }, asOf))
          .catch((error: unknown) => fail("state.not-written", error))
          .finally(() => {
            if (saving.get(name) === done) saving.delete(name);
          });
        saving.set(name, done);
      } catch (error) {
        fail("state.not-written", error);
      }
    },
    remove(conversation) {
      removals.set(conversation ?? "", (removals.get(conversation ?? "") ?? 0) + 1);
      const gone = namesIn(folder).filter((name) =>
        conversation === null ? fileName.test(name) : name.startsWith(`${talkName(conversation)}-`) && fileName.test(name),
      );
      const problems = gone.flatMap((name) => failedAt(join(folder, name)) ?? []);
      if (problems.length > 0)
        throw new KnackError(
          "state.not-removed",
          `${problems.length} saved ${problems.length === 1 ? "state" : "states"} of prompts could not be removed from ${folder} (${messageOf(problems[0])}), so what was erased may still stand in there. Make the folder writable for you and try again, or remove it.`,
          { fields: { folder, files: problems.length }, cause: problems[0] },
        );
      return gone.length;
    },
    bound,
    usage() {
      const all = filesIn(root);
      return { files: all.length, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) };
    },
    async idle() {
      while (saving.size > 0) await Promise.all(saving.values());
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Names tell nothing of what they stand for. */
function talkName(conversation: string): string {
  return `talk-${short(conversation)}`;
}

function short(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 24);
}

function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.platform !== "win32" && (statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function filesIn(root: string): { readonly path: string; readonly bytes: number; readonly usedAt: number }[] {
  return namesIn(root)
    .flatMap((store) => namesIn(join(root, store)).map((name) => join(root, store, name)))
    .filter((path) => path.endsWith(ending))
    .flatMap((path) => {
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats === undefined ? [] : [{ path, bytes: stats.size, usedAt: stats.mtimeMs }];
    });
}

function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    const above = dirname(folder);
    return above === folder ? Number.POSITIVE_INFINITY : freeBytesOf(above);
  }
}
