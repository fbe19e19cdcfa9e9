import type { Token } from "node-llama-cpp";

/**
 * What the model wrote, as the tokens it wrote it with. Tokenising the same text again may give other tokens,
 * and then everything after it would be evaluated again.
 */
export interface ReplyTokens {
  remember(text: string, tokens: readonly Token[]): void;
  /** Tokens for an assistant message with exactly this text; of several, those that stand at `offset` in `held`, else the latest. */
  recall(text: string, held: readonly Token[], offset: number): readonly Token[] | undefined;
}

/** Keeps the `limit` latest texts. */
export function makeReplyTokens(limit = 512): ReplyTokens {
  const byText = new Map<string, (readonly Token[])[]>();
  return {
    remember(text, tokens) {
      const known = byText.get(text) ?? [];
      byText.delete(text);
      byText.set(text, [...known.filter((other) => !standsAt(other, tokens, 0) || other.length !== tokens.length), tokens].slice(-4));
      if (byText.size > limit) byText.delete(byText.keys().next().value ?? "");
    },
    recall(text, held, offset) {
      const known = byText.get(text);
      return known?.find((tokens) => standsAt(tokens, held, offset)) ?? known?.at(-1);
    },
  };
}

function standsAt(tokens: readonly Token[], held: readonly Token[], offset: number): boolean {
  return tokens.every((token, index) => held[offset + index] === token);
}
