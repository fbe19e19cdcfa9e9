import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { scriptedEmbedder } from "#adapters/scripted/index.ts";
import { createAgent, type HostedAgent } from "#app/create-agent.ts";
import type { TurnEvent } from "#contract/chat/schema.ts";
import type { Generation, LanguageModel } from "#core/ports/index.ts";

const never = new AbortController().signal;

/** A model that answers when it is told to, and says for what it was asked. */
function heldModel(): LanguageModel & { readonly asked: string[]; answer(): void } {
  const asked: string[] = [];
  let free: (() => void)[] = [];
  return {
    id: "held",
    hash: "0".repeat(64),
    contextSize: 8192,
    asked,
    answer() {
      const [next, ...rest] = free;
      free = rest;
      next?.();
    },
    async generate({ messages, onText }, signal): Promise<Generation> {
      asked.push((messages.at(-1)?.text ?? "").split("\n")[0] ?? "");
      await new Promise<void>((resolve, reject) => {
        free.push(resolve);
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      });
      const text = '{"tool":"reply","args":{"text":"Yes."}}';
      onText?.(text);
      return { text, tokensEvaluated: 100, tokensReused: 10, tokensGenerated: 5, stopped: "end", durationMs: 1 };
    },
    likelihood: async (_messages, answers) => answers.map(() => 1 / answers.length),
    countTokens: (text) => Math.ceil(text.length / 4),
    async dispose() {},
  };
}

async function agentWith(model: LanguageModel, isFree = async (): Promise<void> => undefined): Promise<HostedAgent> {
  const folder = mkdtempSync(join(tmpdir(), "knack-waiting-"));
  const embedder = scriptedEmbedder();
  const agent = await createAgent({
    dataFolder: join(folder, "home"),
    cacheFolder: join(folder, "cache"),
    env: {},
    maintenance: false,
    models: { chat: () => isFree().then(() => model), embedder: async () => embedder },
  });
  onTestFinished(async () => {
    await agent.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return agent;
}

interface Sent {
  readonly events: TurnEvent[];
  readonly ended: Promise<void>;
}

function send(agent: HostedAgent, text: string, conversationId?: string): Sent {
  const events: TurnEvent[] = [];
  const ended = (async () => {
    for await (const event of agent.send({ text, ...(conversationId === undefined ? {} : { conversationId }) }, never)) events.push(event);
  })();
  return { events, ended };
}

const waits = ({ events }: Sent) => events.flatMap((event) => (event.type === "turn-waiting" ? [`${event.ahead} ${event.behind?.title ?? "-"}`] : []));
const status = ({ events }: Sent) => events.flatMap((event) => (event.type === "turn-finished" ? [event.turn.status] : []))[0];

describe("a second conversation while one is answered", () => {
  it("waits its turn, says for whom, and is answered after it", async () => {
    const model = heldModel();
    const agent = await agentWith(model);
    const first = send(agent, "First things first");
    await expect.poll(() => model.asked).toEqual(["First things first"]);
    const second = send(agent, "And second");
    const third = send(agent, "And third");
    await expect.poll(() => [waits(second), waits(third)]).toEqual([["1 First things first"], ["2 First things first"]]);
    // What was said is stored before it is its turn.
    expect(agent.conversations()).toHaveLength(3);
    model.answer();
    await first.ended;
    await expect.poll(() => model.asked).toEqual(["First things first", "And second"]);
    expect(waits(third).at(-1)).toBe("1 And second");
    model.answer();
    await second.ended;
    await expect.poll(() => model.asked.at(-1)).toBe("And third");
    model.answer();
    await third.ended;
    expect([first, second, third].map(status)).toEqual(["done", "done", "done"]);
  });

  it("can be stopped while it waits, and the first one goes on", async () => {
    const model = heldModel();
    const agent = await agentWith(model);
    const first = send(agent, "First things first");
    await expect.poll(() => model.asked).toHaveLength(1);
    const second = send(agent, "And second");
    await expect.poll(() => waits(second)).toHaveLength(1);
    const started = second.events.find((event) => event.type === "turn-started");
    expect(started?.type === "turn-started" && agent.stop(started.turn.id)).toBe(true);
    await second.ended;
    expect([status(second), status(first)]).toEqual(["stopped", undefined]);
    model.answer();
    await first.ended;
    expect([model.asked, status(first)]).toEqual([["First things first"], "done"]);
  });
});

describe("what a conversation holds, over the agent", () => {
  it("stands in its snapshot, and a compaction is refused while it answers", async () => {
    const model = heldModel();
    const agent = await agentWith(model);
    const first = send(agent, "Hello");
    await expect.poll(() => model.asked).toHaveLength(1);
    const [conversation] = agent.conversations();
    const id = conversation?.id ?? "";
    await expect(agent.compactConversation(id)).rejects.toMatchObject({ code: "turn.running" });
    model.answer();
    await first.ended;
    expect(agent.conversation(id)).toMatchObject({ context: { used: 115, size: 8192 }, compactions: [] });
    await expect(agent.compactConversation(id)).rejects.toMatchObject({ code: "conversation.nothing-to-compact" });
    await expect(agent.undoCompaction(id)).rejects.toMatchObject({ code: "conversation.not-compacted" });
    await expect(agent.compactConversation("none")).rejects.toMatchObject({ code: "bad-input" });
  });

  it("is compacted and put back, and lets no message in meanwhile", async () => {
    const model = heldModel();
    let loading = Promise.resolve();
    const agent = await agentWith(model, () => loading);
    let id = "";
    for (let n = 0; n < 8; n++) {
      const one = send(agent, `Question ${n} ${"with many words ".repeat(200)}`, id === "" ? undefined : id);
      await expect.poll(() => model.asked).toHaveLength(n + 1);
      model.answer();
      await one.ended;
      id = agent.conversations()[0]?.id ?? "";
    }
    const load = Promise.withResolvers<void>();
    loading = load.promise;
    const compacting = agent.compactConversation(id);
    await expect(send(agent, "Now", id).ended).rejects.toMatchObject({ code: "turn.running" });
    load.resolve();
    const made = await compacting;
    expect(agent.conversation(id)).toMatchObject({ compactions: [made], context: { used: made.tokensAfter } });
    expect((await agent.undoCompaction(id)).undoneAt).not.toBeNull();
    expect(agent.conversation(id).context?.used).toBe(made.tokensBefore);
  });
});

describe("the state of the chat model", () => {
  it("says that its context is smaller than wanted, also while it is not loaded", async () => {
    const agent = await agentWith(heldModel());
    const { smallerContextWords } = await import("#contract/models/schema.ts");
    agent.world.stores.settings.set("loadedContext", { model: "qwen2.5-coder-1.5b", size: 4096, asked: 8192 });
    const { model } = await agent.status();
    // Without the file on this machine there is no model to say it of.
    if (model.id === "qwen2.5-coder-1.5b") expect(model).toMatchObject({ contextSize: 4096, contextAsked: 8192 });
    expect(smallerContextWords({ size: 4096, asked: 8192 })).toContain("4,096 tokens instead of 8,192");
    expect(smallerContextWords({ size: 8192, asked: 8192 })).toBeNull();
  });
});
