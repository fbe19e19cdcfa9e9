import { formatCount } from "./count.ts";

/** "1,204 tokens"; they are a model's own, so there are none to tell of before one is loaded. */
export function formatTokens(tokens: number | null): string {
  return tokens === null ? "tokens are counted once a model is loaded" : formatCount(tokens, "token");
}
