import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadEmbedder, loadModelSink, openStateFolder } from "#adapters/llama/index.ts";
import { KnackError } from "#contract/errors.ts";
import type { CatalogueEntry, ModelUse } from "#contract/models/schema.ts";
import type { Settings } from "#contract/settings/schema.ts";
import type { Embedder, LanguageModel, Log, Sink } from "#core/ports/index.ts";
import { type Redactor, through } from "#core/vault/index.ts";
import { catalogueEntry, chooseChat, chooseEmbedder, largestThatFits, modelPath } from "#models/fetch.ts";
import { isAlive } from "#models/is-alive.ts";
import { countedModel } from "./counted-model.ts";

/** The two models, loaded at first use. The chat model leaves the memory when it was not used for a while, and comes back with its next use. */
export interface Engines {
  /** What is handed out goes on working after the model left the memory: its next call loads it again. */
  chat(): Promise<LanguageModel>;
  /** Null where no embedding model is on this machine. */
  embedder(): Promise<Embedder | null>;
  chatState(): ModelUse["chat"];
  /** Catalogue id of the chat model that is or would be used; null where one was lent. None is loaded for it. */
  chatId(): Promise<string | null>;
  use(): ModelUse;
  embedderId(): string | null;
  /** A turn of a conversation ended; `note` is kept with its state. */
  rest(conversationId: string, note: string): void;
  /** What was noted when the state of a conversation was saved; null where none is kept. */
  note(conversationId: string): string | null;
  /** Removes what is kept of a conversation, in memory and on disk, or of all with null. Rejects with "state.not-removed" where a file stayed. */
  forget(conversationId: string | null): Promise<void>;
  /** Holds saved states against the limit of the settings, and the time to the next unloading against theirs. */
  settingsChanged(): void;
  /** Lets go of both; the next use loads what is chosen then. */
  unload(): Promise<void>;
}

/** How large a model's context was wanted, and how large it is, in tokens. */
export interface LoadedContext {
  readonly model: string;
  readonly size: number;
  readonly asked: number;
}

export interface EnginesOptions {
  readonly dataFolder: string;
  readonly cacheFolder: string;
  readonly settings: () => Settings;
  readonly chatModel: string | undefined;
  readonly log: Log;
  /** What the model reads, and what is noted with its saved states, goes through it. */
  readonly redactor: Redactor;
  /** In place of the chat model of this machine; loaded and let go of like it. */
  readonly loadChat?: (() => Promise<Sink<LanguageModel>>) | undefined;
  /** Whether something that will want the model again is under way: a turn that waits for a page, a pass. It is not unloaded then. */
  readonly isAtWork: () => boolean;
  /** Told how large the context of a model came out that was loaded. */
  readonly onContext?: (context: LoadedContext) => void;
  /** Milliseconds of a minute of the settings; a test makes them shorter. */
  readonly minuteMs?: number;
}

export function makeEngines(options: EnginesOptions): Engines {
  const { log, settings, redactor } = options;
  const minuteMs = options.minuteMs ?? 60_000;
  let chat: Promise<LanguageModel> | null = null;
  let loaded: LanguageModel | null = null;
  let refused: string | null = null;
  let embedder: Promise<Embedder | null> | null = null;
  let embedderLoaded: Embedder | null = null;
  let idle: NodeJS.Timeout | undefined;
  let unloadsAt: number | null = null;
  let calls = 0;
  /** Models that are being let go of: each saves what it holds before it is gone. */
  const leaving = new Set<Promise<unknown>>();
  const limitBytes = (): number => settings().stateMegabytes * 1_000_000;
  const states = openStateFolder({ root: join(options.cacheFolder, "states"), store: options.dataFolder, limitBytes, isAlive, log });

  async function chosenChat(): Promise<CatalogueEntry> {
    return options.chatModel === undefined
      ? chooseChat({ cacheFolder: options.cacheFolder, chosen: options.settings().chatModel })
      : catalogueEntry(options.chatModel);
  }

  async function loadChat(): Promise<LanguageModel> {
    if (options.loadChat) return through(await options.loadChat(), redactor);
    const entry = await chosenChat();
    const file = modelPath(entry, options.cacheFolder);
    if (!existsSync(file))
      throw new KnackError("model.missing", `The chat model ${entry.id} is not on this machine. Get it with: knack models get ${entry.id}`);
    const started = Date.now();
    const loading = loadModelSink({ file, id: entry.id, hash: entry.sha256, bytes: entry.bytes, contextSize: entry.contextTokens, states, log });
    const closed = await loading.catch((error: unknown) => {
      throw withWayOn(error, entry);
    });
    const model = through(closed, redactor);
    options.onContext?.({ model: entry.id, size: model.contextSize, asked: entry.contextTokens });
    log.info("model-loaded", { model: entry.id, contextSize: model.contextSize, ms: Date.now() - started });
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

  /** The model itself, loaded where it is not. */
  function engine(): Promise<LanguageModel> {
    const known = chat;
    if (known !== null) return known;
    const loading: Promise<LanguageModel> = loadChat().then(
      async (model) => {
        // Let go of while it was loading.
        if (chat !== loading) return model;
        refused = null;
        loaded = model;
        waitForRest();
        return model;
      },
      (error: unknown) => {
        if (chat === loading) chat = null;
        refused = error instanceof Error ? error.message : String(error);
        throw error;
      },
    );
    chat = loading;
    return loading;
  }

  /** One call of the model: while there is one, it stays. */
  async function inUse<T>(work: (model: LanguageModel) => Promise<T>): Promise<T> {
    calls += 1;
    clearTimeout(idle);
    unloadsAt = null;
    try {
      return await work(await engine());
    } finally {
      calls -= 1;
      waitForRest();
    }
  }

  function waitForRest(): void {
    clearTimeout(idle);
    unloadsAt = null;
    const { idleUnloadMinutes } = settings();
    if (idleUnloadMinutes === null || calls > 0 || loaded === null) return;
    const wait = idleUnloadMinutes * minuteMs;
    unloadsAt = Date.now() + wait;
    idle = setTimeout(() => {
      // What is at work without using the model will use it again.
      if (calls > 0 || options.isAtWork()) return waitForRest();
      const id = loaded?.id;
      void unloadChat().then(
        () => log.info("model-unloaded", { model: id }),
        (error: unknown) => log.warn("model-unload", { model: id, error }),
      );
    }, wait).unref();
  }

  async function unloadChat(): Promise<void> {
    const model = chat;
    clearTimeout(idle);
    unloadsAt = null;
    chat = null;
    loaded = null;
    const leave = model?.then((it) => it.dispose());
    if (leave === undefined) return;
    leaving.add(leave);
    try {
      await leave;
    } finally {
      leaving.delete(leave);
    }
  }

  function chatState(): ModelUse["chat"] {
    if (loaded) return { id: loaded.id, state: "ready", message: `${loaded.id} is loaded`, contextSize: loaded.contextSize };
    if (chat) return { id: null, state: "loading", message: "The model is being loaded", contextSize: null };
    if (refused !== null) return { id: null, state: refused.includes("not on this machine") ? "missing" : "refused", message: refused, contextSize: null };
    return { id: null, state: "idle", message: "The model is loaded with the first message", contextSize: null };
  }

  return {
    async chat() {
      const model = await engine();
      waitForRest();
      return countedModel(model, inUse);
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
    chatState,
    chatId: async () => (options.loadChat ? null : (await chosenChat()).id),
    use() {
      const memory = loaded?.keeper?.memory() ?? { model: 0, context: 0 };
      return {
        chat: chatState(),
        memory: { process: process.memoryUsage.rss(), ...memory },
        unloadsAt,
        states: { ...states.usage(), limitBytes: limitBytes() },
      };
    },
    embedderId: () => embedderLoaded?.id ?? null,
    rest(conversationId, note) {
      loaded?.keeper?.rest(conversationId, note);
    },
    note: (conversationId) => states.note(conversationId),
    async forget(conversationId) {
      try {
        states.remove(conversationId);
      } finally {
        // One that is being closed lets go of nothing any more, and may save what it held.
        await loaded?.keeper?.forget(conversationId).catch(() => undefined);
        await Promise.allSettled(leaving);
      }
      states.remove(conversationId);
    },
    settingsChanged() {
      states.bound();
      waitForRest();
    },
    async unload() {
      const vectors = embedder;
      embedder = null;
      embedderLoaded = null;
      await Promise.allSettled([unloadChat(), vectors?.then((it) => it?.dispose())]);
      await states.idle();
    },
  };
}

/** Names the largest model of the catalogue that would fit where there was too little memory. */
function withWayOn(error: unknown, { id }: CatalogueEntry): unknown {
  if (!(error instanceof KnackError) || error.code !== "model.memory" || typeof error.fields.free !== "number") return error;
  const smaller = largestThatFits(error.fields.free, id);
  const way = smaller === undefined ? "No smaller one would fit either." : `This one would fit: knack models use ${smaller.id}`;
  return new KnackError(error.code, `${error.message} ${way}`, { fields: { ...error.fields, smaller: smaller?.id ?? null }, cause: error });
}
