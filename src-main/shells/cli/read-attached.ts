import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Attached } from "#contract/chat/schema.ts";
import { badInput } from "#contract/errors.ts";
import { pathFrom } from "./place.ts";

/** A text file as it goes with a message. Throws bad-input for one that is not there, or is none of text. */
export async function readAttached(name: string): Promise<Attached> {
  const file = pathFrom(name);
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw badInput(error.code === "ENOENT" ? `There is no file ${file}` : `${file} could not be read (${error.code ?? error.message})`);
  });
  try {
    return { name: basename(file), text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    throw badInput(`"${basename(file)}" is no text file in UTF-8, so it cannot be read. Export it as text first.`);
  }
}
