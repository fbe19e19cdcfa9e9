import { stat } from "node:fs/promises";
import { KnackError } from "#contract/errors.ts";
import { hashFile } from "./hash-file.ts";

export interface ExpectedModelFile {
  readonly file: string;
  /** Catalogue id, or what the user calls a model they brought. */
  readonly id: string;
  /** SHA-256, lower-case hex. */
  readonly hash: string;
  /** When known, a file that is too short is told apart from one that was altered. */
  readonly bytes?: number;
}

/**
 * Resolves when the file holds exactly the expected bytes; hashes every time, because a stamp cannot see a flipped byte.
 * Rejects with KnackError "model.missing", "model.cut-short", "model.altered" or "model.unreadable".
 */
export async function verifyModelFile(expected: ExpectedModelFile, signal?: AbortSignal, onBytes?: (bytes: number) => void): Promise<void> {
  const { file, id, hash, bytes } = expected;
  const wayOn = `knack models get ${id}`;
  const size = await sizeOf(expected);
  if (bytes !== undefined && size < bytes) {
    throw new KnackError("model.cut-short", `The model ${id} is cut short: ${file} has ${size} of ${bytes} bytes. Get it again with: ${wayOn}`, {
      fields: { model: id, file, expectedBytes: bytes, foundBytes: size },
    });
  }
  let found: string;
  try {
    found = await hashFile(file, signal, onBytes);
  } catch (error) {
    signal?.throwIfAborted();
    throw unreadable(expected, error);
  }
  if (found === hash) return;
  throw new KnackError(
    "model.altered",
    `The model ${id} was altered: ${file} should have SHA-256 ${hash} but has ${found}. It was not loaded. Get it again with: ${wayOn}`,
    {
      fields: { model: id, file, expected: hash, found },
    },
  );
}

async function sizeOf(expected: ExpectedModelFile): Promise<number> {
  try {
    const stats = await stat(expected.file);
    if (stats.isFile()) return stats.size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw unreadable(expected, error);
    throw new KnackError("model.missing", `The model ${expected.id} is missing: there is no ${expected.file}. Get it with: knack models get ${expected.id}`, {
      fields: { model: expected.id, file: expected.file },
      cause: error,
    });
  }
  throw unreadable(expected, new Error("not a file"));
}

function unreadable({ file, id }: ExpectedModelFile, cause: unknown): KnackError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new KnackError("model.unreadable", `The model ${id} cannot be read: ${reason}. Check who may read ${file}.`, { fields: { model: id, file }, cause });
}
