import { existsSync } from "node:fs";
import { loadEmbedder, loadModelSink } from "#adapters/llama/index.ts";
import { KnackError } from "#contract/errors.ts";
import type { Settings } from "#contract/settings/schema.ts";
import type { Embedder, LanguageModel, Log } from "#core/ports/index.ts";
import { type Redactor, through } from "#core/vault/index.ts";
import { catalogueEntry, chooseChat, chooseEmbedder, modelPath } from "#models/fetch.ts";

/** The two models, loaded at first use and kept. */
export interface Engines {
  chat(): Promise<LanguageModel>;
  /** Null where no embedding model is on this machine. */
  embedder(): Promise<Embedder | null>;
  chatState(): { id: string | null; state: "ready" | "loading" | "idle" | "missing" | "refused"; message: string; contextSize: number | null };
  embedderId(): string | null;
  /** Lets go of both; the next use loads what is chosen then. */
  unload(): Promise<void>;
}

export function makeEngines(options: {
  readonly cacheFolder: string;
  readonly settings: () => Settings;
  readonly chatModel: string | undefined;
  readonly log: Log;
  readonly redactor: Redactor;
}): Engines {
  let chat: Promise<LanguageModel> | null = null;
  let loaded: LanguageModel | null = null;
  let refused: string | null = null;
  let embedder: Promise<Embedder | null> | null = null;
  let embedderLoaded: Embedder | null = null;

  async function loadChat(): Promise<LanguageModel> {
    const entry =
      options.chatModel === undefined
        ? await chooseChat({ cacheFolder: options.cacheFolder, chosen: options.settings().chatModel })
        : catalogueEntry(options.chatModel);
    const file = modelPath(entry, options.cacheFolder);
    if (!existsSync(file))
      throw new KnackError("model.missing", `The chat model ${entry.id} is not on this machine. Get it with: knack models get ${entry.id}`);
    const started = Date.now();
    const closed = await loadModelSink({ file, id: entry.id, hash: entry.sha256, bytes: entry.bytes, contextSize: entry.contextTokens } as Parameters<
      typeof loadModelSink
    >[0]);
    const model = through(closed, options.redactor);
    options.log.info("model-loaded", { model: entry.id, contextSize: model.contextSize, ms: Date.now() - started });
    return model;
  }

  async function loadEmbedding(): Promise<Embedder | null> {
    const entry = await chooseEmbedder({ cacheFolder: options.cacheFolder, chosen: options.settings().embeddingModel });
    const file = modelPath(entry, options.cacheFolder);
    if (!existsSync(file)) return null;
    return await loadEmbedder({
      file,
      id: entry.id,
      hash: entry.sha256,
      bytes: entry.bytes,
      dimension: entry.dimension ?? 0,
      ...(entry.prefixes ? { prefixes: entry.prefixes } : {}),
    } as Parameters<typeof loadEmbedder>[0]);
  }

  return {
    chat() {
      chat ??= loadChat().then(
        (model) => {
          refused = null;
          loaded = model;
          return model;
        },
        (error: unknown) => {
          chat = null;
          refused = error instanceof Error ? error.message : String(error);
          throw error;
        },
      );
      return chat;
    },
    embedder() {
      embedder ??= loadEmbedding().then(
        (model) => {
          embedderLoaded = model;
          if (!model) embedder = null;
          return model;
        },
        (error: unknown) => {
          embedder = null;
          throw error;
        },
      );
      return embedder;
    },
    chatState() {
      if (loaded) return { id: loaded.id, state: "ready", message: `${loaded.id} is loaded`, contextSize: loaded.contextSize };
      if (chat) return { id: null, state: "loading", message: "The model is being loaded", contextSize: null };
      if (refused !== null) return { id: null, state: refused.includes("not on this machine") ? "missing" : "refused", message: refused, contextSize: null };
      return { id: null, state: "idle", message: "The model is loaded with the first message", contextSize: null };
    },
    embedderId: () => embedderLoaded?.id ?? null,
    async unload() {
      const [model, vectors] = [chat, embedder];
      chat = null;
      embedder = null;
      loaded = null;
      embedderLoaded = null;
      await Promise.allSettled([model?.then((it) => it.dispose()), vectors?.then((it) => it?.dispose())]);
    },
  };
}
