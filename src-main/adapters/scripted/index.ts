export { type ScriptedEmbedder, scriptedEmbedder, type TextToVector, wordVector } from "./scripted-embedder.ts";
export { type Answer, type ScriptedModel, scriptedModel } from "./scripted-model.ts";
