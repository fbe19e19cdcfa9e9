import { access, lstat, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { longestBlock } from "#contract/blocks/schema.ts";
import { KnackError } from "#contract/errors.ts";
import type { BlockFile } from "#core/ports/block-file.ts";
import { asSink, type Sink } from "#core/ports/sink.ts";
import { makeFolder } from "./make-folder.ts";
import { mostBytes, readTextFile } from "./read-text-file.ts";
import { writeTextFile } from "./write-text-file.ts";

/** `<folder>/<name>.md`, for this user alone. The folder is made when something is first written. */
export function openBlockFile(folder: string, name: string): BlockFile {
  const path = join(folder, `${name}.md`);
  return {
    path,
    read: () => read(path),
    async write(text) {
      try {
        makeFolder(folder);
        await putAsideUnreadable(path);
        await writeTextFile(path, path, text, new AbortController().signal, 0o600);
      } catch (error) {
        throw unwritable(path, error);
      }
    },
    async remove() {
      try {
        await putAsideUnreadable(path);
        await rm(path, { force: true });
      } catch (error) {
        throw unwritable(path, error);
      }
    },
  };
}

/** `openBlockFile`, closed: what is written is redacted on the way. */
export function openBlockFileSink(folder: string, name: string): Sink<BlockFile> {
  return asSink(openBlockFile(folder, name));
}

async function read(path: string): Promise<string | null> {
  let text: string;
  try {
    text = await readTextFile(path, path, AbortSignal.timeout(10_000));
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return null;
    throw unreadable(path, sayings[code] ?? `could not be read (${error instanceof Error ? error.message : String(error)})`, error);
  }
  if (text.length > longestBlock) throw unreadable(path, `has ${text.length} characters, and at most ${longestBlock} stand in the prompt; shorten it`);
  return text;
}

const sayings: Readonly<Record<string, string>> = {
  "workspace.binary": "is not text (UTF-8); save it as plain text",
  "workspace.too-large": `has more than ${mostBytes} bytes, and at most ${longestBlock} characters stand in the prompt; shorten it`,
  "workspace.not-file": "is a folder or a device, not a file; put a text file in its place",
  ELOOP: "is a link, and links are not followed; put the file itself in its place",
  EACCES: "may not be read; give yourself the right to read it",
  EPERM: "may not be read; give yourself the right to read it",
};

function unreadable(path: string, what: string, cause?: unknown): KnackError {
  const name = basename(path, ".md");
  return new KnackError("block.unreadable", `${path} ${what}. Or take it away: knack blocks reset ${name}`, {
    fields: { file: path },
    ...(cause === undefined ? {} : { cause }),
  });
}

function unwritable(path: string, error: unknown): KnackError {
  const why = { ENOSPC: "the disk is full", EDQUOT: "the disk quota is used up", EROFS: "the disk cannot be written" }[codeOf(error)];
  return new KnackError(
    "block.unwritable",
    `${path} was not changed (${why ?? (error instanceof Error ? error.message : String(error))}). Make it and its folder writable for you, and try again.`,
    { fields: { file: path }, cause: error },
  );
}

/** What nobody could read here may still be somebody's: it is kept beside, under a name that is free. */
async function putAsideUnreadable(path: string): Promise<void> {
  const there = await lstat(path).catch(nullIfMissing);
  if (there === null) return;
  if (there.isFile() && (await read(path).then(Boolean, () => false))) return;
  if (there.isFile() && there.size === 0) return;
  for (let count = 1; ; count++) {
    const aside = join(dirname(path), `${basename(path, ".md")}.unread-${count}.md`);
    if (
      await access(aside).then(
        () => true,
        () => false,
      )
    )
      continue;
    await rename(path, aside);
    return;
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

function codeOf(error: unknown): string {
  if (error instanceof KnackError) return error.code;
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
