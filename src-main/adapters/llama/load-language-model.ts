import {
  type ControlledEvaluateInputItem,
  type LlamaContextSequence,
  type LlamaGrammar,
  LlamaGrammarEvaluationState,
  type LlamaModel,
  type Token,
  TokenBias,
} from "node-llama-cpp";
import { badInput, KnackError } from "#contract/errors.ts";
import { asSink, type Choice, type GenerateRequest, type Generation, type LanguageModel, type PromptMessage, type Sink } from "#core/ports/index.ts";
import { type ChatFormat, type ChatFormatName, makeChatFormat } from "./chat-format.ts";
import { childOf, choiceTree, forcedRun } from "./choice-tree.ts";
import { lastEngineLines, llamaInstance, threadsFor, throttleFor } from "./llama-instance.ts";
import { loadError, loadModelFile } from "./load-model-file.ts";
import { makeReplyTokens, type ReplyTokens } from "./reply-tokens.ts";
import { makeTextStream } from "./text-stream.ts";
import type { ThreadThrottle } from "./thread-throttle.ts";
import { makeTurnQueue } from "./turn-queue.ts";
import type { ExpectedModelFile } from "./verify-model-file.ts";

export interface LanguageModelOptions extends ExpectedModelFile {
  /** Tokens wanted; the model's `contextSize` says what there really is. */
  readonly contextSize: number;
  /** Default: physical cores. */
  readonly threads?: number;
  /** Default: what the model's own template calls for. */
  readonly format?: ChatFormatName;
  /** False keeps a GPU out of it. Default true: used when there is one. */
  readonly gpu?: boolean;
}

/** Prompt tokens evaluated between two looks at the signal. */
const promptPiece = 64;
const smallestContext = 1024;
const keptGrammars = 16;
/** Added to the logits of the tokens that may come next; those of a model stay far below. */
const lift = 1000;
/** Sampling is repeatable: the same prompt at the same temperature gives the same text. */
const seed = 20_240_229;

/**
 * Loads a chat model: one context, one sequence, whose state is reused as far as the next prompt begins with the same tokens.
 * Rejects with verifyModelFile's errors, "model.memory" or "model.load-failed".
 */
export async function loadLanguageModel(options: LanguageModelOptions): Promise<LanguageModel> {
  const llama = await llamaInstance(options.gpu ?? true);
  const model = await loadModelFile(llama, options);
  try {
    const min = Math.min(smallestContext, options.contextSize);
    const threads = threadsFor(llama, options.threads);
    const throttle = throttleFor(llama, threads);
    const context = await throttle.uncapped(() => model.createContext({ contextSize: { min, max: options.contextSize }, threads }));
    const contextSize = Math.min(context.contextSize, context.getAllocatedContextSize());
    return makeLanguageModel(options, model, context.getSequence(), contextSize, makeChatFormat(model, options.format), throttle);
  } catch (error) {
    await model.dispose();
    throw loadError(options.id, error);
  }
}

/** `loadLanguageModel`, closed: what the model reads is redacted on the way. */
export async function loadModelSink(options: LanguageModelOptions): Promise<Sink<LanguageModel>> {
  return asSink(await loadLanguageModel(options));
}

function makeLanguageModel(
  { id, hash }: LanguageModelOptions,
  model: LlamaModel,
  sequence: LlamaContextSequence,
  contextSize: number,
  format: ChatFormat,
  throttle: ThreadThrottle,
): LanguageModel {
  const queue = makeTurnQueue();
  const closing = new AbortController();
  const replies = makeReplyTokens();
  const grammars = new Map<string, Promise<LlamaGrammar>>();
  // One cell stays free: the library would shift the context, and so forget its beginning, to make room.
  const room = contextSize - 1;

  function exclusive<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const either = AbortSignal.any([signal, closing.signal]);
    return queue.run(either, () => work(either));
  }

  /** Brings the sequence to where only `last` is left to evaluate. */
  async function prepare(messages: readonly PromptMessage[], signal: AbortSignal): Promise<{ last: Token[]; evaluated: number; reused: number }> {
    const held = sequence.contextTokens;
    const prompt = promptTokens(messages, format, replies, held);
    if (prompt.length >= room) throw contextFull(id, prompt.length, contextSize);
    // The last token is always evaluated: the next one is read off it.
    const reused = Math.min(sharedLength(held, prompt), prompt.length - 1);
    if (reused < held.length) await sequence.eraseContextTokenRanges([{ start: reused, end: held.length }]);
    let at = reused;
    while (prompt.length - at > promptPiece) {
      signal.throwIfAborted();
      await throttle.measure(() => sequence.evaluateWithoutGeneratingNewTokens(prompt.slice(at, at + promptPiece)));
      at += promptPiece;
    }
    signal.throwIfAborted();
    return { last: prompt.slice(at), evaluated: prompt.length - reused, reused };
  }

  async function grammarFor(text: string): Promise<LlamaGrammar> {
    const known = grammars.get(text);
    if (known !== undefined) return known;
    const making = model.llama.createGrammar({ grammar: text });
    grammars.set(text, making);
    if (grammars.size > keptGrammars) grammars.delete(grammars.keys().next().value ?? "");
    try {
      return await making;
    } catch (error) {
      grammars.delete(text);
      throw new KnackError("model.grammar", "The step grammar cannot be read by the engine.", {
        fields: { grammar: text, engine: lastEngineLines() },
        cause: error,
      });
    }
  }

  async function generate(request: GenerateRequest, signal: AbortSignal): Promise<Generation> {
    const started = performance.now();
    const grammar = request.grammar === undefined ? undefined : await grammarFor(request.grammar);
    const { last, evaluated, reused } = await prepare(request.messages, signal);
    const stream = makeTextStream(model);
    const written: Token[] = [];
    let text = "";
    let stopped: Generation["stopped"] = "end";
    const emit = (piece: string) => {
      if (piece === "") return;
      text += piece;
      request.onText?.(piece);
    };
    if (request.maxTokens < 1) throw badInput("maxTokens must be at least 1.", { maxTokens: request.maxTokens });
    let next = last;
    if (request.choices !== undefined) {
      const walked = await walk(request.choices, last, signal);
      for (const token of walked.written) emit(stream.push(token));
      written.push(...walked.written);
      if (walked.choice.open !== true) {
        emit(stream.end());
        replies.remember(text, written);
        return { text, tokensEvaluated: evaluated, tokensReused: reused, tokensGenerated: written.length, stopped, durationMs: performance.now() - started };
      }
      next = walked.pending;
    }
    const tokens = sequence.evaluate(next, {
      temperature: request.temperature ?? 0,
      seed,
      ...(grammar === undefined ? {} : { grammarEvaluationState: new LlamaGrammarEvaluationState({ model, grammar }) }),
    });
    try {
      for (;;) {
        const { value: token, done } = await throttle.measure(() => tokens.next());
        signal.throwIfAborted();
        if (done === true || model.isSpecialToken(token)) break;
        written.push(token);
        emit(stream.push(token));
        if (written.length < request.maxTokens && sequence.nextTokenIndex < room) continue;
        stopped = "length";
        break;
      }
    } finally {
      await tokens.return();
    }
    signal.throwIfAborted();
    emit(stream.end());
    replies.remember(text, written);
    return { text, tokensEvaluated: evaluated, tokensReused: reused, tokensGenerated: written.length, stopped, durationMs: performance.now() - started };
  }

  /** Goes down the tree of choices; asks the model only where it parts. What is forced is evaluated together with the next question, or not at all. */
  async function walk(
    choices: readonly Choice[],
    last: readonly Token[],
    signal: AbortSignal,
  ): Promise<{ written: Token[]; pending: Token[]; choice: Choice }> {
    let node = choiceTree(choices, (text) => format.text(text));
    let pending = [...last];
    const written: Token[] = [];
    for (;;) {
      const run = forcedRun(node);
      written.push(...run.tokens);
      pending.push(...run.tokens);
      node = run.node;
      if (node.children.size === 0) {
        if (node.choice === null) throw badInput("A generation needs at least one choice.");
        return { written, pending, choice: node.choice };
      }
      signal.throwIfAborted();
      const token = await likeliestOf([...node.children.keys()], pending);
      written.push(token);
      pending = [token];
      node = childOf(node, token);
    }
  }

  function requireRoom(tokens: readonly Token[]): void {
    if (sequence.nextTokenIndex + tokens.length > room) throw contextFull(id, sequence.nextTokenIndex + tokens.length, contextSize);
  }

  /**
   * Evaluates these tokens and says which of `ways` is likeliest to come next. All ways are lifted above every other token, by as much each, and the
   * first of all taken: 180 ms where reading the probabilities of the whole vocabulary takes 300 (8 tokens, 2 cores).
   */
  async function likeliestOf(ways: readonly Token[], tokens: readonly Token[]): Promise<Token> {
    requireRoom(tokens);
    const tokenBias = new TokenBias(model.tokenizer);
    for (const token of ways) tokenBias.set([token], { logit: lift });
    const next = sequence.evaluate([...tokens], { temperature: 0, tokenBias });
    try {
      const { value, done } = await throttle.measure(() => next.next());
      if (done === true) throw new KnackError("model.failed", `The model ${id} chose nothing.`, { fields: { model: id } });
      return value;
    } finally {
      await next.return();
    }
  }

  /** Evaluates these tokens and says how likely each token is to come next. */
  async function probabilitiesAfter(tokens: readonly Token[]): Promise<Map<Token, number>> {
    requireRoom(tokens);
    const [last, ...before] = [...tokens].reverse();
    if (last === undefined) throw badInput("Nothing to evaluate.");
    // Controlled evaluation takes its tokens one by one; only the last one needs it, the rest goes as a batch (240 tokens: 8.4 s one by one, see README).
    if (before.length > 0) await throttle.measure(() => sequence.evaluateWithoutGeneratingNewTokens(before.reverse()));
    const asked: ControlledEvaluateInputItem[] = [[last, { generateNext: { probabilities: true } }]];
    // Not measured: reading the probabilities of a whole vocabulary is half of it, and that on one thread.
    const outputs = await sequence.controlledEvaluate(asked);
    const next = outputs[0]?.next.probabilities;
    if (next === undefined) throw new KnackError("model.failed", `The model ${id} gave no probabilities.`, { fields: { model: id } });
    return next;
  }

  async function likelihood(messages: readonly PromptMessage[], answers: readonly string[], signal: AbortSignal): Promise<number[]> {
    const firsts = answers.map((answer) => format.text(answer)[0]);
    if (firsts.includes(undefined) || new Set(firsts).size !== answers.length) {
      throw badInput(`The answers ${JSON.stringify(answers)} cannot be told apart by their first token.`, { answers });
    }
    const { last } = await prepare(messages, signal);
    const next = await probabilitiesAfter(last);
    const weights = firsts.map((token) => (token === undefined ? 0 : (next.get(token) ?? 0)));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return weights.map((weight) => (total > 0 ? weight / total : 1 / weights.length));
  }

  return {
    id,
    hash,
    contextSize,
    generate: (request, signal) => exclusive(signal, (either) => generate(request, either)),
    likelihood: (messages, answers, signal) => exclusive(signal, (either) => likelihood(messages, answers, either)),
    countTokens: (text) => format.text(text).length,
    async dispose() {
      closing.abort(new KnackError("model.closed", `The model ${id} was closed.`, { fields: { model: id } }));
      await queue.idle();
      await model.dispose();
    },
  };
}

function promptTokens(messages: readonly PromptMessage[], format: ChatFormat, replies: ReplyTokens, held: readonly Token[]): Token[] {
  const tokens: Token[] = [...format.start];
  for (const { role, text } of messages) {
    tokens.push(...format.head(role));
    const written = role === "assistant" ? replies.recall(text, held, tokens.length) : undefined;
    tokens.push(...(written ?? format.text(text)), ...format.tail);
  }
  tokens.push(...format.head("assistant"));
  return tokens;
}

function sharedLength(a: readonly Token[], b: readonly Token[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

function contextFull(id: string, promptLength: number, contextSize: number): KnackError {
  return new KnackError(
    "model.context-full",
    `The conversation is too long for the model ${id}: ${promptLength} tokens, and its context holds ${contextSize}. Start a new conversation, or raise the context size in the settings.`,
    {
      fields: { model: id, promptTokens: promptLength, contextSize },
    },
  );
}
