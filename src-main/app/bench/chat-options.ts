import { existsSync } from "node:fs";
import type { LanguageModelOptions } from "#adapters/llama/index.ts";
import { KnackError } from "#contract/errors.ts";
import { catalogueEntry, chooseChat, modelPath } from "#models/fetch.ts";

/** The chat model a bench runs with: the one named, else the one in use. Throws "model.missing" where it is not on this machine. */
export async function chatOptions(cacheFolder: string, id: string | undefined): Promise<LanguageModelOptions> {
  const entry = id === undefined ? await chooseChat({ cacheFolder, chosen: null }) : catalogueEntry(id);
  const file = modelPath(entry, cacheFolder);
  if (!existsSync(file)) throw new KnackError("model.missing", `The chat model ${entry.id} is not on this machine. Get it with: knack models get ${entry.id}`);
  return { file, id: entry.id, hash: entry.sha256, bytes: entry.bytes, contextSize: entry.contextTokens };
}

/** English of about so many tokens, told apart by its first words so that nothing of it was evaluated before. */
export function madeText(mark: string, tokens: number, count: (text: string) => number): string {
  const sentence = "Permits, bills, parcels and library books are seen to here, each at its own desk and in its own hours. ";
  const each = Math.max(1, count(sentence));
  return `${mark}: ${sentence.repeat(Math.max(1, Math.round((tokens - count(mark)) / each)))}`;
}
