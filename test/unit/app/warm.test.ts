import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { openStateFolder } from "#adapters/llama/index.ts";
import { type Answer, type ScriptedModel, scriptedModel } from "#adapters/scripted/index.ts";
import { createAgent, type HostedAgent } from "#app/create-agent.ts";
import { type LanguageModel, silentLog } from "#core/ports/index.ts";
import { writeStep } from "#core/turn/step-text.ts";

const never = new AbortController().signal;
const says = (text: string): string => writeStep("reply", { text });
const key = { model: "m", library: "l", engine: "e", machine: "x", contextSize: 1, batchSize: 1, flashAttention: "auto", keyType: "F16", valueType: "F16" };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "knack-warm-"));
  const made = folder;
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
});

const states = () =>
  openStateFolder({
    root: join(folder, "cache", "states"),
    store: join(folder, "home"),
    limitBytes: () => 1e9,
    isAlive: () => false,
    log: silentLog,
    freeBytes: () => 1e12,
  });

/** A model whose states are a few bytes, saved as soon as a turn has ended. */
function savingModel(answers: readonly Answer[]): { readonly scripted: ScriptedModel; readonly model: LanguageModel; readonly saved: () => Promise<void> } {
  const scripted = scriptedModel(answers);
  const kept = states();
  let saving: Promise<void> = Promise.resolve();
  const save = async (conversation: string, note: string): Promise<void> => {
    await kept.save({ conversation }, { key, tokens: [1], note }, async (file) => {
      writeFileSync(file, "state");
      return 5;
    });
    await kept.idle();
  };
  const rest = (conversation: string, note: string): void => {
    scripted.keeper.rest(conversation, note);
    saving = save(conversation, note);
  };
  return { scripted, model: { ...scripted, keeper: { ...scripted.keeper, rest } }, saved: () => saving };
}

async function agentOn(model: LanguageModel): Promise<HostedAgent> {
  const agent = await createAgent({
    dataFolder: join(folder, "home"),
    cacheFolder: join(folder, "cache"),
    env: {},
    maintenance: false,
    models: { chat: async () => model, embedder: async () => null },
  });
  onTestFinished(() => agent.close());
  return agent;
}

async function ask(agent: HostedAgent, text: string, conversationId?: string): Promise<string> {
  let id = "";
  for await (const event of agent.send({ text, ...(conversationId === undefined ? {} : { conversationId }) }, never)) {
    if (event.type === "turn-finished") id = event.turn.conversationId;
  }
  return id;
}

describe("warming", () => {
  it("evaluates, while a message is typed, exactly what its prompt begins with", async () => {
    const model = scriptedModel([says("Hello.")]);
    const agent = await agentOn(model);
    await agent.warm(undefined, never);
    await ask(agent, "Begin");
    const [warmed] = model.warmed;
    expect(warmed).toMatchObject({ keep: { conversation: null, prefix: 1 }, messages: [{ role: "system" }] });
    expect(model.requests[0]?.messages[0]).toEqual(warmed?.messages[0]);
    expect(model.requests[0]?.keep).toMatchObject({ prefix: 1 });
  });

  it("of a conversation takes all of it that was said", async () => {
    const model = scriptedModel([says("Hello."), says("Again.")]);
    const agent = await agentOn(model);
    const id = await ask(agent, "Begin");
    await agent.warm(id, never);
    await ask(agent, "And?", id);
    const [{ messages = [], keep } = {}] = model.warmed;
    expect(keep?.conversation).toBe(id);
    expect(messages).toHaveLength(3);
    expect(model.requests[1]?.messages.slice(0, 3)).toEqual(messages);
  });

  it("of a conversation that is not there is an error, and while one is answered nothing happens", async () => {
    const model = scriptedModel([
      () => {
        void agent.warm(undefined, never);
        return says("Hello.");
      },
    ]);
    const agent = await agentOn(model);
    await expect(agent.warm("nowhere", never)).rejects.toMatchObject({ code: "bad-input" });
    await ask(agent, "Begin");
    expect(model.warmed).toEqual([]);
  });
});

describe("warming that something comes between", () => {
  /** An agent whose model takes until it is let go on to load. */
  async function loading(model: ScriptedModel) {
    const load = Promise.withResolvers<void>();
    const agent = await createAgent({
      dataFolder: join(folder, "home"),
      cacheFolder: join(folder, "cache"),
      env: {},
      maintenance: false,
      models: {
        async chat() {
          await load.promise;
          return model;
        },
        embedder: async () => null,
      },
    });
    onTestFinished(() => agent.close());
    return { agent, load: load.resolve };
  }

  async function talkBefore(): Promise<string> {
    const before = await agentOn(scriptedModel([says("Hello.")]));
    const id = await ask(before, "My sister is called Ada");
    await before.close();
    return id;
  }

  it("takes no place from a message that came while the model was loaded", async () => {
    const id = await talkBefore();
    const model = scriptedModel([says("Hello.")]);
    const { agent, load } = await loading(model);
    const warmed = agent.warm(id, never);
    const answered = ask(agent, "Begin");
    await vi.waitFor(() => expect(agent.conversations()).toHaveLength(2));
    load();
    await Promise.all([warmed, answered]);
    expect(model.warmed).toEqual([]);
  });

  it("brings nothing back of a conversation that is erased meanwhile, nor of a fact", async () => {
    const id = await talkBefore();
    const model = scriptedModel([]);
    const { agent, load } = await loading(model);
    const warmed = agent.warm(id, never);
    const erased = agent.deleteConversation(id);
    load();
    await Promise.all([warmed, erased]);
    expect(model.warmed).toEqual([]);
    const fact = agent.addFact("I live in Ghent");
    const again = agent.warm(undefined, never);
    await agent.forgetFact(fact.id);
    await again;
    expect(model.warmed.filter(({ messages }) => messages.some(({ text }) => text.includes("Ghent")))).toEqual([]);
  });
});

describe("a conversation that is taken up in another process", () => {
  it("goes on with the very prompt it was left with", async () => {
    const { scripted, model, saved } = savingModel([says("Hello.")]);
    const first = await agentOn(model);
    const id = await ask(first, "Begin");
    await saved();
    await first.close();
    const later = scriptedModel([says("Again.")]);
    await ask(await agentOn(later), "And?", id);
    const before = scripted.requests[0]?.messages ?? [];
    expect(later.requests[0]?.messages.slice(0, before.length)).toEqual(before);
    expect(later.requests[0]?.messages[before.length]).toEqual({ role: "assistant", text: says("Hello.") });
  });

  it("goes by what is stored where it went on since elsewhere", async () => {
    const { model, saved } = savingModel([says("Hello.")]);
    const first = await agentOn(model);
    const id = await ask(first, "Begin");
    await saved();
    await first.close();
    const second = await agentOn(scriptedModel([says("Two.")]));
    await ask(second, "More", id);
    await second.close();
    const later = scriptedModel([says("Three.")]);
    await ask(await agentOn(later), "And?", id);
    expect(later.requests[0]?.messages.map(({ text }) => text).slice(1, 5)).toEqual(["Begin", says("Hello."), "More", says("Two.")]);
  });
});

describe("what is kept of a conversation", () => {
  async function kept() {
    const { scripted, model, saved } = savingModel([says("Hello."), says("Hello.")]);
    const agent = await agentOn(model);
    const id = await ask(agent, "My sister is called Ada");
    await saved();
    const other = await ask(agent, "Begin");
    await saved();
    return { agent, scripted, id, other, has: (one: string) => states().note(one) !== null };
  }

  it("goes when it is erased, in memory and on disk, and what is kept of others stays", async () => {
    const { agent, scripted, id, other, has } = await kept();
    expect([has(id), has(other)]).toEqual([true, true]);
    await agent.deleteConversation(id);
    expect([has(id), has(other)]).toEqual([false, true]);
    expect(scripted.kept).toContain(`forget ${id}`);
  });

  it("goes with one of its tasks", async () => {
    const { agent, id, has } = await kept();
    await agent.eraseEpisode(agent.conversation(id).episodes[0]?.id ?? "");
    expect(has(id)).toBe(false);
  });

  it("goes, all of it, when a fact is forgotten or memory is switched off", async () => {
    for (const forget of [
      (agent: HostedAgent) => agent.forgetFact(agent.addFact("I live in Ghent").id),
      (agent: HostedAgent) => void agent.changeSettings({ memory: false }),
    ]) {
      const { agent, id, other, has } = await kept();
      forget(agent);
      expect([has(id), has(other)]).toEqual([false, false]);
      await agent.close();
    }
  });

  it("goes when the settings leave no room for it", async () => {
    const { agent, id, has } = await kept();
    agent.changeSettings({ stateMegabytes: 0 });
    expect(has(id)).toBe(false);
  });
});
