import { totalmem } from "node:os";
import { foldersOf } from "#app/folders.ts";
import { KnackError } from "#contract/errors.ts";
import type { FetchEvent } from "#contract/models/schema.ts";
import { type ChoiceOptions, type FetchOptions, fetchChat, fetchEmbedder, listModels } from "../models/fetch.ts";
import { progress, say } from "./say.mjs";

/**
 * Sees to it that there is a chat model and an embedder; without a person to choose, the default ones. Says so in a line when one cannot be
 * had. What is there is only looked at: Knack checks the hash whenever it loads a model.
 */
export async function ensureModels(signal: AbortSignal): Promise<void> {
  const { cacheFolder } = foldersOf(process.env);
  const models = await listModels({ cacheFolder, memoryBytes: totalmem(), chosen: { chat: null, embedding: null } });
  const options = { cacheFolder, signal, chosen: null, onEvent };
  if (!models.some(({ role, state }) => role === "chat" && state === "present")) await fetchOne("chat model", fetchChat, options);
  if (!models.some(({ role, state }) => role === "embedding" && state === "present")) await fetchOne("embedding model", fetchEmbedder, options);
}

type Fetch = (options: ChoiceOptions & FetchOptions) => Promise<{ entry: { name: string; bytes: number }; path: string }>;

async function fetchOne(what: string, fetch: Fetch, options: ChoiceOptions & FetchOptions): Promise<void> {
  say(`Fetching the ${what} (once; it can be stopped, and goes on where it was) …`);
  try {
    const { entry } = await fetch(options);
    say(`The ${what} is there: ${entry.name}, ${megabytes(entry.bytes)}, verified.`);
  } catch (error) {
    if (!(error instanceof KnackError)) throw error;
    say(error.message);
  }
}

function onEvent(event: FetchEvent): void {
  const share = event.bytes > 0 ? ` (${Math.floor((100 * event.bytes) / event.of)} %)` : "";
  progress(`${event.model}, ${event.phase}: ${event.message}${share}`);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000).toLocaleString("en")} MB`;
}
