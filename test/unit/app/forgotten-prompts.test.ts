import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { openStateFolder } from "#adapters/llama/index.ts";
import { type ScriptedModel, scriptedModel } from "#adapters/scripted/index.ts";
import { backupDaily } from "#adapters/sqlite/index.ts";
import { createAgent, type HostedAgent } from "#app/create-agent.ts";
import { notedPrompt, promptNote } from "#app/prompt-note.ts";
import { type Approver, silentLog } from "#core/ports/index.ts";
import { writeStep } from "#core/turn/step-text.ts";
import { temporaryFolder } from "../../fixtures/makers/skill-files.ts";
import { says } from "../../fixtures/makers/stage.ts";

const never = new AbortController().signal;
/** A word that stands nowhere else. */
const word = "Zyxqwvk";
const key = { model: "m", library: "l", engine: "e", machine: "x", contextSize: 1, batchSize: 1, flashAttention: "auto", keyType: "F16", valueType: "F16" };

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

async function agentOn(model: ScriptedModel, approve?: Approver): Promise<HostedAgent> {
  const agent = await createAgent({
    dataFolder: join(folder, "home"),
    cacheFolder: join(folder, "cache"),
    env: {},
    maintenance: false,
    models: { chat: async () => model, embedder: async () => null },
    ...(approve ? { approve } : {}),
  });
  onTestFinished(() => agent.close());
  return agent;
}

async function ask(agent: HostedAgent, text: string, conversationId?: string): Promise<string> {
  let id = "";
  for await (const event of agent.send({ text, noSkills: true, ...(conversationId === undefined ? {} : { conversationId }) }, never))
    if (event.type === "turn-finished") id = event.turn.conversationId;
  return id;
}

const states = () =>
  openStateFolder({
    root: join(folder, "cache", "states"),
    store: join(folder, "home"),
    limitBytes: () => 1e9,
    isAlive: () => true,
    log: silentLog,
    freeBytes: () => 1e12,
  });

async function saveState(owner: { conversation: string }): Promise<void> {
  const kept = states();
  await kept.save(owner, { key, tokens: [1], note: "n" }, async (file) => {
    writeFileSync(file, "state");
    return 5;
  });
  await kept.idle();
}

const promptOf = (model: ScriptedModel): string => (model.requests.at(-1)?.messages ?? []).map(({ text }) => text).join("\n");
const recalls = writeStep("recall", { about: "tea" });

describe("what is forgotten", () => {
  it("stands no longer in the prompt of a conversation in which it was looked up; what was said there still does", async () => {
    const model = scriptedModel([recalls, says("I looked."), says("Fine."), says("Fine.")]);
    const agent = await agentOn(model);
    const { id } = agent.addFact(`My favourite tea is ${word}`);
    const talk = await ask(agent, "Recall my tea, please");
    await ask(agent, "Thanks", talk);
    expect(promptOf(model)).toContain(word);
    await agent.forgetFact(id);
    await ask(agent, "And now?", talk);
    expect(promptOf(model)).not.toContain(word);
    expect(promptOf(model)).toContain("Recall my tea, please");
    expect(promptOf(model)).toContain("I looked.");
  });

  it("in another process is gone from the prompts of this one as well, and so are the states it keeps", async () => {
    const model = scriptedModel([recalls, says("I looked."), says("Fine.")]);
    const agent = await agentOn(model);
    const { id } = agent.addFact(`My favourite tea is ${word}`);
    const talk = await ask(agent, "Recall my tea, please");
    const other = await agentOn(scriptedModel([]));
    await other.forgetFact(id);
    await ask(agent, "And now?", talk);
    expect(promptOf(model)).not.toContain(word);
    expect(model.kept.filter((one) => one === "forget all")).toHaveLength(1);
  });

  it("while a turn runs that was given it, is let go of once more when that ends", async () => {
    let forget: Promise<unknown> = Promise.resolve();
    const model = scriptedModel([
      () => {
        forget = agent.forgetFact(id);
        return says("Hello.");
      },
    ]);
    const agent = await agentOn(model);
    const { id } = agent.addFact(`My favourite tea is ${word}`);
    await ask(agent, "Hi");
    await forget;
    expect(model.kept.at(-1)).toBe("forget all");
    expect(model.kept.some((one) => one.startsWith("rest"))).toBe(false);
  });

  it("goes from prompts with memory as a whole when that is switched off", async () => {
    const model = scriptedModel([recalls, says("I looked."), says("Fine.")]);
    const agent = await agentOn(model);
    agent.addFact(`My favourite tea is ${word}`);
    agent.addFact(`I am preparing for the ${word} exam`, "FOCUS");
    const talk = await ask(agent, "Recall my tea, please");
    agent.changeSettings({ memory: false });
    await ask(agent, "And now?", talk);
    expect(promptOf(model)).not.toContain(word);
  });

  it("with the conversation it was said in stands in no state of another one", async () => {
    const model = scriptedModel([writeStep("remember", { fact: `my favourite tea is ${word}` }), says("Kept."), says("Hello.")]);
    const agent = await agentOn(model);
    const talk = await ask(agent, `Please remember that my favourite tea is ${word}`);
    expect(agent.facts()).toHaveLength(1);
    const other = await ask(agent, "Hi");
    await saveState({ conversation: other });
    await agent.deleteConversation(talk);
    expect([agent.facts(), states().note(other)]).toEqual([[], null]);
  });
});

describe("a state that cannot be removed", () => {
  /** Puts a folder in the place of a saved state. */
  async function stuck(): Promise<void> {
    await saveState({ conversation: "stuck" });
    const root = join(folder, "cache", "states");
    const [name = ""] = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((one) => one.endsWith(".state"));
    rmSync(join(root, name));
    mkdirSync(join(root, name));
  }

  it("is told of when a fact is forgotten, and all else of that is done", async () => {
    const agent = await agentOn(scriptedModel([]));
    const { id } = agent.addFact(`My favourite tea is ${word}`);
    const backups = join(folder, "home", "backups");
    await backupDaily(agent.world.stores, backups, Date.now);
    const holding = () => readdirSync(backups).filter((name) => readFileSync(join(backups, name), "latin1").includes(word));
    expect(holding()).toHaveLength(1);
    await stuck();
    await expect(agent.forgetFact(id, true)).rejects.toThrow(/1 saved state of prompts could not be removed from .*cache.states/u);
    expect([agent.facts(), holding()]).toEqual([[], []]);
  });

  it("stops neither process nor settings where memory is switched off", async () => {
    const agent = await agentOn(scriptedModel([]));
    await stuck();
    expect(agent.changeSettings({ memory: false, stateMegabytes: 0 })).toMatchObject({ memory: false, stateMegabytes: 0 });
    await new Promise(setImmediate);
  });
});

describe("a prompt that another process saves after something was forgotten", () => {
  it("is put together anew from what is stored", async () => {
    const model = scriptedModel([recalls, says("I looked.")]);
    const agent = await agentOn(model);
    const { id } = agent.addFact(`My favourite tea is ${word}`);
    const talk = await ask(agent, "Recall my tea, please");
    const { stores } = agent.world;
    const messages = (model.requests.at(-1)?.messages ?? []).slice(1);
    const [{ id: turnId = "" } = {}] = stores.trace.turns(talk);
    const note = promptNote(stores, { conversationId: talk, messages: [...messages], starts: new Map([[turnId, 0]]), marker: "m" });
    expect(notedPrompt(stores, talk, note)?.messages).toEqual(messages);
    await agent.forgetFact(id);
    expect(notedPrompt(stores, talk, note)).toBeNull();
  });
});

describe("a conversation that another process goes on with", () => {
  it("has what was said there in its next prompt here", async () => {
    const model = scriptedModel([says("One."), says("Three.")]);
    const agent = await agentOn(model);
    const talk = await ask(agent, "First");
    const other = await agentOn(scriptedModel([says("Two.")]));
    await ask(other, "Second", talk);
    await ask(agent, "Third", talk);
    expect(model.requests.at(-1)?.messages.map(({ text }) => text)).toEqual([
      expect.stringContaining("You are Knack"),
      "First",
      says("One."),
      "Second",
      says("Two."),
      "Third",
    ]);
  });

  it("has no longer in its prompt what was erased there", async () => {
    const model = scriptedModel([says("One."), says("Two."), says("Three.")]);
    const agent = await agentOn(model);
    const talk = await ask(agent, `Tell me of ${word}`);
    await ask(agent, "Something else entirely", talk);
    const other = await agentOn(scriptedModel([]));
    await other.eraseEpisode(other.conversation(talk).episodes[0]?.id ?? "");
    await ask(agent, "Third", talk);
    expect(promptOf(model)).not.toContain(word);
  });
});

describe("a conversation that another process answers", () => {
  it("is refused until that has ended, and nothing of the message is stored", async () => {
    let answer: (answer: "allow" | "deny") => void = () => undefined;
    const agent = await agentOn(scriptedModel([says("One."), says("Done.")]), () => new Promise((resolve) => (answer = resolve)));
    const talk = await ask(agent, "First");
    // It waits for a person, in the middle of the turn.
    const answering = ask(agent, "Second, at https://portal.example", talk);
    await vi.waitFor(() => expect(agent.world.stores.trace.turns(talk)).toHaveLength(2));
    const other = await agentOn(scriptedModel([says("Two.")]));
    await expect(ask(other, "Third", talk)).rejects.toThrow(/answered in another window or command of Knack/u);
    await expect(other.compactConversation(talk)).rejects.toThrow(/another window or command/u);
    answer("deny");
    await answering;
    expect(agent.conversation(talk).messages.map(({ text }) => text)).toEqual(["First", "One.", "Second, at https://portal.example", "Done."]);
    await ask(other, "Third", talk);
    expect(other.conversation(talk).messages.at(-1)?.text).toBe("Two.");
  });
});
