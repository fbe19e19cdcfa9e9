import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { badInput } from "#contract/errors.ts";
import { type BenchMachine, benchMachine } from "./machine.ts";
import { type Times, timesOf } from "./times.ts";

/** Share of the time that evaluating takes within which a saved state gives the first token. */
const mostOfEvaluating = 0.05;

export interface StartupBenchOptions {
  readonly cacheFolder: string;
  /** Catalogue id; the chat model in use by default. */
  readonly model?: string;
  readonly prefixTokens: number;
  readonly pairs: number;
  readonly onNote?: (note: string) => void;
}

export interface StartupBench {
  readonly machine: BenchMachine;
  readonly model: string;
  readonly prefixTokens: number;
  readonly pairs: number;
  /** Milliseconds in a new process from the loaded model to the first token. */
  readonly firstToken: { readonly withState: Times; readonly without: Times; readonly ratio: number; readonly isWithin: boolean };
  /** Of each process, apart. */
  readonly modelLoad: Times;
  readonly stateBytes: number;
}

/** What a process of the bench is asked and prints, as JSON. */
export interface StartupAsked {
  readonly cacheFolder: string;
  readonly model?: string;
  readonly statesFolder: string | null;
  readonly prefixTokens: number;
}
export interface StartupAnswer {
  readonly model: string;
  readonly loadMs: number;
  readonly firstMs: number;
  readonly prefixTokens: number;
  readonly reused: number;
  readonly stateBytes: number;
  readonly text: string;
}

/** The same prompt in new processes, with its saved state and without, in turns that change places. Throws where the two do not say the same. */
export async function benchStartup(options: StartupBenchOptions, signal: AbortSignal): Promise<StartupBench> {
  const { cacheFolder, model, prefixTokens, pairs } = options;
  if (!Number.isInteger(pairs) || pairs < 1 || pairs > 1000) throw badInput(`pairs is ${pairs}; expected a whole number from 1 to 1000`);
  if (!Number.isInteger(prefixTokens) || prefixTokens < 64 || prefixTokens > 7000)
    throw badInput(`prefixTokens is ${prefixTokens}; expected a whole number from 64 to 7000`);
  const note = options.onNote ?? (() => undefined);
  const folder = mkdtempSync(join(tmpdir(), "knack-bench-"));
  const run = (statesFolder: string | null): Promise<StartupAnswer> =>
    inProcess({ cacheFolder, statesFolder, prefixTokens, ...(model === undefined ? {} : { model }) }, signal);
  try {
    note("saving the state");
    const states = join(folder, "states");
    const first = await run(states);
    const [withState, without]: [StartupAnswer[], StartupAnswer[]] = [[], []];
    for (let pair = 0; pair < pairs; pair += 1) {
      for (const isWith of pair % 2 === 0 ? [true, false] : [false, true]) {
        note(`pair ${pair + 1} of ${pairs}, ${isWith ? "with the state" : "without"}`);
        const answer = await run(isWith ? states : null);
        if (answer.text !== first.text) throw new Error(`with and without the state the model said "${answer.text}" and "${first.text}"`);
        if (isWith && answer.reused < answer.prefixTokens) throw new Error("the saved state was not used");
        (isWith ? withState : without).push(answer);
      }
    }
    const times = (answers: readonly StartupAnswer[]): Times => timesOf(answers.map(({ firstMs }) => firstMs));
    const ratio = times(withState).median / times(without).median;
    return {
      machine: benchMachine(),
      model: first.model,
      prefixTokens: first.prefixTokens,
      pairs,
      firstToken: { withState: times(withState), without: times(without), ratio, isWithin: ratio <= mostOfEvaluating },
      modelLoad: timesOf([...withState, ...without].map(({ loadMs }) => loadMs)),
      stateBytes: Math.max(...withState.map(({ stateBytes }) => stateBytes)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function inProcess(asked: StartupAsked, signal: AbortSignal): Promise<StartupAnswer> {
  const script = fileURLToPath(new URL("startup-process.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(asked)], { signal });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as StartupAnswer;
}
