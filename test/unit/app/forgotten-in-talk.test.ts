import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type ScriptedModel, scriptedModel } from "#adapters/scripted/index.ts";
import { createAgent, type HostedAgent } from "#app/create-agent.ts";
import { temporaryFolder } from "../../fixtures/makers/skill-files.ts";
import { says } from "../../fixtures/makers/stage.ts";

const never = new AbortController().signal;
/** A name that stands nowhere else. */
const name = "Zyxqwvk";

async function agentIn(folder: string, model: ScriptedModel, undoMs = 20): Promise<HostedAgent> {
  const agent = await createAgent({
    dataFolder: join(folder, "home"),
    cacheFolder: join(folder, "cache"),
    env: {},
    maintenance: false,
    undoMs,
    approve: async () => "allow",
    models: { chat: async () => model, embedder: async () => null },
  });
  onTestFinished(() => agent.close());
  return agent;
}

async function ask(agent: HostedAgent, text: string, conversationId?: string): Promise<string> {
  let id = "";
  for await (const event of agent.send({ text, ...(conversationId === undefined ? {} : { conversationId }) }, never))
    if (event.type === "turn-finished") id = event.turn.conversationId;
  return id;
}

const promptOf = (model: ScriptedModel): string => (model.requests.at(-1)?.messages ?? []).map(({ text }) => text).join("\n");

/** Files of the data folder that hold the name. */
function filesHolding(folder: string): string[] {
  return readdirSync(join(folder, "home"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name), "latin1").includes(name))
    .map((entry) => entry.name);
}

const erased = (agent: HostedAgent) => vi.waitFor(() => expect(agent.world.stores.facts.letGoUntil(Number.MAX_SAFE_INTEGER)).toEqual([]), { timeout: 5000 });

describe("what was forgotten in a conversation", () => {
  it("is in no prompt after it: the user's own message stays as it was written, and the model reads a mark in its place", async () => {
    const model = scriptedModel([says(`Hello ${name}, how are you?`), says("Well."), says("Fine.")]);
    const folder = temporaryFolder();
    const agent = await agentIn(folder, model, 60_000);
    const talk = await ask(agent, `My name is ${name}, what is a lighthouse?`);
    expect(promptOf(model)).toContain(name);
    await ask(agent, "Forget my name", talk);
    await ask(agent, "And what is a tower?", talk);
    expect(promptOf(model)).not.toContain(name);
    expect(promptOf(model)).toContain("[forgotten] what is a lighthouse?");
    expect(agent.conversation(talk).messages[0]?.text).toBe(`My name is ${name}, what is a lighthouse?`);
    // Another process reads no more of it, also once it is erased for good.
    await agent.close();
    const next = scriptedModel([says("A tower."), says("Nothing.")]);
    const other = await agentIn(folder, next);
    await ask(other, "Say that again", talk);
    expect(promptOf(next)).not.toContain(name);
    expect(promptOf(next)).toContain("[forgotten] what is a lighthouse?");
    expect(other.conversation(talk).messages[0]?.text).toContain(name);
  });

  it("is in nothing that Knack wrote: answers, steps, goals, titles, recall, compactions, backups; only the user's message holds it", async () => {
    const long = "It is a tower with a lamp by which ships see the coast at night. ".repeat(30);
    const model = scriptedModel([says(`Hello ${name}! ${long}`), says(`${name}, that is all.`), says(long), says("Fine.")]);
    const folder = temporaryFolder();
    const agent = await agentIn(folder, model);
    const talk = await ask(agent, `My name is ${name}, what is a lighthouse?`);
    const other = await ask(agent, "Say hello to me, and what is a tower?");
    await ask(agent, "What is a tower?", talk);
    await agent.compactConversation(talk);
    const { stores } = agent.world;
    expect([stores.trace.episodesOf(talk)[0]?.goal, agent.conversation(talk).conversation.title, agent.conversation(talk).compactions[0]?.text]).toEqual([
      expect.stringContaining(name),
      expect.stringContaining(name),
      expect.stringContaining(name),
    ]);
    await ask(agent, "Forget my name", other);
    await erased(agent);
    await agent.eraseBackups();
    const { conversation, messages, steps, turns, episodes, compactions } = agent.conversation(talk);
    expect(messages.filter(({ text }) => text.includes(name)).map(({ role, text }) => `${role}: ${text}`)).toEqual([
      `user: My name is ${name}, what is a lighthouse?`,
    ]);
    expect(JSON.stringify([conversation, steps, turns, episodes, compactions, agent.conversation(other), agent.alerts(true), agent.facts()])).not.toContain(
      name,
    );
    expect(messages.find(({ role }) => role === "assistant")?.text).toMatch(/^Hello \[forgotten\]! It is a tower/u);
    expect(agent.searchMessages(name).map(({ role }) => role)).toEqual(["user"]);
    // The message goes with its task, and then no byte of the data folder has it.
    await agent.deleteConversation(talk, true);
    await agent.close();
    expect(filesHolding(folder)).toEqual([]);
  });

  it("can be taken back: then prompts have it again", async () => {
    const model = scriptedModel([says("A tower."), says("Fine.")]);
    const agent = await agentIn(temporaryFolder(), model, 60_000);
    const talk = await ask(agent, `My name is ${name}, what is a lighthouse?`);
    const { id } = agent.facts()[0] ?? { id: "" };
    await ask(agent, "Forget my name", talk);
    agent.takeBackFact(id);
    await ask(agent, "And what is a tower?", talk);
    expect(promptOf(model)).toContain(`My name is ${name}`);
  });

  it("is not shown to the model when it looks in past conversations", async () => {
    const model = scriptedModel([says("A tower."), '{"tool":"search_past_conversations","args":{"about":"lighthouse"}}', says("Fine.")]);
    const agent = await agentIn(temporaryFolder(), model);
    const talk = await ask(agent, `My name is ${name}, what is a lighthouse?`);
    await ask(agent, "Forget my name", talk);
    await erased(agent);
    await ask(agent, "What did we say about the lighthouse last time?");
    expect(promptOf(model)).toContain("the user: [forgotten] what is a lighthouse?");
    expect(promptOf(model)).not.toContain(name);
  });

  it("stays where something else in memory has the same name", async () => {
    const model = scriptedModel([says(`Good day, ${name} is a fine name for a cat.`), says("Fine.")]);
    const agent = await agentIn(temporaryFolder(), model);
    agent.addFact(`My cat is called ${name}`);
    const talk = await ask(agent, "What is a good name for a cat?");
    const { id } = agent.addFact(`My name is ${name}`);
    await agent.forgetFact(id);
    expect(agent.conversation(talk).messages.at(-1)?.text).toBe(`Good day, ${name} is a fine name for a cat.`);
  });
});
