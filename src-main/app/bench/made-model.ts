import { setTimeout as wait } from "node:timers/promises";
import type { LanguageModel } from "#core/ports/index.ts";

/** Stands in for the chat model: a reply in a turn, a wording in a pass. It takes as long as told until its first piece, and between two. */
export function madeModel(delay: { readonly firstMs: number; readonly pieceMs: number }): LanguageModel {
  let names = 0;
  return {
    id: "made",
    hash: "0".repeat(64),
    contextSize: 8192,
    async generate({ choices, onText }, signal) {
      const started = performance.now();
      const text = choices === undefined ? wordingOf((names += 1)) : stepOf(choices.map((choice) => choice.text));
      await wait(delay.firstMs, undefined, { signal });
      for (let at = 0; at < text.length; at += 4) {
        onText?.(text.slice(at, at + 4));
        await wait(delay.pieceMs, undefined, { signal });
      }
      return { text, tokensEvaluated: 0, tokensReused: 0, tokensGenerated: text.length / 4, stopped: "end", durationMs: performance.now() - started };
    },
    async likelihood(_messages, answers, signal) {
      await wait(delay.firstMs, undefined, { signal });
      return answers.map(() => 1 / answers.length);
    },
    countTokens: (text) => Math.ceil(text.length / 4),
    async dispose() {},
  };
}

function wordingOf(n: number): string {
  const letters = [...String(n)].map((digit) => "abcdefghij"[Number(digit)] ?? "").join("");
  return `name: made-routine-${letters}a\nwhen: Use this for the made routine\n`;
}

/** The reply the choices allow, and where they allow none the first of them. */
function stepOf(choices: readonly string[]): string {
  const reply = choices.find((text) => text.startsWith('{"tool":"reply"'));
  return reply === undefined ? (choices[0] ?? "") : `${reply}Four."}}`;
}
