// A process of its own, started by startup.ts: loads the model, answers once with a long beginning, prints how long it took and ends.
import { loadModelSink, openStateFolder } from "#adapters/llama/index.ts";
import { silentLog } from "#core/ports/index.ts";
import { Redactor, through } from "#core/vault/index.ts";
import { isAlive } from "#models/is-alive.ts";
import { chatOptions, madeText } from "./chat-options.ts";
import type { StartupAnswer, StartupAsked } from "./startup.ts";

const asked = JSON.parse(process.argv[2] ?? "") as StartupAsked;
const signal = new AbortController().signal;
const states =
  asked.statesFolder === null
    ? null
    : openStateFolder({ root: asked.statesFolder, store: "bench", limitBytes: () => Number.POSITIVE_INFINITY, isAlive, log: silentLog });
const options = await chatOptions(asked.cacheFolder, asked.model);
const loading = performance.now();
const model = through(await loadModelSink({ ...options, ...(states === null ? {} : { states }) }), new Redactor(Date.now));
const loadMs = performance.now() - loading;
const system = madeText("What Knack knows", asked.prefixTokens, (text) => model.countTokens(text));

const started = performance.now();
let firstMs: number | undefined;
const made = await model.generate(
  {
    messages: [
      { role: "system", text: system },
      { role: "user", text: "How much is two and two?" },
    ],
    keep: { conversation: "bench", prefix: 1 },
    maxTokens: 4,
    onText: () => {
      firstMs ??= performance.now() - started;
    },
  },
  signal,
);
await states?.idle();
const answer: StartupAnswer = {
  model: model.id,
  loadMs,
  firstMs: firstMs ?? made.durationMs,
  prefixTokens: model.countTokens(system),
  reused: made.tokensReused,
  stateBytes: states?.usage().bytes ?? 0,
  text: made.text,
};
// Only what every conversation begins with is kept for the next process: this conversation is begun anew there.
states?.remove("bench");
process.stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit(0));
