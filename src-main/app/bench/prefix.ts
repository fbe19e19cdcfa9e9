import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadModelSink, openStateFolder } from "#adapters/llama/index.ts";
import { serveSites } from "#adapters/sites/index.ts";
import type { Send } from "#contract/chat/schema.ts";
import { badInput } from "#contract/errors.ts";
import { silentLog } from "#core/ports/index.ts";
import { Redactor, through } from "#core/vault/index.ts";
import { isAlive } from "#models/is-alive.ts";
import { createAgent, type HostedAgent } from "../create-agent.ts";
import { kindsOf, loadSites, type SiteGoal } from "../eval/load-sites.ts";
import { chatOptions } from "./chat-options.ts";
import { type BenchMachine, benchMachine } from "./machine.ts";
import { type PrefixUse, prefixCount } from "./prefix-count.ts";
import { type RawPairs, rawPairs } from "./raw-pairs.ts";

/** Evaluated tokens over new ones, at most, in any turn. */
const mostAgain = 1.05;
const siteName = "portal";
const kindName = "invoice";

export interface PrefixBenchOptions {
  readonly sitesFolder: string;
  readonly cacheFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Catalogue id; the chat model in use by default. */
  readonly model?: string;
  readonly turns: number;
  /** Of the comparison with the library alone; 0 leaves it out. */
  readonly pairs: number;
  readonly promptTokens: number;
  readonly generatedTokens: number;
  readonly onNote?: (note: string) => void;
}

export interface PrefixTurn extends PrefixUse {
  readonly turn: number;
  readonly kind: "skill" | "page" | "talk";
  /** Evaluated over new, here and where the system prompt is built anew each turn. */
  readonly ratio: number;
  readonly referenceRatio: number;
  readonly skill: string | null;
  readonly steps: number;
}

export interface PrefixBench {
  readonly machine: BenchMachine;
  readonly model: string;
  readonly turns: readonly PrefixTurn[];
  readonly worst: number;
  readonly isWithin: boolean;
  /** Evaluated tokens of all turns; the reference is counted over the very same prompts. */
  readonly evaluated: { readonly ours: number; readonly reference: number; readonly fresh: number };
  readonly raw: RawPairs | null;
}

/**
 * A conversation over the real turn with the real model, a browser on a site of this machine and a skill that was shown once; then our way of calling the model
 * against the library alone. Says nothing of whether tasks were done: that is what `knack eval` is for.
 */
export async function benchPrefix(options: PrefixBenchOptions, signal: AbortSignal): Promise<PrefixBench> {
  if (!Number.isInteger(options.turns) || options.turns < 1 || options.turns > 200)
    throw badInput(`turns is ${options.turns}; expected a whole number from 1 to 200`);
  if (!Number.isInteger(options.pairs) || options.pairs < 0 || options.pairs > 1000)
    throw badInput(`pairs is ${options.pairs}; expected a whole number from 0 to 1000`);
  const folder = mkdtempSync(join(tmpdir(), "knack-bench-"));
  try {
    const turns = await converse(options, folder, signal);
    const worst = Math.max(...turns.turns.map(({ ratio }) => ratio));
    const sum = (part: (turn: PrefixTurn) => number): number => turns.turns.reduce((total, turn) => total + part(turn), 0);
    const { cacheFolder, model, pairs, promptTokens, generatedTokens, onNote } = options;
    const raw =
      pairs === 0
        ? null
        : await rawPairs(
            {
              cacheFolder,
              pairs,
              promptTokens,
              generatedTokens,
              ...(model === undefined ? {} : { model }),
              ...(onNote ? { onNote } : {}),
            },
            signal,
          );
    return {
      machine: benchMachine(),
      model: turns.model,
      turns: turns.turns,
      worst,
      isWithin: worst <= mostAgain,
      evaluated: { ours: sum(({ evaluated }) => evaluated), reference: sum(({ reference }) => reference), fresh: sum(({ fresh }) => fresh) },
      raw,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function converse(options: PrefixBenchOptions, folder: string, signal: AbortSignal): Promise<{ model: string; turns: PrefixTurn[] }> {
  const site = (await loadSites(options.sitesFolder)).find((one) => one.name === siteName);
  const goals = (site && kindsOf(site).get(kindName)) ?? [];
  const shown = goals.find(({ show }) => show !== undefined);
  if (!site || !shown) throw badInput(`${options.sitesFolder} has no site "${siteName}" with goals "${kindName}-…", one of them with a showing`);
  const note = options.onNote ?? (() => undefined);
  const count = prefixCount();
  const states = openStateFolder({ root: join(folder, "states"), store: "bench", limitBytes: () => 2e9, isAlive, log: silentLog });
  const closed = await loadModelSink({ ...(await chatOptions(options.cacheFolder, options.model)), states, observe: count });
  const model = through(closed, new Redactor(Date.now));
  const served = await serveSites([site]);
  try {
    const agent = await createAgent({
      dataFolder: join(folder, "data"),
      cacheFolder: options.cacheFolder,
      env: { ...options.env, KNACK_HEADLESS: "1" },
      approve: async () => "allow",
      maintenance: false,
      sites: { hosts: served.hosts, spki: served.spki },
      models: { chat: async () => model },
    });
    try {
      agent.addGrant(`https://${site.host}`, "bench");
      note("showing the routine");
      await show(agent, shown, `https://${site.host}`, signal);
      count.end();
      const turns: PrefixTurn[] = [];
      let conversationId: string | undefined;
      for (let turn = 1; turn <= options.turns; turn += 1) {
        const asked = messageOf(turn, goals, `https://${site.host}`);
        note(`turn ${turn} of ${options.turns}: ${asked.kind}`);
        let [skill, steps, problem]: [string | null, number, string | null] = [null, 0, null];
        for await (const event of agent.send({ ...asked.send, ...(conversationId === undefined ? {} : { conversationId }) }, signal)) {
          if (event.type === "turn-started") conversationId = event.turn.conversationId;
          if (event.type === "skill-taken") skill = event.name;
          if (event.type === "step-finished") steps += 1;
          if (event.type === "turn-finished") problem = event.problem;
        }
        signal.throwIfAborted();
        if (problem !== null) throw new Error(`turn ${turn} of the bench was not answered: ${problem}`);
        const use = count.end();
        turns.push({ turn, kind: asked.kind, ...use, ratio: over(use.evaluated, use.fresh), referenceRatio: over(use.reference, use.fresh), skill, steps });
      }
      return { model: model.id, turns };
    } finally {
      await agent.close();
    }
  } finally {
    await served.close();
    await model.dispose();
  }
}

/** The first of every eight turns uses the skill, the fifth opens a page by itself, the others talk. */
function messageOf(turn: number, goals: readonly SiteGoal[], url: string): { readonly kind: PrefixTurn["kind"]; readonly send: Send } {
  if (turn % 8 === 1) {
    const goal = goals[1 + (Math.floor(turn / 8) % Math.max(1, goals.length - 1))];
    return { kind: "skill", send: { text: goal?.text ?? "", mode: "advisory", takeSuggestion: true, maxSteps: 12 } };
  }
  if (turn % 8 === 5) return { kind: "page", send: { text: `Open ${url} and tell me what it is about.`, noSkills: true, maxSteps: 3 } };
  return { kind: "talk", send: { text: talk[turn % talk.length] ?? "", noSkills: true, maxSteps: 1 } };
}

const talk = [
  "Thank you. What did I ask you for last?",
  "How much is seven times eight?",
  "Name two things that you can do for me.",
  "Which month comes after May?",
];

async function show(agent: HostedAgent, { text, show }: SiteGoal, url: string, signal: AbortSignal): Promise<void> {
  const script = show ?? [];
  const isOpening = script[0]?.[0] === "open";
  const showing = await agent.startShowing(text, (isOpening ? script[0]?.[1] : undefined) ?? url);
  await agent.showing.perform(showing.id, isOpening ? script.slice(1) : script, signal);
  await agent.finishShowing(showing.id);
  await agent.confirmShowing(showing.id, "bench");
}

/** Nothing new and nothing evaluated is no repetition. */
function over(evaluated: number, fresh: number): number {
  return fresh === 0 ? (evaluated === 0 ? 1 : Number.POSITIVE_INFINITY) : evaluated / fresh;
}
