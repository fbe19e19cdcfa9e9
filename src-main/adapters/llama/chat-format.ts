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

const reserved = new WeakMap<LlamaModel, Map<Token, boolean>>();

/**
 * Whether a token parts speakers, ends an answer or stands for a mark of the template. A tokeniser told to read no special tokens still matches those that
 * the vocabulary lists as the user's own ("<tool_call>"); runs of white space are listed there as well and are text.
 */
function isReserved(model: LlamaModel, token: Token): boolean {
  const known = reserved.get(model) ?? new Map<Token, boolean>();
  reserved.set(model, known);
  const before = known.get(token);
  if (before !== undefined) return before;
  const { control, unknown, userDefined } = model.getTokenAttributes(token);
  const isMark = userDefined && /^[<[|｜].*[>\]|｜]$/su.test(model.detokenize([token], true).trim());
  const is = control || unknown || isMark || model.isEogToken(token) || model.isSpecialToken(token);
  known.set(token, is);
  return is;
}

/** Plain-text tokens: a mark of the template that stands in a text is read as its letters. */
function inertTokens(model: LlamaModel, text: string): Token[] {
  const tokens = model.tokenize(text, false);
  const marks = [...new Set(tokens.filter((token) => isReserved(model, token)))].map((token) => model.detokenize([token], true));
  if (marks.length === 0) return tokens;
  const pieces = cutInside(text, marks);
  // What is no longer than a letter cannot be cut, and is left out.
  if (pieces.length < 2) return tokens.filter((token) => !isReserved(model, token));
  return pieces.flatMap((piece) => inertTokens(model, piece));
}

/** A text in pieces, cut behind the first letter of every one of these marks. */
function cutInside(text: string, marks: readonly string[]): string[] {
  const cuts = new Set<number>();
  for (const mark of marks.filter(({ length }) => length > 1))
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) cuts.add(at + 1);
  const ends = [...cuts].sort((one, other) => one - other);
  return [...ends, text.length].map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}
