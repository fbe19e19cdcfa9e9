export { catalogue, catalogueEntry } from "./catalogue.ts";
export { type ChoiceOptions, chooseChat, chooseEmbedder, fetchChat, fetchEmbedder } from "./choose-model.ts";
export { type FetchOptions, fetchModel } from "./fetch-model.ts";
export { type ListOptions, largestThatFits, listModels } from "./list-models.ts";
export { modelPath } from "./model-places.ts";
export { verifyModel } from "./verify-model.ts";
