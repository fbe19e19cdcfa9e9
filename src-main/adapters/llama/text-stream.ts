import type { LlamaModel, Token } from "node-llama-cpp";

/** Tokens in, text out: holds back a character until all its bytes are there. */
export interface TextStream {
  /** The text this token completed; "" while a character is unfinished. */
  push(token: Token): string;
  /** What was held back, however broken. */
  end(): string;
}

/** A character of UTF-8 has at most four bytes, so at most four tokens. */
const longestCharacter = 4;
const contextTokens = 8;

export function makeTextStream(model: LlamaModel): TextStream {
  const before: Token[] = [];
  let waiting: Token[] = [];
  const take = (): string => {
    const text = model.detokenize(waiting, false, before);
    before.push(...waiting);
    before.splice(0, before.length - contextTokens);
    waiting = [];
    return text;
  };
  return {
    push(token) {
      waiting.push(token);
      const unfinished = model.detokenize(waiting, false, before).endsWith("�");
      return unfinished && waiting.length < longestCharacter ? "" : take();
    },
    end: () => (waiting.length === 0 ? "" : take()),
  };
}
