import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { scriptedModel } from "#adapters/scripted/index.ts";
import type { AgentConfig } from "#app/config.ts";
import { createAgent, type HostedAgent } from "#app/create-agent.ts";
import { dream } from "#app/dream.ts";
import { factKeys } from "#core/learning/index.ts";
import { writeStep } from "#core/turn/step-text.ts";

const { signal } = new AbortController();
/** A word that stands nowhere else. */
const word = "zyxqwvk";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "knack-memory-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function agentIn(folder: string, change: Partial<AgentConfig> = {}): Promise<HostedAgent> {
  const agent = await createAgent({ dataFolder: join(folder, "home"), cacheFolder: join(folder, "cache"), env: {}, maintenance: false, ...change });
  onTestFinished(() => agent.close());
  return agent;
}

/** Files of the data folder, whichever, that hold the word. */
function holding(folder: string, what = word): string[] {
  return readdirSync(join(folder, "home"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file, "latin1").toLowerCase().includes(what))
    .map((file) => file.slice(join(folder, "home").length + 1));
}

const texts = (agent: HostedAgent): string[] => agent.facts().map(({ text }) => text);

async function say(agent: HostedAgent, text: string, conversationId?: string): Promise<string> {
  let id = "";
  for await (const event of agent.send({ text, noSkills: true, ...(conversationId === undefined ? {} : { conversationId }) }, signal))
    if (event.type === "turn-started") id = event.turn.conversationId;
  return id;
}

describe("what a person writes down", () => {
  it("is theirs, under the label it belongs to or the one they say, in one line", async () => {
    const agent = await agentIn(newFolder());
    agent.addFact("  Prefers\n tea\u001b ");
    agent.addFact("The spare key hangs in the hall", "FOCUS");
    expect(agent.facts().map(({ label, text, source }) => [label, text, source])).toEqual([
      ["PREFERENCE", "Prefers tea", "user"],
      ["FOCUS", "The spare key hangs in the hall", "user"],
    ]);
  });

  it("takes the place of what the agent had kept, says the same only once, and stays whatever the agent finds later", async () => {
    const agent = await agentIn(newFolder());
    const long = Date.now() - 3_600_000;
    agent.world.stores.conversations.create({ id: "c", title: "t", createdAt: long, updatedAt: long });
    for (const [id, text] of [
      ["m1", "I live in Leeds."],
      ["m2", "I like tea."],
    ] as const)
      agent.world.stores.conversations.addMessage({ id, conversationId: "c", turnId: "t", role: "user", text, status: "complete", createdAt: long });
    const dreams = { ...agent.world, model: () => Promise.reject(new Error("no model")), log: { info() {}, warn() {}, error() {} } };
    await dream(dreams, signal);
    expect(agent.facts().map(({ text, source }) => [text, source])).toEqual([
      ["I live in Leeds", "agent:dreaming"],
      ["I like tea", "agent:dreaming"],
    ]);
    expect(agent.addFact("I live in York")).toMatchObject({ became: "renewed", before: "I live in Leeds" });
    expect(agent.addFact("I like tea")).toMatchObject({ became: "known", source: "user" });
    agent.world.stores.conversations.addMessage({
      id: "m3",
      conversationId: "c",
      turnId: "t",
      role: "user",
      text: "I live in Hull. I hate tea.",
      status: "complete",
      createdAt: long,
    });
    agent.world.stores.conversations.touch("c", long + 1);
    const report = await dream(dreams, signal);
    expect(texts(agent)).toEqual(["I live in York", "I like tea"]);
    expect(report?.entries.map(({ decision, reason }) => `${decision}: ${reason}`)).toEqual([
      "skipped: you put down something else about this yourself, and that stays",
      "skipped: you put down something else about this yourself, and that stays",
    ]);
    expect(agent.fact("I live in York").history).toMatchObject([{ text: "I live in Leeds", source: "agent:dreaming", provenance: { messageId: "m1" } }]);
  });

  it.each(["my password is hunter2", "4111 1111 1111 1111"])("“%s” is refused in every way in, and nothing of it is kept", async (secret) => {
    const agent = await agentIn(newFolder());
    const { id } = agent.addFact("I like tea");
    expect(() => agent.addFact(secret)).toThrow(/vault/u);
    expect(() => agent.editFact(id, { text: secret })).toThrow(/vault/u);
    expect(agent.importFacts(JSON.stringify([secret, { text: secret, label: "SOUL" }]))).toEqual([
      { text: "", problem: expect.stringContaining("vault") },
      { text: "", problem: expect.stringContaining("vault") },
    ]);
    expect(texts(agent)).toEqual(["I like tea"]);
  });

  it("is worded anew in its place; what stands elsewhere already is not written twice", async () => {
    const agent = await agentIn(newFolder());
    const tea = agent.addFact("I like tea");
    agent.addFact("The spare key hangs in the hall");
    expect(agent.editFact(tea.id, { text: "I like green tea", label: "NOTE" })).toMatchObject({ id: tea.id, text: "I like green tea", label: "NOTE" });
    expect(() => agent.editFact(tea.id, { text: "the spare key hangs in the hall" })).toThrow(/kept already/u);
    expect(() => agent.editFact(tea.id, { text: " " })).toThrow(/nothing readable/u);
    expect(() => agent.editFact("none", { text: "x" })).toThrow(/no fact none/u);
    expect(texts(agent)).toEqual(["I like green tea", "The spare key hangs in the hall"]);
  });

  it("with memory off nothing is added, changed or taken in; what is stored stays and can be forgotten", async () => {
    const agent = await agentIn(newFolder());
    const { id } = agent.addFact("I like tea");
    agent.changeSettings({ memory: false });
    for (const work of [() => agent.addFact("I like coffee"), () => agent.editFact(id, { text: "I like coffee" }), () => agent.importFacts("I like coffee")])
      expect(work).toThrow(/Memory is off/u);
    expect(texts(agent)).toEqual(["I like tea"]);
    await agent.forgetFact(id);
    expect(texts(agent)).toEqual([]);
  });
});

describe("a fact that is forgotten", () => {
  it("can be taken back for a while, and is in no list meanwhile", async () => {
    const agent = await agentIn(newFolder());
    const { id } = agent.addFact("I like tea");
    const now = Date.now();
    const { erasedAt } = agent.letGoOfFact(id);
    expect([texts(agent), erasedAt - now >= 20_000, agent.world.stores.facts.search("tea", 5)]).toEqual([[], true, []]);
    expect(agent.takeBackFact(id)).toMatchObject({ text: "I like tea" });
    agent.letGoOfFact(id);
    expect([agent.addFact("I like tea"), texts(agent)]).toEqual([expect.objectContaining({ id, became: "known" }), ["I like tea"]]);
  });

  it("is erased when that while is over, and then it is too late", async () => {
    const folder = newFolder();
    const agent = await agentIn(folder, { undoMs: 30 });
    const { id } = agent.addFact(`I like ${word}`);
    agent.letGoOfFact(id);
    expect(holding(folder)).not.toEqual([]);
    await vi.waitFor(() => expect(holding(folder)).toEqual([]), { timeout: 5000 });
    expect(() => agent.takeBackFact(id)).toThrow(/too late/u);
  });

  it("is erased at the latest when the program ends, or when the next one starts after one that did not end", async () => {
    const folder = newFolder();
    const agent = await agentIn(folder);
    agent.letGoOfFact(agent.addFact(`I like ${word}`).id);
    await agent.close();
    expect(holding(folder).filter((file) => file.startsWith("knack.db"))).toEqual([]);

    const killed = await agentIn(folder);
    const { id } = killed.addFact(`I like ${word}`);
    killed.world.stores.facts.letGo(id, Date.now() - 60_000);
    await killed.close();
    expect(holding(folder).filter((file) => file.startsWith("knack.db"))).not.toEqual([]);
    const next = await agentIn(folder);
    await vi.waitFor(() => expect(holding(folder).filter((file) => file.startsWith("knack.db"))).toEqual([]), { timeout: 5000 });
    expect(next.facts()).toEqual([]);
  });

  it("stands in no byte of the data folder: row, index, history, steps that quoted it, alerts, backups", async () => {
    const folder = newFolder();
    const model = scriptedModel();
    const agent = await agentIn(folder, { models: { chat: async () => model, embedder: async () => null } });
    // Kept by a person, renewed, looked up and asked for by the model, told of in an alert, copied into a backup.
    const { id } = agent.addFact(`I live in ${word[0]?.toUpperCase()}${word.slice(1)}`);
    agent.addFact("I live in York");
    expect(agent.fact(id).history.map(({ text }) => text.toLowerCase())).toEqual([`i live in ${word}`]);
    model.say(writeStep("recall", { about: "York" }), writeStep("remember", { fact: `lives in ${word}` }), writeStep("reply", { text: "Fine." }));
    await say(agent, "Do you know my home? Please remember it.");
    agent.world.stores.alerts.add({
      ...{ id: "a", kind: "notice", title: "A fact", detail: `It says: I live in ${word}`, skillId: null, proposalId: null, revertTo: null },
      ...{ createdAt: 1, resolvedAt: null, resolution: null },
    });
    await agent.eraseBackups();
    expect(holding(folder).map((file) => file.split("/")[0])).toContain("backups");
    const erasure = await agent.forgetFact(id, true);
    expect([erasure, holding(folder), texts(agent)]).toEqual([{ skills: [], backups: 0, backupsErased: 1 }, [], []]);
    const steps = agent.world.stores.trace.stepsOfMemory();
    expect(steps.map(({ tool, args, text }) => [tool, args, text])).toEqual([
      ["recall", {}, "What this told of was forgotten."],
      ["remember", {}, "What this told of was forgotten."],
    ]);
    expect(agent.alerts(true)[0]?.detail).toBe("What this told of was forgotten.");
  });

  it("leaves what was said about others alone, and the message it was said in, which goes with its task", async () => {
    const folder = newFolder();
    const model = scriptedModel();
    const agent = await agentIn(folder, { models: { chat: async () => model, embedder: async () => null } });
    model.say(writeStep("remember", { fact: `likes ${word}` }), writeStep("reply", { text: "Fine." }));
    const conversationId = await say(agent, `Remember that I like ${word}`);
    model.say(writeStep("remember", { fact: "likes tea" }), writeStep("reply", { text: "Fine." }));
    await say(agent, "Remember that I like tea");
    const fact = agent.facts()[0];
    expect(agent.fact(fact?.id ?? "")).toMatchObject({ conversation: `Remember that I like ${word}`, fact: { provenance: { conversationId } } });
    await agent.forgetFact(fact?.id ?? "", true);
    expect([texts(agent), agent.conversation(conversationId).messages[0]?.text]).toEqual([["I like tea"], `Remember that I like ${word}`]);
    expect(agent.world.stores.trace.stepsOfMemory().map(({ args }) => args)).toEqual([{}, { fact: "likes tea" }]);
    await agent.deleteConversation(conversationId, true);
    expect(holding(folder)).toEqual([]);
  });

  it("is not found again by a dream in the message it was said in", async () => {
    const agent = await agentIn(newFolder());
    const long = Date.now() - 3_600_000;
    agent.world.stores.conversations.create({ id: "c", title: "t", createdAt: long, updatedAt: long });
    agent.world.stores.conversations.addMessage({
      id: "m",
      conversationId: "c",
      turnId: "t",
      role: "user",
      text: "I like tea.",
      status: "complete",
      createdAt: long,
    });
    const dreams = { ...agent.world, model: () => Promise.reject(new Error("no model")), log: { info() {}, warn() {}, error() {} } };
    await dream(dreams, signal);
    await agent.forgetFact(agent.facts()[0]?.id ?? "");
    agent.world.stores.learning.markDreamt("c", { messages: 0, state: "anew" }, 1);
    const report = await dream(dreams, signal);
    expect([texts(agent), report?.entries.map(({ decision }) => decision)]).toEqual([[], ["skipped"]]);
    const { facts } = agent.world.stores;
    expect(facts.isForgotten(factKeys("I like tea"))).toBe(true);
    agent.addFact("I like tea");
    expect([texts(agent), facts.isForgotten(factKeys("I like tea"))]).toEqual([["I like tea"], false]);
  });
});

describe("taking facts in", () => {
  it("each entry has its own result; what is brought along takes the place of nothing", async () => {
    const agent = await agentIn(newFolder());
    agent.addFact("I live in York");
    const file = JSON.stringify({
      knack: "memory",
      version: 1,
      ofTomorrow: true,
      facts: [
        { text: "I like tea" },
        { text: "I like tea!" },
        { text: "I live in Leeds" },
        { label: "SOUL" },
        7,
        { text: "x", label: "MOOD" },
        { text: "y".repeat(501) },
      ],
    });
    expect(agent.importFacts(file)).toEqual([
      { text: "I like tea", became: "added" },
      { text: "I like tea!", became: "known" },
      { text: "I live in Leeds", problem: expect.stringContaining("I live in York") },
      { text: "", problem: expect.stringContaining('Entry 4 has no "text"') },
      { text: "", problem: expect.stringContaining("Entry 5") },
      { text: "x", problem: expect.stringContaining("SOUL, PREFERENCE, FOCUS, NOTE") },
      { text: "y".repeat(501), problem: expect.stringContaining("this one has 501") },
    ]);
    expect(agent.facts().map(({ text, source }) => [text, source])).toEqual([
      ["I live in York", "user"],
      ["I like tea", "imported"],
    ]);
    expect(agent.importFacts("- I like jazz\r\n\r\n2) The spare key hangs in the hall\n")).toMatchObject([
      { text: "I like jazz" },
      { text: "The spare key hangs in the hall" },
    ]);
  });

  it.each([
    ["{", "begins like JSON"],
    ['{"knack":"skill","facts":[]}', "no file of memory"],
    ['{"knack":"memory","version":2,"facts":[]}', "newer Knack"],
    ["\n \n", "nothing in it to remember"],
    ["x\n".repeat(2001), "at most 2000"],
  ])("%j is refused as a whole", async (text, says) => {
    const agent = await agentIn(newFolder());
    expect(() => agent.importFacts(text)).toThrow(says);
    expect(agent.facts()).toEqual([]);
  });
});

describe("memory that is switched off in the middle of a turn", () => {
  it("keeps nothing from then on, and the turn goes on", async () => {
    const model = scriptedModel([
      () => {
        agent.changeSettings({ memory: false });
        return writeStep("remember", { fact: "I prefer aisle seats" });
      },
      writeStep("reply", { text: "Memory is off." }),
    ]);
    const agent = await agentIn(newFolder(), { models: { chat: async () => model, embedder: async () => null } });
    const talk = await say(agent, "Please remember that I prefer aisle seats");
    expect([agent.facts(), agent.conversation(talk).messages.at(-1)?.text]).toEqual([[], "Memory is off."]);
    expect(agent.conversation(talk).steps[0]).toMatchObject({ tool: "remember", status: "error", text: expect.stringContaining("Memory is switched off") });
  });
});

describe("a file of memory", () => {
  it("that an editor put its mark ahead of is read like one without", async () => {
    const from = await agentIn(newFolder());
    from.addFact("I live in Ghent");
    const to = await agentIn(newFolder());
    expect(to.importFacts(`\uFEFF${from.exportFacts()}`)).toMatchObject([{ became: "added" }]);
    expect(to.importFacts("\uFEFFI prefer tea")).toMatchObject([{ became: "added" }]);
    expect(texts(to)).toEqual(["I live in Ghent", "I prefer tea"]);
  });
});
