import type { LlamaModel, Token } from "node-llama-cpp";
import type { PromptMessage } from "#core/ports/index.ts";

export type ChatFormatName = "chatml" | "chatml-empty-think";

/** How a conversation becomes tokens. Special tokens come from here only; the text of a message can never hold one. */
export interface ChatFormat {
  readonly name: ChatFormatName;
  /** Tokens before the first message. */
  readonly start: readonly Token[];
  head(role: PromptMessage["role"]): readonly Token[];
  readonly tail: readonly Token[];
  text(text: string): Token[];
}

/** The format asked for, else ChatML, with an empty thought where the model's own template can switch thinking off. */
export function makeChatFormat(model: LlamaModel, asked?: ChatFormatName): ChatFormat {
  const name = asked ?? (thinksByDefault(model) ? "chatml-empty-think" : "chatml");
  const thought = name === "chatml-empty-think" ? model.tokenize("<think>\n\n</think>\n\n", true) : [];
  const opening = model.tokenize("<|im_start|>", true);
  const heads = {
    system: [...opening, ...model.tokenize("system\n", false)],
    user: [...opening, ...model.tokenize("user\n", false)],
    // History keeps the empty thought as well: what was evaluated must come back as the same tokens.
    assistant: [...opening, ...model.tokenize("assistant\n", false), ...thought],
  };
  const { bos, shouldPrependBosToken } = model.tokens;
  return {
    name,
    start: shouldPrependBosToken && bos !== null ? [bos] : [],
    head: (role) => heads[role],
    tail: [...model.tokenize("<|im_end|>", true), ...model.tokenize("\n", false)],
    text: (text) => inertTokens(model, text),
  };
}

function thinksByDefault(model: LlamaModel): boolean {
  return model.fileInfo.metadata?.tokenizer?.chat_template?.includes("enable_thinking") ?? false;
}

/** Plain-text tokens. A vocabulary that marks a template token as ordinary text would match it even so: then the marker is cut in two. */
function inertTokens(model: LlamaModel, text: string): Token[] {
  const tokens = model.tokenize(text, false);
  if (!tokens.some((token) => model.isEogToken(token) || model.isSpecialToken(token))) return tokens;
  return text.split(/(?<=<)(?=[|/a-z])/u).flatMap((piece) => model.tokenize(piece, false));
}
