import { createReadStream } from "node:fs";
import { badInput } from "#contract/errors.ts";
import { pathFrom } from "./place.ts";

/** No text that a person hands over is longer; a device never ends. */
const mostBytes = 8_000_000;

/**
 * The text of a file, or of a pipe, that a person names. Throws bad-input where there is none, where it is a folder, is not UTF-8 or has more than 8 MB. A
 * mark of its encoding ahead of it is left out.
 */
export async function givenText(path: string): Promise<string> {
  const file = pathFrom(path);
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > mostBytes) throw badInput(`${file} has more than ${mostBytes / 1_000_000} MB, and no text here is that long; name another file, or split it`);
      pieces.push(piece);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "bad-input") throw error;
    const why = code === "EISDIR" ? "it is a folder" : code === "EACCES" || code === "EPERM" ? "you may not read it" : (code ?? message);
    throw badInput(code === "ENOENT" ? `There is no file ${file}` : `${file} could not be read: ${why}`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(pieces));
  } catch {
    throw badInput(`${file} is no text in UTF-8; save it as such and try again`);
  }
}
