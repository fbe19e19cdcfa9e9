import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBrowser, openPageMeter } from "#adapters/browser/index.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import { createAgent } from "../create-agent.ts";
import { fillStore } from "./fill-store.ts";
import { type BenchMachine, benchMachine } from "./machine.ts";
import { madeEmbedder } from "./made-embedder.ts";
import { fillConversation } from "./made-messages.ts";
import { topicOf } from "./made-skills.ts";
import { type Times, timesOf } from "./times.ts";

/** What a person waits for at most, in milliseconds: until the chat stands there, for one task while they scroll, and for 95 of 100 searches. */
const limits = { firstPaint: 500, task: 100, search: 150 } as const;

export interface AppBenchOptions {
  readonly messages: number;
  readonly skills: number;
  /** Loads of the page, each in a page of its own. */
  readonly loads: number;
  /** Turns of the wheel, of 700 pixels each. */
  readonly wheel: number;
  readonly searches: number;
  /** The web shell's own program: a bench knows no shell. */
  readonly webShell: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly hasSandbox: boolean;
  readonly onNote?: (note: string) => void;
}

export interface AppBench {
  readonly machine: BenchMachine;
  readonly messages: number;
  readonly skills: number;
  readonly storeBytes: number;
  /** From the beginning of the loading, of a host that is ready, until a message has been painted; `first` before the browser had anything of the page. */
  readonly firstPaint: {
    readonly first: number;
    readonly times: Times;
    /** Of the same, what the processor spent on it in the page: on a busy machine the clock tells of the others too. */
    readonly processor: Times;
    readonly limitMs: number;
    readonly isWithin: boolean;
  };
  /** While it was scrolled: tasks of more than 50 ms, and the longest, 0 where there was none; `processor` is what that spent on the longest of any length. */
  readonly scroll: {
    readonly pixels: number;
    readonly longTasks: number;
    readonly longest: number;
    readonly processor: number;
    readonly limitMs: number;
    readonly isWithin: boolean;
  };
  /** From what is typed until the results are painted. */
  readonly search: { readonly times: Times; readonly limitMs: number; readonly isWithin: boolean };
}

/** The page of the web shell in a real browser, over a store with one very long conversation and many skills. Throws "browser.missing" without a browser. */
export async function benchApp(options: AppBenchOptions, signal: AbortSignal): Promise<AppBench> {
  for (const name of ["messages", "skills", "loads", "wheel", "searches"] as const) {
    const value = options[name];
    if (!Number.isInteger(value) || value < 1 || value > 1_000_000) throw badInput(`${name} is ${value}; expected a whole number from 1 to 1000000`);
  }
  const executable = findBrowser(options.env.KNACK_BROWSER ?? "");
  if (executable === null) throw new KnackError("browser.missing", "No Chrome, Chromium or Edge was found. Install one, or set KNACK_BROWSER.");
  const note = options.onNote ?? (() => undefined);
  const folder = mkdtempSync(join(tmpdir(), "knack-bench-app-"));
  const home = join(folder, "home");
  try {
    note(`making ${options.messages} messages and ${options.skills} skills`);
    const conversation = await fill(home, folder, options, signal);
    const storeBytes = statSync(join(home, "knack.db")).size;
    note("starting the web shell");
    const shell = await startShell(options, home, folder, signal);
    const meter = await openPageMeter(executable, options.hasSandbox);
    try {
      const origin = new URL(shell.url).origin;
      const page = `${origin}/#/chat/${conversation}`;
      // The token is exchanged for a cookie first; after that the page is what people open.
      await meter.firstPaint(shell.url, "textarea");
      const paints: { clock: number; processor: number }[] = [];
      for (let load = 0; load < options.loads; load += 1) {
        note(`loading the page, ${load + 1} of ${options.loads}`);
        signal.throwIfAborted();
        paints.push(await meter.firstPaint(page, "article"));
      }
      note("scrolling");
      const { longTasks, processor, scrolled } = await meter.scroll(page, "article", options.wheel);
      const longest = Math.max(0, ...longTasks);
      note("searching");
      const searches = await meter.search(page, "#search-messages input", "[aria-label='Messages found']", queriesOf(options.searches));
      const [paintTimes, searchTimes] = [timesOf(paints.map(({ clock }) => clock)), timesOf(searches)];
      return {
        machine: benchMachine(),
        messages: options.messages,
        skills: options.skills,
        storeBytes,
        firstPaint: {
          first: paints[0]?.clock ?? 0,
          times: paintTimes,
          processor: timesOf(paints.map((paint) => paint.processor)),
          limitMs: limits.firstPaint,
          isWithin: paintTimes.p95 < limits.firstPaint,
        },
        scroll: { pixels: scrolled, longTasks: longTasks.length, longest, processor, limitMs: limits.task, isWithin: longest < limits.task },
        search: { times: searchTimes, limitMs: limits.search, isWithin: searchTimes.p95 < limits.search },
      };
    } finally {
      await meter.close();
      await shell.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function fill(home: string, folder: string, { messages, skills }: AppBenchOptions, signal: AbortSignal): Promise<string> {
  const embedder = madeEmbedder(64);
  const agent = await createAgent({
    dataFolder: home,
    cacheFolder: join(folder, "cache"),
    env: {},
    maintenance: false,
    models: { embedder: async () => embedder },
  });
  try {
    await fillStore(agent.world, { skills, revisions: 2 }, embedder, signal);
    return fillConversation(agent.world, messages);
  } finally {
    await agent.close();
  }
}

/** Words that are in many messages, in few, and only begun. */
function queriesOf(count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const { verb, thing, place } = topicOf(n * 37);
    return [`${verb} ${place}`, `number ${n * 13}`, `${thing} ${n}`, place.slice(0, 3), `${verb} the ${thing} at`][n % 5] ?? place;
  });
}

interface Shell {
  readonly url: string;
  close(): Promise<void>;
}

async function startShell({ webShell, env }: AppBenchOptions, home: string, folder: string, signal: AbortSignal): Promise<Shell> {
  const child: ChildProcess = spawn(process.execPath, [webShell], {
    env: { ...env, KNACK_HOME: home, KNACK_CACHE: join(folder, "cache"), KNACK_HEADLESS: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    signal,
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let [out, err] = ["", ""];
  const url = await new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => reject(new KnackError("bench.shell", `The web shell ended with ${code}: ${err.trim()}`)));
    child.stderr?.on("data", (chunk: Buffer) => (err += chunk.toString()));
    child.stdout?.on("data", (chunk: Buffer) => {
      out += chunk.toString();
      const found = /https?:\/\/127\.0\.0\.1:\d+\/\?token=\S+/u.exec(out)?.[0];
      if (found !== undefined) resolve(found);
    });
  });
  return {
    url,
    async close() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
