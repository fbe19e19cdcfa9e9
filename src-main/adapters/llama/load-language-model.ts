import { type Llama, type LlamaContext, type LlamaGrammar, LlamaGrammarEvaluationState, type LlamaModel, type Token } from "node-llama-cpp";
import { badInput, KnackError } from "#contract/errors.ts";
import {
  asSink,
  type Choice,
  type GenerateRequest,
  type Generation,
  type Keep,
  type LanguageModel,
  type Log,
  type PromptMessage,
  type Sink,
  silentLog,
} from "#core/ports/index.ts";
import { type ChatFormat, type ChatFormatName, makeChatFormat } from "./chat-format.ts";
import { childOf, choiceTree, forcedRun } from "./choice-tree.ts";
import { makeKeptPrompt } from "./kept-prompt.ts";
import { lastEngineLines, llamaInstance, threadsFor, throttleFor } from "./llama-instance.ts";
import { loadError, loadModelFile } from "./load-model-file.ts";
import { contextThatFits } from "./memory-need.ts";
import { makeReplyTokens, type ReplyTokens } from "./reply-tokens.ts";
import { contextFull, makeSeat, promptPiece, type Seat } from "./seat.ts";
import { libraryVersion } from "./states/library-version.ts";
import type { StateFolder } from "./states/state-folder.ts";
import type { StateKey } from "./states/state-key.ts";
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
  /** Where states of prompts are saved; absent keeps them in memory only. */
  readonly states?: StateFolder;
  readonly log?: Log;
  /** Milliseconds of rest after a turn before its state is saved; default 10 seconds. */
  readonly saveAfterMs?: number;
  /** Told of every prompt once it was evaluated, with how many of its tokens had to be, and of what is held when it was answered: for measuring. */
  readonly observe?: { prompt(tokens: readonly number[], evaluated: number): void; held(tokens: readonly number[]): void };
  /** Bytes that may be taken; default: what is free. */
  readonly freeMemory?: () => number;
}

const smallestContext = 1024;
const keptGrammars = 16;
/**
 * Tokens of the second context, for questions beside a conversation (does a condition hold, what does this page say): its prompt stays where it is meanwhile,
 * at 80 MB for the 1.5B model, where a second sequence of full length in the same context takes 235. Small batches keep its working memory small.
 */
const besideContext = { size: 2048, batch: 128 } as const;
const saveAfterMs = 10_000;
/** Sampling is repeatable: the same prompt at the same temperature gives the same text. */
const seed = 20_240_229;

/**
 * Loads a chat model: one context, one sequence, whose state is reused as far as the next prompt begins with the same tokens. Prompts of conversations have it
 * to themselves as soon as there is one; what is asked beside them goes to a second, small context.
 * Rejects with verifyModelFile's errors, "model.memory" or "model.load-failed".
 */
export async function loadLanguageModel(options: LanguageModelOptions): Promise<LanguageModel> {
  const llama = await llamaInstance(options.gpu ?? true);
  // What does not fit is refused before it is begun: the engine would bring the whole process down.
  const affordable = await contextThatFits(llama, smallestContext, options);
  const model = await loadModelFile(llama, options);
  try {
    const min = Math.min(smallestContext, options.contextSize);
    const threads = threadsFor(llama, options.threads);
    const throttle = throttleFor(llama, threads);
    const context = await throttle.uncapped(() => model.createContext({ contextSize: { min, max: affordable }, threads }));
    const contextSize = Math.min(context.contextSize, context.getAllocatedContextSize());
    const seat = makeSeat(options.id, model, context.getSequence(), contextSize, throttle);
    const key = await stateKey(llama, options, context, contextSize);
    return makeLanguageModel(options, model, { context, seat, key, threads }, makeChatFormat(model, options.format), throttle);
  } catch (error) {
    await model.dispose();
    throw loadError(options.id, error);
  }
}

/** `loadLanguageModel`, closed: what the model reads is redacted on the way, and so is what is noted with its saved states. */
export async function loadModelSink(options: LanguageModelOptions): Promise<Sink<LanguageModel>> {
  return asSink(await loadLanguageModel(options));
}

interface Made {
  readonly context: LlamaContext;
  readonly seat: Seat;
  readonly key: StateKey;
  readonly threads: number;
}

function makeLanguageModel(options: LanguageModelOptions, model: LlamaModel, made: Made, format: ChatFormat, throttle: ThreadThrottle): LanguageModel {
  const { id, hash, states, observe } = options;
  const { seat: main } = made;
  const log = options.log ?? silentLog;
  const queue = makeTurnQueue();
  const closing = new AbortController();
  let replies = makeReplyTokens();
  const grammars = new Map<string, Promise<LlamaGrammar>>();
  const kept = makeKeptPrompt(main, states ?? noStates, made.key, log);
  let besideMade: { readonly context: LlamaContext; readonly seat: Seat } | null = null;
  let saving: NodeJS.Timeout | undefined;

  function exclusive<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const either = AbortSignal.any([signal, closing.signal]);
    return queue.run(either, () => work(either));
  }

  /** The second context, made when it is first needed; null where there is no memory for it. */
  async function beside(): Promise<Seat | null> {
    if (besideMade !== null) return besideMade.seat;
    const contextSize = Math.min(besideContext.size, main.contextSize);
    const { threads } = made;
    try {
      const context = await throttle.uncapped(() => model.createContext({ contextSize, batchSize: besideContext.batch, threads }));
      besideMade = { context, seat: makeSeat(id, model, context.getSequence(), Math.min(context.contextSize, context.getAllocatedContextSize()), throttle) };
      return besideMade.seat;
    } catch (error) {
      log.warn("no-second-context", { model: id, error });
      return null;
    }
  }

  /** Where a prompt is evaluated. What is asked beside the conversations takes their seat only where it fits nowhere else; what is there is saved first. */
  async function seatFor(messages: readonly PromptMessage[], keep: Keep | undefined, furtherTokens: number): Promise<Seat> {
    if (keep !== undefined) {
      const prefix = promptTokens(messages.slice(0, keep.prefix), format, replies, [], model);
      await kept.take(keep, prefix, (held) => withHead(messages, held));
      return main;
    }
    if (!kept.isKept()) return main;
    const other = await beside();
    if (other !== null && withHead(messages, other.sequence.contextTokens).length + furtherTokens <= other.room) return other;
    await kept.giveUp();
    return main;
  }

  function withHead(messages: readonly PromptMessage[], held: readonly Token[]): Token[] {
    return [...promptTokens(messages, format, replies, held, model), ...format.head("assistant")];
  }

  /** Brings a seat to where only `last` is left to evaluate. */
  async function prepare(
    messages: readonly PromptMessage[],
    keep: Keep | undefined,
    furtherTokens: number,
    signal: AbortSignal,
  ): Promise<{ seat: Seat; last: Token[]; evaluated: number; reused: number }> {
    const seat = await seatFor(messages, keep, furtherTokens);
    const prompt = withHead(messages, seat.sequence.contextTokens);
    if (prompt.length >= seat.room) throw contextFull(id, prompt.length, seat.contextSize);
    const reused = await seat.keepShared(prompt);
    let at = reused;
    if (keep !== undefined) at = await evaluatePrefix(messages, keep, prompt, at, signal);
    const end = at + Math.floor(Math.max(0, prompt.length - at - 1) / promptPiece) * promptPiece;
    await seat.evaluate(prompt.slice(at, end), signal);
    signal.throwIfAborted();
    observe?.prompt(prompt, prompt.length - reused);
    return { seat, last: prompt.slice(end), evaluated: prompt.length - reused, reused };
  }

  /** As far as every conversation begins alike, where that is still to be evaluated; the state is saved there. Returns how far the prompt is evaluated. */
  async function evaluatePrefix(messages: readonly PromptMessage[], keep: Keep, prompt: readonly Token[], from: number, signal: AbortSignal): Promise<number> {
    const length = promptTokens(messages.slice(0, keep.prefix), format, replies, [], model).length;
    if (from >= length || length >= prompt.length) return from;
    await main.evaluate(prompt.slice(from, length), signal);
    await kept.savePrefix(prompt.slice(0, length));
    return length;
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
    if (request.maxTokens < 1) throw badInput("maxTokens must be at least 1.", { maxTokens: request.maxTokens });
    const grammar = request.grammar === undefined ? undefined : await grammarFor(request.grammar);
    const { seat, last, evaluated, reused } = await prepare(request.messages, request.keep, request.maxTokens, signal);
    const { sequence, room } = seat;
    const stream = makeTextStream(model);
    const written: Token[] = [];
    let text = "";
    let stopped: Generation["stopped"] = "end";
    const emit = (piece: string) => {
      if (piece === "") return;
      text += piece;
      request.onText?.(piece);
    };
    let next = last;
    if (request.choices !== undefined) {
      const walked = await walk(seat, request.choices, last, signal);
      for (const token of walked.written) emit(stream.push(token));
      written.push(...walked.written);
      if (walked.choice.open !== true) {
        emit(stream.end());
        replies.remember(text, written);
        observe?.held(sequence.contextTokens);
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
    observe?.held(sequence.contextTokens);
    return { text, tokensEvaluated: evaluated, tokensReused: reused, tokensGenerated: written.length, stopped, durationMs: performance.now() - started };
  }

  /** Goes down the tree of choices; asks the model only where it parts. What is forced is evaluated together with the next question, or not at all. */
  async function walk(
    seat: Seat,
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
      const token = await seat.likeliestOf([...node.children.keys()], pending);
      written.push(token);
      pending = [token];
      node = childOf(node, token);
    }
  }

  async function likelihood(messages: readonly PromptMessage[], answers: readonly string[], signal: AbortSignal): Promise<number[]> {
    const firsts = answers.map((answer) => format.text(answer)[0]);
    if (firsts.includes(undefined) || new Set(firsts).size !== answers.length) {
      throw badInput(`The answers ${JSON.stringify(answers)} cannot be told apart by their first token.`, { answers });
    }
    const { seat, last } = await prepare(messages, undefined, 1, signal);
    const next = await seat.probabilitiesAfter(last);
    const weights = firsts.map((token) => (token === undefined ? 0 : (next.get(token) ?? 0)));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return weights.map((weight) => (total > 0 ? weight / total : 1 / weights.length));
  }

  /** Everything but what answers: the prompt so far, without the opening of the next message. */
  async function warm(messages: readonly PromptMessage[], keep: Keep, signal: AbortSignal): Promise<{ evaluated: number; reused: number }> {
    await seatFor(messages, keep, 0);
    const prompt = promptTokens(messages, format, replies, main.sequence.contextTokens, model);
    if (prompt.length >= main.room) throw contextFull(id, prompt.length, main.contextSize);
    // What is there beyond the prompt may be the beginning of what comes.
    const held = main.sequence.contextTokens;
    if (held.length >= prompt.length && prompt.every((token, index) => held[index] === token)) return { evaluated: 0, reused: prompt.length };
    const reused = await main.keepShared(prompt);
    const at = await evaluatePrefix(messages, keep, [...prompt, ...format.head("user")], reused, signal);
    await main.evaluate(prompt.slice(at), signal);
    observe?.prompt(prompt, prompt.length - reused);
    return { evaluated: prompt.length - reused, reused };
  }

  async function forget(conversation: string | null): Promise<void> {
    await kept.forget(conversation);
    // What was asked beside a conversation holds words of it.
    await besideMade?.seat.sequence.clearHistory();
    replies = makeReplyTokens();
  }

  return {
    id,
    hash,
    contextSize: main.contextSize,
    generate: (request, signal) => exclusive(signal, (either) => generate(request, either)),
    likelihood: (messages, answers, signal) => exclusive(signal, (either) => likelihood(messages, answers, either)),
    countTokens: (text) => format.text(text).length,
    keeper: {
      warm: (messages, keep, signal) => exclusive(signal, (either) => warm(messages, keep, either)),
      rest(conversation, note) {
        if (!kept.rest(conversation, note)) return;
        clearTimeout(saving);
        saving = setTimeout(() => void exclusive(closing.signal, kept.save).catch(() => undefined), options.saveAfterMs ?? saveAfterMs).unref();
      },
      forget: (conversation) => exclusive(closing.signal, () => forget(conversation)),
      memory: () => ({ model: model.size, context: made.context.memoryUsage.ram + made.context.memoryUsage.vram + (besideMade?.context.memoryUsage.ram ?? 0) }),
    },
    async dispose() {
      clearTimeout(saving);
      closing.abort(new KnackError("model.closed", `The model ${id} was closed.`, { fields: { model: id } }));
      await queue.idle();
      if (!model.disposed) await kept.save();
      await states?.idle();
      await model.dispose();
    },
  };
}

/** In place of a folder where nothing is to be saved. */
const noStates: Pick<StateFolder, "look" | "load" | "save"> = { look: () => null, load: async () => false, save: async () => undefined };

async function stateKey(llama: Llama, { hash }: LanguageModelOptions, context: LlamaContext, contextSize: number): Promise<StateKey> {
  const type = (of: unknown): string => (of === undefined ? "F16" : String(of));
  return {
    model: hash,
    library: await libraryVersion(),
    engine: `${llama.llamaCppRelease.repo}@${llama.llamaCppRelease.release} ${llama.buildType}`,
    machine: `${process.platform}-${process.arch} ${llama.gpu === false ? "cpu" : llama.gpu}`,
    contextSize,
    batchSize: context.batchSize,
    flashAttention: String(context.flashAttention),
    keyType: type(context.kvCacheKeyType),
    valueType: type(context.kvCacheValueType),
  };
}

/** Messages in tokens, without the opening of the next one. */
export function promptTokens(messages: readonly PromptMessage[], format: ChatFormat, replies: ReplyTokens, held: readonly Token[], model: LlamaModel): Token[] {
  const tokens: Token[] = [...format.start];
  for (const { role, text } of messages) {
    tokens.push(...format.head(role));
    const written = role === "assistant" ? (replies.recall(text, held, tokens.length) ?? writtenAt(text, held, tokens.length, format, model)) : undefined;
    tokens.push(...(written ?? format.text(text)), ...format.tail);
  }
  return tokens;
}

/** What stands here is this text, written by another process: then its tokens are taken, though the same text may be cut into others. */
function writtenAt(text: string, held: readonly Token[], offset: number, format: ChatFormat, model: LlamaModel): readonly Token[] | undefined {
  const end = held.indexOf(format.tail[0] as Token, offset);
  if (end <= offset) return undefined;
  const there = held.slice(offset, end);
  return model.detokenize(there) === text ? there : undefined;
}
