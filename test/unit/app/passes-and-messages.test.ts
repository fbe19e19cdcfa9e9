import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Answer, scriptedEmbedder, scriptedModel } from "#adapters/scripted/index.ts";
import { addEpisodes } from "#app/bench/made-episodes.ts";
import { topicOf } from "#app/bench/made-skills.ts";
import type { AgentConfig } from "#app/config.ts";
import { createAgent, type HostedAgent } from "#app/create-agent.ts";
import type { TurnEvent } from "#contract/chat/schema.ts";
import type { PassReport } from "#contract/learning/schema.ts";
import type { GenerateRequest, LanguageModel, PowerState } from "#core/ports/index.ts";
import { says } from "../../fixtures/makers/stage.ts";

const { signal } = new AbortController();
const wording = "name: made-routine\nwhen: Use this for the made routine\n";

/** A model that answers messages at once; what it says in a pass is told, or waited for until the pass gives way. */
function model(
  inPass: (request: GenerateRequest, signal: AbortSignal) => Promise<string> = async () => wording,
): LanguageModel & { readonly distilled: () => number } {
  const scripted = scriptedModel();
  let distilled = 0;
  return {
    ...scripted,
    distilled: () => distilled,
    async generate(request, inner) {
      const isPass = request.messages[0]?.text.startsWith("You name routines");
      if (isPass) distilled += 1;
      const answer: Answer = isPass ? await inPass(request, inner) : says("Four.");
      scripted.say(answer);
      return scripted.generate(request, inner);
    },
  };
}

interface Place {
  readonly folder: string;
  open(change?: Partial<AgentConfig>): Promise<HostedAgent>;
}

/** A data folder in which agents may follow each other; all are closed in the end. */
function place(): Place {
  const folder = mkdtempSync(join(tmpdir(), "knack-passes-"));
  const open: HostedAgent[] = [];
  onTestFinished(async () => {
    for (const agent of open) await agent.close().catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    async open(change = {}) {
      const agent = await createAgent({
        dataFolder: join(folder, "home"),
        cacheFolder: join(folder, "cache"),
        env: {},
        models: { chat: async () => model(), embedder: async () => scriptedEmbedder() },
        power: onMains,
        ...change,
      });
      open.push(agent);
      return agent;
    },
  };
}

const power = (state: PowerState): AgentConfig["power"] & object => ({ read: async () => state });
const onMains = power({ onBattery: false, level: null });

/** Episodes of a few kinds, whose sites are granted. */
async function fill(agent: HostedAgent, episodes: number, kinds = 2): Promise<void> {
  for (let kind = 0; kind < kinds; kind += 1) agent.addGrant(topicOf(kind).site, "Kim");
  await addEpisodes(agent.world, { from: 0, to: episodes, kinds }, signal);
}

interface Answered {
  readonly events: readonly TurnEvent[];
  /** Milliseconds until the first event, and until the first text. */
  readonly begun: number;
  readonly text: number;
}

async function ask(agent: HostedAgent): Promise<Answered> {
  const start = performance.now();
  const events: TurnEvent[] = [];
  let [begun, text] = [0, 0];
  for await (const event of agent.send({ text: "How much is two and two?" }, signal)) {
    if (events.length === 0) begun = performance.now() - start;
    if (event.type === "text-delta" && text === 0) text = performance.now() - start;
    events.push(event);
  }
  return { events, begun, text };
}

async function until(is: () => boolean): Promise<void> {
  for (let time = 0; time < 500 && !is(); time += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(is()).toBe(true);
}

const names = (agent: HostedAgent): string[] => agent.skills(true).map(({ name }) => name);
const learnedIn = (reports: readonly PassReport[]): number => reports.flatMap(({ entries }) => entries).filter(({ decision }) => decision === "added").length;

describe("IND-15: a message in the middle of a pass", () => {
  it("is answered at once while the model words a routine; the pass goes on after it, nothing lost or doubled", async () => {
    let tellWording: (() => void) | undefined;
    const isWording = new Promise<void>((resolve) => {
      tellWording = resolve;
    });
    const chat = model(async (_request, inner) => {
      if (chat.distilled() > 1) return wording;
      tellWording?.();
      return new Promise<never>((_resolve, reject) => inner.addEventListener("abort", () => reject(inner.reason as Error)));
    });
    const agent = await place().open({ models: { chat: async () => chat, embedder: async () => scriptedEmbedder() }, maintenance: false, maxDistillations: 1 });
    await fill(agent, 30);
    const passing = agent.induce(true, signal);
    await isWording;
    const { events } = await ask(agent);
    expect(events.at(-1)).toMatchObject({ type: "turn-finished", problem: null });
    const report = await passing;
    expect(report.note).toBe("The pass gave way to a message while working out routines, and went on afterwards.");
    expect([learnedIn([report]), names(agent), agent.reports().length]).toEqual([1, ["made-routine"], 1]);
    expect(learnedIn([await agent.induce(true, signal)])).toBeLessThanOrEqual(1);
  });

  it("finds the pass out of the way within 100 ms, wherever it is, and after several the pass has read everything once", async () => {
    const agent = await place().open({ maintenance: false });
    await fill(agent, 250, 40);
    await ask(agent);
    let isOver = false;
    const passing = agent.induce(true, signal).finally(() => {
      isOver = true;
    });
    const begun: number[] = [];
    for (let time = 0; time < 12 && !isOver; time += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5 + time * 7));
      if (!isOver) begun.push((await ask(agent)).begun);
    }
    const report = await passing;
    expect(begun.length).toBeGreaterThan(2);
    // The median: what one of them may wait for on a busy machine is not the pass.
    expect(begun.sort((a, b) => a - b)[Math.floor(begun.length / 2)]).toBeLessThan(100);
    expect(report.note).toContain("gave way to");
    const undisturbed = await place().open({ maintenance: false });
    await fill(undisturbed, 250, 40);
    const whole = await undisturbed.induce(true, signal);
    const told = ({ entries }: PassReport): string[] => entries.map(({ episodes, decision }) => `${decision} ${[...episodes].sort().join()}`).sort();
    expect(told(report)).toEqual(told(whole));
  }, 60_000);

  it("that never comes to its turn lets the pass go on all the same", async () => {
    const agent = await place().open({ maintenance: false });
    await fill(agent, 30);
    const passing = agent.induce(true, signal);
    await expect(agent.send({ text: "Hello", conversationId: "none" }, signal)[Symbol.asyncIterator]().next()).rejects.toThrow("There is no conversation none");
    expect(learnedIn([await passing])).toBeGreaterThan(0);
  });

  it("two passes that are asked for run one after the other, and learn nothing twice", async () => {
    const agent = await place().open({ maintenance: false });
    await fill(agent, 60);
    const reports = await Promise.all([agent.induce(true, signal), agent.induce(true, signal)]);
    expect(names(agent)).toHaveLength(learnedIn(reports));
  });
});

describe("a pass in the background", () => {
  it("runs after the first answer of a process, and not before", async () => {
    const agent = await place().open();
    await fill(agent, 30);
    expect(agent.reports()).toEqual([]);
    await ask(agent);
    await until(() => agent.reports().length > 0);
    expect(learnedIn(agent.reports())).toBeGreaterThan(0);
  });

  it("runs when nobody has written for a while, and again while something is left to be learned", async () => {
    const chat = model();
    const agent = await place().open({ models: { chat: async () => chat, embedder: async () => scriptedEmbedder() }, idleAfterMs: 40, maxDistillations: 1 });
    await fill(agent, 200, 8);
    await until(() => agent.reports().length > 2);
    expect(learnedIn(agent.reports())).toBeGreaterThan(1);
  });

  it("does not run while learning is off", async () => {
    const agent = await place().open({ idleAfterMs: 20 });
    agent.changeSettings({ learning: false });
    await fill(agent, 30);
    await ask(agent);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(agent.reports()).toEqual([]);
  });

  it("does not run on battery, and says so once; plugged in, it runs after the next answer", async () => {
    let state: PowerState = { onBattery: true, level: 0.9 };
    const agent = await place().open({ power: { read: async () => state } });
    await fill(agent, 30);
    for (let time = 0; time < 2; time += 1) await ask(agent);
    await until(() => agent.reports().length > 0);
    expect(agent.reports().map(({ note }) => note)).toEqual([
      "The pass did not run: the machine is on battery. It runs once it is plugged in, or with “Learn on battery” in Settings.",
    ]);
    state = { onBattery: false, level: 0.9 };
    await ask(agent);
    await until(() => learnedIn(agent.reports()) > 0);
  });

  it.each<[PowerState, boolean]>([
    [{ onBattery: true, level: 0.8 }, true],
    [{ onBattery: true, level: null }, true],
    [{ onBattery: true, level: 0.2 }, false],
  ])("on battery (%o), where the user asked for it, it runs: %s", async (state, runs) => {
    const agent = await place().open({ power: power(state) });
    agent.changeSettings({ learnOnBattery: true });
    await fill(agent, 30);
    await ask(agent);
    await until(() => agent.reports().length > 0);
    expect(learnedIn(agent.reports()) > 0).toBe(runs);
    if (!runs) expect(agent.reports()[0]?.note).toContain("the battery is below 30 %");
  });

  it("that a person asks for runs on battery too", async () => {
    const agent = await place().open({ power: power({ onBattery: true, level: 0.1 }), maintenance: false });
    await fill(agent, 30);
    expect(learnedIn([await agent.induce(true, signal)])).toBeGreaterThan(0);
  });

  it("says where it stopped when Knack is closed, and the next process goes on from there", async () => {
    const at = place();
    let stopped: (() => void) | undefined;
    const isWording = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    const waits = model((_request, inner) => {
      stopped?.();
      return new Promise<never>((_resolve, reject) => inner.addEventListener("abort", () => reject(inner.reason as Error)));
    });
    const first = await at.open({ models: { chat: async () => waits, embedder: async () => scriptedEmbedder() } });
    await fill(first, 30);
    await ask(first);
    await isWording;
    await first.close();
    const next = await at.open({ maintenance: false });
    expect(next.reports().map(({ note }) => note)).toEqual(["The pass stopped while working out routines: Knack was closed. The next one goes on from there."]);
    const report = await next.induce(true, signal);
    expect([report.episodesRead, learnedIn([report]) > 0]).toEqual([0, true]);
  });
});
