import { KnackError } from "#contract/errors.ts";
import { settingsSchema } from "#contract/settings/schema.ts";
import { silentLog } from "#core/ports/index.ts";
import { Redactor } from "#core/vault/index.ts";
import { makeEngines } from "../../engines.ts";
import { readRecallData } from "./data-sets.ts";
import { evalRecall, type RecallEvalOptions, type RecallReport } from "./run.ts";

export type { RecallDataReport, RecallReport, RecallSetting } from "./run.ts";

/** Reads the data, loads an embedding model of this machine and measures. Throws "model.missing" where there is none. */
export async function evalRecallOn(
  path: string | undefined,
  options: RecallEvalOptions & { readonly cacheFolder: string; readonly model?: string },
  signal: AbortSignal,
): Promise<RecallReport> {
  const sets = readRecallData(path);
  const settings = settingsSchema.parse(options.model === undefined ? {} : { embeddingModel: options.model });
  const engines = makeEngines({
    dataFolder: options.cacheFolder,
    isAtWork: () => true,
    cacheFolder: options.cacheFolder,
    settings: () => settings,
    chatModel: undefined,
    log: silentLog,
    redactor: new Redactor(Date.now),
  });
  const embedder = await engines.embedder();
  if (!embedder) throw new KnackError("model.missing", "No embedding model is on this machine. Get one with: knack models get all-minilm-l6-v2");
  try {
    return await evalRecall(sets, embedder, options, signal);
  } finally {
    await engines.unload();
  }
}
