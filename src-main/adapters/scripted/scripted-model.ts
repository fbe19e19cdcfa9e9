import type { Choice, GenerateRequest, Keep, LanguageModel, PromptKeeper, PromptMessage } from "#core/ports/index.ts";

/** What the model says next: a text, a text made from the request, or an error to fail with. */
export type Answer = string | Error | ((request: GenerateRequest) => string);

/** A model that says what its script says and keeps every request. */
export interface ScriptedModel extends LanguageModel {
  readonly requests: readonly GenerateRequest[];
  /** Questions put to `likelihood`, as the text of the last message. */
  readonly questions: readonly string[];
  /** Prompts that were evaluated ahead of their time. */
  readonly warmed: readonly { readonly messages: readonly PromptMessage[]; readonly keep: Keep }[];
  /** Turns that ended, and conversations that were let go of, in order. */
  readonly kept: readonly string[];
  readonly keeper: PromptKeeper;
  /** Adds answers to the end of the script. */
  say(...answers: readonly Answer[]): void;
  /** Answers not yet given. */
  readonly left: number;
}

/**
 * Follows a script, one answer a generation. An answer that the request's choices do not allow, and a request after the last answer, reject:
 * the script is wrong then, or the code asks more than it should.
 * @param judge probability of the first answer of a `likelihood` question; unknown (one half) by default
 */
export function scriptedModel(answers: readonly Answer[] = [], judge: (question: string) => number = () => 0.5): ScriptedModel {
  const script = [...answers];
  const requests: GenerateRequest[] = [];
  const questions: string[] = [];
  const warmed: { messages: readonly PromptMessage[]; keep: Keep }[] = [];
  const kept: string[] = [];
  let held = "";
  let isKept = false;
  return {
    id: "scripted",
    hash: "0".repeat(64),
    contextSize: 8192,
    requests,
    questions,
    warmed,
    kept,
    keeper: {
      async warm(messages, keep, signal) {
        signal.throwIfAborted();
        warmed.push({ messages, keep });
        const prompt = promptOf(messages);
        const reused = sharedLength(held, prompt);
        if (reused < prompt.length) held = prompt;
        return { evaluated: tokens(prompt.slice(reused)), reused: tokens(prompt.slice(0, reused)) };
      },
      rest: (conversation) => void kept.push(`rest ${conversation}`),
      async forget(conversation) {
        kept.push(`forget ${conversation ?? "all"}`);
        held = "";
      },
      memory: () => ({ model: 0, context: 0 }),
    },
    say: (...more) => void script.push(...more),
    get left() {
      return script.length;
    },
    async generate(request, signal) {
      signal.throwIfAborted();
      requests.push(request);
      const next = script.shift();
      if (next === undefined) throw new RangeError(`the script has no answer number ${requests.length}; asked:\n${lastText(request.messages)}`);
      if (next instanceof Error) throw next;
      const text = typeof next === "function" ? next(request) : next;
      signal.throwIfAborted();
      if (request.choices && !request.choices.some((choice) => allows(choice, text))) {
        throw new RangeError(
          `the request does not allow ${text}; it allows:\n${request.choices.map((choice) => choice.text + (choice.open ? "…" : "")).join("\n")}`,
        );
      }
      for (let at = 0; at < text.length; at += 3) request.onText?.(text.slice(at, at + 3));
      const prompt = promptOf(request.messages);
      const reused = sharedLength(held, prompt);
      // A question beside the conversations leaves theirs where it is, once there is one.
      if (request.keep !== undefined || !isKept) held = prompt + text;
      isKept ||= request.keep !== undefined;
      return {
        text,
        tokensEvaluated: tokens(prompt.slice(reused)),
        tokensReused: tokens(prompt.slice(0, reused)),
        tokensGenerated: tokens(text),
        stopped: "end",
        durationMs: 0,
      };
    },
    async likelihood(messages, given, signal) {
      signal.throwIfAborted();
      const question = lastText(messages);
      questions.push(question);
      const first = judge(question);
      return given.map((_, index) => (index === 0 ? first : (1 - first) / Math.max(1, given.length - 1)));
    },
    countTokens: tokens,
    async dispose() {},
  };
}

function allows(choice: Choice, text: string): boolean {
  if (choice.open !== true) return choice.text === text;
  // What may follow an open beginning is one line of text without quotes, and the end of the step.
  return text.startsWith(choice.text) && /^(?:[^"\\\p{Cc}]|\\n)+"\}\}$/u.test(text.slice(choice.text.length));
}

function promptOf(messages: readonly PromptMessage[]): string {
  return messages.map((message) => `<${message.role}>${message.text}\n`).join("");
}

function lastText(messages: readonly PromptMessage[]): string {
  return messages.at(-1)?.text ?? "";
}

function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}
