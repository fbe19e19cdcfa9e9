import type { LanguageModel } from "#core/ports/index.ts";

/** A model whose calls are told of, and each of which goes to the model that is loaded then: this one may have left the memory meanwhile. */
export function countedModel(model: LanguageModel, inUse: <T>(work: (model: LanguageModel) => Promise<T>) => Promise<T>): LanguageModel {
  const { id, hash, contextSize, keeper } = model;
  return {
    id,
    hash,
    contextSize,
    generate: (request, signal) => inUse((one) => one.generate(request, signal)),
    likelihood: (messages, answers, signal) => inUse((one) => one.likelihood(messages, answers, signal)),
    countTokens: (text) => model.countTokens(text),
    dispose: () => model.dispose(),
    ...(keeper === undefined
      ? {}
      : {
          keeper: {
            ...keeper,
            warm: (messages, keep, signal) => inUse(async (one) => (await one.keeper?.warm(messages, keep, signal)) ?? { evaluated: 0, reused: 0 }),
          },
        }),
  };
}
