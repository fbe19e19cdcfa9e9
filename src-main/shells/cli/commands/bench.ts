import { join } from "node:path";
import type { Command } from "commander";
import type { AppBench } from "#app/bench/app.ts";
import type { BrowserBench } from "#app/bench/browser.ts";
import type { LearnBench } from "#app/bench/learn.ts";
import type { PrefixBench } from "#app/bench/prefix.ts";
import type { RecallBench } from "#app/bench/recall.ts";
import type { StartupBench } from "#app/bench/startup.ts";
import type { Times } from "#app/bench/times.ts";
import { foldersOf } from "#app/folders.ts";
import { type Call, group, leaf } from "../leaf.ts";
import { wholeNumber } from "../numbers.ts";
import { root } from "../place.ts";
import { requireSandbox } from "../sandbox.ts";
import type { Screen } from "../screen.ts";
import type { Session } from "../session.ts";
import { bytesText, countText } from "../units.ts";

interface RecallOptions {
  readonly skills: number;
  readonly revisions: number;
  readonly repetitions: number;
  readonly dimension: number;
}

interface LearnOptions {
  readonly episodes: number;
  readonly fresh: number;
  readonly kinds: number;
  readonly repetitions: number;
  readonly messages: number;
  readonly dimension: number;
  readonly real?: boolean;
}

interface PrefixOptions {
  readonly turns: number;
  readonly pairs: number;
  readonly promptTokens: number;
  readonly generatedTokens: number;
  readonly model?: string;
}

interface AppOptions {
  readonly messages: number;
  readonly skills: number;
  readonly loads: number;
  readonly wheel: number;
  readonly searches: number;
}

interface StartupOptions {
  readonly prefixTokens: number;
  readonly pairs: number;
  readonly model?: string;
}

interface BrowserBenchOptions {
  readonly pairs: number;
  readonly decisions: number;
  readonly grants: number;
}

export function addBench(program: Command, session: Session): void {
  const bench = group(program, "bench", "how long things take on this machine");
  leaf<RecallOptions>(bench, session, "recall", "a store full of skills: list, show, history, match; without the model", recall)
    .option("--skills <n>", "skills in the store; another with a tenth of them stands beside it", wholeNumber(10, 100_000), 1000)
    .option("--revisions <n>", "revisions of each", wholeNumber(1, 1000), 20)
    .option("--repetitions <n>", "how often each is timed", wholeNumber(1, 100_000), 200)
    .option("--dimension <n>", "numbers a vector has", wholeNumber(2, 4096), 768);
  leaf<LearnOptions>(bench, session, "learn", "a learning pass over new episodes, in a full store and an empty one, and an answer in the middle of it", learn)
    .option("--episodes <n>", "episodes that were read before, of ten steps each", wholeNumber(1, 1_000_000), 10_000)
    .option("--fresh <n>", "new episodes", wholeNumber(1, 100_000), 1000)
    .option("--kinds <n>", "kinds of tasks", wholeNumber(1, 10_000), 400)
    .option("--repetitions <n>", "how often the pass is timed in each store", wholeNumber(1, 1000), 5)
    .option("--messages <n>", "messages sent in the middle of a pass", wholeNumber(1, 1000), 11)
    .option("--dimension <n>", "numbers a vector has", wholeNumber(2, 4096), 384)
    .option("--real", "the chat model of this machine answers, not a made one");
  leaf<PrefixOptions>(bench, session, "prefix", "what a conversation evaluates again, and our way of calling the model against the library alone", prefix)
    .option("--turns <n>", "turns of the conversation", wholeNumber(1, 200), 20)
    .option("--pairs <n>", "answers of each way that are timed; 0 for none", wholeNumber(0, 1000), 5)
    .option("--prompt-tokens <n>", "tokens of the prompts that are timed, about", wholeNumber(32, 7000), 512)
    .option("--generated-tokens <n>", "tokens that are generated then", wholeNumber(2, 1000), 32)
    .option("--model <id>", "another chat model than the one recommended here");
  leaf<AppOptions>(bench, session, "app", "the page in a real browser: first paint, scrolling and search, with a very long conversation and many skills", app)
    .option("--messages <n>", "messages in one conversation", wholeNumber(1, 1_000_000), 10_000)
    .option("--skills <n>", "skills beside it", wholeNumber(1, 100_000), 1000)
    .option("--loads <n>", "how often the page is loaded", wholeNumber(1, 1000), 7)
    .option("--wheel <n>", "turns of the wheel, of 700 pixels each", wholeNumber(1, 100_000), 300)
    .option("--searches <n>", "searches", wholeNumber(1, 100_000), 60);
  leaf<StartupOptions>(bench, session, "startup", "a new process until its first token, with the saved state of its prompt and without", startup)
    .option("--prefix-tokens <n>", "tokens of the prompt, about", wholeNumber(64, 7000), 1500)
    .option("--pairs <n>", "processes of each kind", wholeNumber(1, 1000), 5)
    .option("--model <id>", "another chat model than the one recommended here");
  leaf<BrowserBenchOptions>(bench, session, "browser", "pages behind the network gate and the watch in the browser, against a plain browser", browser)
    .option("--pairs <n>", "how often all pages are loaded in each browser", wholeNumber(1, 1000), 20)
    .option("--decisions <n>", "decisions on addresses that are timed", wholeNumber(100, 1_000_000), 20_000)
    .option("--grants <n>", "sites that are granted then", wholeNumber(1, 1000), 20);
}

async function browser({ options, screen, signal }: Call<BrowserBenchOptions>): Promise<number> {
  requireSandbox("bench browser");
  const { benchBrowser } = await import("#app/bench/browser.ts");
  const { pairs, decisions, grants } = options;
  const report = await benchBrowser(
    { pairs, decisions, grants, sitesFolder: join(root, "test/fixtures/sites"), env: process.env, onNote: (note) => screen.status(`${note} …`) },
    signal,
  );
  screen.status(null);
  screen.show(report, () => []);
  if (!screen.json) showBrowser(report, screen);
  return report.load.isWithin && report.decision.isWithin ? 0 : 1;
}

function showBrowser({ load, decision, pages, machine }: BrowserBench, screen: Screen): void {
  const right = { right: true };
  const line = (what: string, { min, median, p95, max }: Times, digits: number): string[] => [
    what,
    ...[min, median, p95, max].map((one) => one.toFixed(digits)),
  ];
  screen.table(
    [{ head: "" }, { head: "MIN", ...right }, { head: "MEDIAN", ...right }, { head: "P95", ...right }, { head: "MAX", ...right }],
    [
      line(`ms to load ${pages} pages, behind gate and watch`, load.guarded, 1),
      line("ms to load them in a plain browser", load.plain, 1),
      line("µs of a decision on an address", decision.microseconds, 1),
    ],
  );
  const verdict = (isWithin: boolean): string => (isWithin ? "as it should be" : "too much");
  screen.say(
    `${load.ratio.toFixed(2)}× the plain browser's median of ${load.pairs}, ${verdict(load.isWithin)}; a decision among ${decision.grants} grants ${verdict(decision.isWithin)}`,
  );
  screen.say(`${machine.processors} processors, load ${machine.load.toFixed(1)}, Node ${machine.node}`, "dim");
}

async function app({ options, screen, signal }: Call<AppOptions>): Promise<number> {
  const { benchApp } = await import("#app/bench/app.ts");
  const webShell = join(root, "src-main/shells/web/main.ts");
  const hasSandbox = process.env.KNACK_NO_SANDBOX !== "1";
  const report = await benchApp({ ...options, webShell, env: process.env, hasSandbox, onNote: (note) => screen.status(`${note} …`) }, signal);
  screen.status(null);
  screen.show(report, () => []);
  if (!screen.json) showApp(report, screen);
  return report.firstPaint.isWithin && report.scroll.isWithin && report.search.isWithin ? 0 : 1;
}

function showApp({ firstPaint, scroll, search, messages, skills, storeBytes, machine }: AppBench, screen: Screen): void {
  const right = { right: true };
  const line = (what: string, { min, median, p95, max }: Times, limit: number, isWithin: boolean): string[] => [
    what,
    ...[min, median, p95, max].map((ms) => ms.toFixed(0)),
    `${limit}: ${isWithin ? "yes" : "no"}`,
  ];
  screen.table(
    [{ head: "MS" }, { head: "MIN", ...right }, { head: "MEDIAN", ...right }, { head: "P95", ...right }, { head: "MAX", ...right }, { head: "P95 WITHIN" }],
    [
      line("first paint of the chat", firstPaint.times, firstPaint.limitMs, firstPaint.isWithin),
      line("of the processor, in the page", firstPaint.processor, firstPaint.limitMs, firstPaint.processor.p95 < firstPaint.limitMs),
      line("results of a search", search.times, search.limitMs, search.isWithin),
    ],
  );
  screen.say(
    `scrolled ${countText(scroll.pixels)} pixels: ${scroll.longTasks} tasks of more than 50 ms, the longest ${scroll.longest.toFixed(0)} ms, of the processor ${scroll.processor.toFixed(0)} ms, ${scroll.isWithin ? "as it should be" : "too much"}`,
  );
  screen.say(`${countText(messages)} messages in one conversation, ${countText(skills)} skills, ${bytesText(storeBytes)}`, "dim");
  screen.say(`${machine.processors} processors, load ${machine.load.toFixed(1)}, Node ${machine.node}`, "dim");
}

async function prefix({ options, screen, signal }: Call<PrefixOptions>): Promise<number> {
  requireSandbox("bench prefix");
  const { benchPrefix } = await import("#app/bench/prefix.ts");
  const { cacheFolder } = foldersOf(process.env);
  const report = await benchPrefix(
    { ...options, sitesFolder: join(root, "test/fixtures/sites"), cacheFolder, env: process.env, onNote: (note) => screen.status(`${note} …`) },
    signal,
  );
  screen.status(null);
  screen.show(report, () => []);
  if (!screen.json) showPrefix(report, screen);
  return report.isWithin ? 0 : 1;
}

async function startup({ options, screen, signal }: Call<StartupOptions>): Promise<number> {
  const { benchStartup } = await import("#app/bench/startup.ts");
  const report = await benchStartup({ ...options, cacheFolder: foldersOf(process.env).cacheFolder, onNote: (note) => screen.status(`${note} …`) }, signal);
  screen.status(null);
  screen.show(report, () => []);
  if (!screen.json) showStartup(report, screen);
  return report.firstToken.isWithin ? 0 : 1;
}

function showPrefix({ turns, worst, isWithin, evaluated, raw, machine, model }: PrefixBench, screen: Screen): void {
  const right = { right: true };
  screen.table(
    [
      { head: "TURN", ...right },
      { head: "KIND" },
      { head: "STEPS", ...right },
      { head: "NEW", ...right },
      { head: "EVALUATED", ...right },
      { head: "RATIO", ...right },
      { head: "REBUILT", ...right },
      { head: "RATIO", ...right },
    ],
    turns.map((one) => [
      String(one.turn),
      one.skill === null ? one.kind : `${one.kind} ${one.skill}`,
      String(one.steps),
      countText(one.fresh),
      countText(one.evaluated),
      one.ratio.toFixed(2),
      countText(one.reference),
      one.referenceRatio.toFixed(2),
    ]),
  );
  screen.say(
    `worst turn ${worst.toFixed(3)}, ${isWithin ? "as it should be" : "too much"}; all turns: ${countText(evaluated.ours)} tokens evaluated of ${countText(evaluated.fresh)} new ones; ${countText(evaluated.reference)} where the system prompt is built anew each turn`,
  );
  if (raw !== null) {
    const line = (what: string, { ours, raw: alone, ratio, isWithin: within }: (typeof raw)["firstToken"], digits: number): string[] => [
      what,
      ours.median.toFixed(digits),
      alone.median.toFixed(digits),
      ratio.toFixed(3),
      within ? "yes" : "no",
    ];
    screen.table(
      [{ head: `MEDIAN OF ${raw.pairs}` }, { head: "KNACK", ...right }, { head: "LIBRARY", ...right }, { head: "RATIO", ...right }, { head: "WITHIN 3 %" }],
      [line(`ms to the first token, ${countText(raw.promptTokens)} tokens of prompt`, raw.firstToken, 0), line("tokens a second", raw.perSecond, 2)],
    );
  }
  screen.say(`${model}; ${machine.processors} processors, load ${machine.load.toFixed(1)}, Node ${machine.node}`, "dim");
}

function showStartup({ firstToken, modelLoad, prefixTokens, stateBytes, pairs, machine, model }: StartupBench, screen: Screen): void {
  const right = { right: true };
  const line = (what: string, { min, median, max }: Times): string[] => [what, min.toFixed(0), median.toFixed(0), max.toFixed(0)];
  screen.table(
    [{ head: `MS, ${pairs} PROCESSES EACH` }, { head: "MIN", ...right }, { head: "MEDIAN", ...right }, { head: "MAX", ...right }],
    [
      line("first token with the saved state", firstToken.withState),
      line("first token without", firstToken.without),
      line("loading the model, before either", modelLoad),
    ],
  );
  screen.say(
    `${(firstToken.ratio * 100).toFixed(1)} % of the time, ${firstToken.isWithin ? "as it should be" : "too much"}; a state of ${countText(prefixTokens)} tokens has ${bytesText(stateBytes)}`,
  );
  screen.say(`${model}; ${machine.processors} processors, load ${machine.load.toFixed(1)}, Node ${machine.node}`, "dim");
}

async function recall({ options, screen, signal }: Call<RecallOptions>): Promise<void> {
  const { benchRecall } = await import("#app/bench/recall.ts");
  const { skills, revisions, repetitions, dimension } = options;
  const report = await benchRecall({ skills, revisions, repetitions, dimension, onNote: (note) => screen.status(`${note} …`) }, signal);
  screen.status(null);
  screen.show(report, () => []);
  if (!screen.json) showTimes(report, screen);
}

async function learn({ options, screen, signal }: Call<LearnOptions>): Promise<void> {
  const { benchLearn } = await import("#app/bench/learn.ts");
  const { real, ...sizes } = options;
  const realFrom = real === true ? foldersOf(process.env).cacheFolder : null;
  const report = await benchLearn({ ...sizes, realFrom, onNote: (note) => screen.status(`${note} …`) }, signal);
  screen.status(null);
  screen.show(report, () => []);
  if (!screen.json) showPasses(report, screen);
}

function showPasses({ pass, processor, memory, firstToken, store, decisions, machine, dimension }: LearnBench, screen: Screen): void {
  const ms = (milliseconds: number): string => milliseconds.toFixed(0);
  const line = (what: string, { min, median, max }: Times): string[] => [what, ms(min), ms(median), ms(max)];
  screen.table(
    [{ head: "MS" }, { head: "MIN", right: true }, { head: "MEDIAN", right: true }, { head: "MAX", right: true }],
    [
      line(`pass over ${countText(pass.fresh)} new episodes beside ${countText(store.episodes)}`, pass.full),
      line("the same in an empty store", pass.empty),
      line("of the processor, in the full store", processor.full),
      line("of the processor, in the empty one", processor.empty),
      line(`first token in the middle of a pass (${firstToken.model} model)`, firstToken.inPass),
      line("the same without a pass", firstToken.without),
    ],
  );
  const verdict = (isWithin: boolean): string => (isWithin ? "as it should be" : "too much");
  screen.say(
    `pass ${pass.ratio.toFixed(2)}× the empty store's (${processor.ratio.toFixed(2)}× of the processor), ${verdict(pass.isWithin)}; first token ${firstToken.ratio.toFixed(2)}×, ${verdict(firstToken.isWithin)}`,
  );
  screen.say(`memory grew by at most ${bytesText(memory.full)} in the full store, ${bytesText(memory.empty)} in the empty one`);
  screen.say(
    `${countText(store.episodes)} episodes, ${countText(store.steps)} steps, ${countText(store.kinds)} kinds, vectors of ${dimension}, ${bytesText(store.bytes)}`,
    "dim",
  );
  const found = Object.entries(decisions).map(([what, count]) => `${what} ${count}`);
  screen.say(`found: ${found.join(", ")}; ${machine.processors} processors, load ${machine.load.toFixed(1)}, Node ${machine.node}`, "dim");
}

function showTimes({ operations, store, reference, verdicts, machine, dimension, repetitions, limitMs }: RecallBench, screen: Screen): void {
  const ms = (milliseconds: number): string => milliseconds.toFixed(1);
  screen.table(
    [
      { head: "MS" },
      { head: "MIN", right: true },
      { head: "MEDIAN", right: true },
      { head: "P95", right: true },
      { head: "MAX", right: true },
      { head: "P95 OF PROCESSOR", right: true },
      { head: `MEDIAN OF ${countText(reference.skills)}`, right: true },
      { head: "GROWTH", right: true },
      { head: `P95 < ${limitMs}` },
    ],
    operations.map(({ operation, times, processor, reference: beside, growth, isWithin }) => [
      operation,
      ms(times.min),
      ms(times.median),
      ms(times.p95),
      ms(times.max),
      ms(processor.p95),
      ms(beside.median),
      `${growth.toFixed(1)}×`,
      isWithin ? "yes" : "no",
    ]),
  );
  const found = Object.entries(verdicts).map(([verdict, count]) => `${verdict} ${count}`);
  screen.say(
    `${countText(store.skills)} skills, ${countText(store.revisions)} revisions, ${countText(store.runs)} runs, ${countText(store.vectors)} vectors of ${dimension}, ${bytesText(store.bytes)}; ${repetitions} times each`,
    "dim",
  );
  screen.say(
    `match: ${found.join(", ")}; ${machine.processors} processors, load ${machine.load.toFixed(1)}, Node ${machine.node}; without embedding the goal`,
    "dim",
  );
}
