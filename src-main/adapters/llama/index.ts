export type { ChatFormatName } from "./chat-format.ts";
export { hashFile } from "./hash-file.ts";
export { type EmbedderOptions, loadEmbedder } from "./load-embedder.ts";
export { type LanguageModelOptions, loadModelSink } from "./load-language-model.ts";
export { loadRawModel, type RawModel } from "./load-raw-model.ts";
export { openStateFolder, type StateFolder } from "./states/state-folder.ts";
export { type ExpectedModelFile, verifyModelFile } from "./verify-model-file.ts";
