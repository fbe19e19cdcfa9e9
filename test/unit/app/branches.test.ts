import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ScriptedModel, scriptedEmbedder, scriptedModel } from "#adapters/scripted/index.ts";
import { createAgent, type HostedAgent } from "#app/create-agent.ts";
import type { Send, TurnEvent } from "#contract/chat/schema.ts";
import { says } from "../../fixtures/makers/stage.ts";

const never = new AbortController().signal;
type Finished = Extract<TurnEvent, { type: "turn-finished" }>;

interface Talk {
  readonly agent: HostedAgent;
  readonly model: ScriptedModel;
  ask(text: string, answer: string, more?: Partial<Send>): Promise<Finished>;
  /** What is shown of a conversation, as "question → answer". */
  shown(id: string): string[];
}

async function talk(): Promise<Talk> {
  const folder = mkdtempSync(join(tmpdir(), "knack-branches-"));
  const model = scriptedModel();
  const embedder = scriptedEmbedder();
  const agent = await createAgent({
    dataFolder: join(folder, "home"),
    cacheFolder: join(folder, "cache"),
    env: {},
    maintenance: false,
    models: { chat: async () => model, embedder: async () => embedder },
  });
  onTestFinished(async () => {
    await agent.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    agent,
    model,
    async ask(text, answer, more = {}) {
      model.say(says(answer));
      let last: TurnEvent | undefined;
      for await (const event of agent.send({ text, ...more }, never)) last = event;
      if (last?.type !== "turn-finished") throw new Error(`the turn ended with ${last?.type}`);
      return last;
    },
    shown(id) {
      const { turns, messages } = agent.conversation(id);
      return turns.map((turn) =>
        messages
          .filter(({ turnId }) => turnId === turn.id)
          .map(({ text }) => text)
          .join(" → "),
      );
    },
  };
}

describe("a message in the place of another", () => {
  it("begins a branch that shares what was said before it, and leaves what was there", async () => {
    const { agent, ask, shown, model } = await talk();
    const first = (await ask("One", "1")).turn;
    const second = (await ask("Two", "2", { conversationId: first.conversationId })).turn;
    await ask("Three", "3", { conversationId: first.conversationId });
    const branch = (await ask("Two and a half", "2.5", { insteadOf: second.id })).turn;
    expect(branch.conversationId).not.toBe(first.conversationId);
    expect(shown(branch.conversationId)).toEqual(["One → 1", "Two and a half → 2.5"]);
    expect(shown(first.conversationId)).toEqual(["One → 1", "Two → 2", "Three → 3"]);
    const { branch: from, title } = agent.conversation(branch.conversationId).conversation;
    expect([from, title]).toEqual([{ of: first.conversationId, after: first.id }, "Two and a half"]);
    const prompt = model.requests.at(-1)?.messages.map(({ text }) => text) ?? [];
    expect(prompt.some((text) => text.includes("One"))).toBe(true);
    expect(prompt.some((text) => text.includes("Three"))).toBe(false);
  });

  it("is told with the others in its place, wherever it was branched from", async () => {
    const { agent, ask } = await talk();
    const first = (await ask("One", "1")).turn;
    const again = (await ask("One", "uno", { insteadOf: first.id })).turn;
    const third = (await ask("One", "eins", { insteadOf: again.id })).turn;
    const among = [first, again, third].map(({ id, conversationId }) => ({ conversationId, turnId: id }));
    for (const { id, conversationId } of [first, again, third]) expect(agent.conversation(conversationId).forks).toEqual([{ turnId: id, among }]);
    expect(agent.conversation(third.conversationId).conversation.branch).toEqual({ of: first.conversationId, after: null });
  });

  it("is refused for a turn that is not there, beside a conversation, and as what goes on, and leaves no conversation behind", async () => {
    const { agent, ask } = await talk();
    const { id, conversationId } = (await ask("One", "1")).turn;
    await expect(ask("x", "y", { insteadOf: "nothing" })).rejects.toThrow(/no turn nothing/u);
    await expect(ask("x", "y", { insteadOf: id, conversationId })).rejects.toThrow(/begins a branch/u);
    await expect(ask("x", "y", { insteadOf: id, resume: true })).rejects.toThrow(/takes no other message's place/u);
    expect(agent.conversations()).toHaveLength(1);
  });

  it("answers the question that the one it replaces answered", async () => {
    const { agent, ask } = await talk();
    const { conversationId, episodeId } = (await ask("Book a visitor permit", "For which day?")).turn;
    const { trace } = agent.world.stores;
    const episode = trace.episode(episodeId);
    if (episode) trace.updateEpisode({ ...episode, open: true });
    const answered = (await ask("June 3", "Booked for June 3.", { conversationId })).turn;
    const branch = await ask("June 5", "Booked for June 5.", { insteadOf: answered.id });
    expect(branch.episode.goal).toBe("Book a visitor permit\nJune 5");
    expect(branch.episode.id).not.toBe(answered.episodeId);
  });
});

describe("erasing and branches", () => {
  it("a conversation that is deleted takes what its branches shared along, and they go on from where it did", async () => {
    const { agent, model, ask, shown } = await talk();
    const one = (await ask("One", "1")).turn;
    const two = (await ask("Two", "2", { conversationId: one.conversationId })).turn;
    const middle = (await ask("Middle", "m", { insteadOf: two.id })).turn;
    const next = (await ask("Next", "n", { conversationId: middle.conversationId })).turn;
    const last = (await ask("Last", "l", { insteadOf: next.id })).turn;
    expect(shown(last.conversationId)).toEqual(["One → 1", "Middle → m", "Last → l"]);
    await agent.deleteConversation(middle.conversationId);
    // The state of its prompt held what was shared.
    expect(model.kept).toContain(`forget ${last.conversationId}`);
    expect(shown(last.conversationId)).toEqual(["One → 1", "Last → l"]);
    await agent.deleteConversation(one.conversationId);
    expect(shown(last.conversationId)).toEqual(["Last → l"]);
    expect(agent.conversation(last.conversationId).conversation.branch).toBeUndefined();
  });

  it("a task that is forgotten is gone from every branch, its prompt and its short text too", async () => {
    const { agent, model, ask, shown } = await talk();
    const long = "lorem ipsum ".repeat(200);
    const one = (await ask(`Secret ${long}`, "1")).turn;
    const two = (await ask(`Two ${long}`, "2", { conversationId: one.conversationId })).turn;
    const branch = (await ask(`Other ${long}`, "o", { insteadOf: two.id })).turn;
    for (const text of ["a", "b", "c"]) await ask(`${text} ${long}`, text, { conversationId: branch.conversationId });
    const compaction = await agent.compactConversation(branch.conversationId);
    expect(compaction.text).toContain("Secret");
    await agent.eraseEpisode(one.episodeId);
    expect(shown(branch.conversationId)[0]).toMatch(/^Other/u);
    expect(agent.conversation(branch.conversationId).compactions).toEqual([]);
    await ask("And now", "n", { conversationId: branch.conversationId });
    expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain("Secret");
    expect(agent.conversation(branch.conversationId).conversation.branch).toEqual({ of: one.conversationId, after: null });
  });
});

describe("a long conversation", () => {
  it("is told in pages, from the newest backwards, and from a message on", async () => {
    const { agent, ask } = await talk();
    const { conversationId } = (await ask("0", "zero")).turn;
    for (let n = 1; n < 7; n += 1) await ask(String(n), "more", { conversationId });
    const texts = (page: Parameters<HostedAgent["conversation"]>[1]): [string[], number] => {
      const { messages, earlier = 0 } = agent.conversation(conversationId, page);
      return [messages.filter(({ role }) => role === "user").map(({ text }) => text), earlier];
    };
    const { turns, messages } = agent.conversation(conversationId);
    expect(texts({ last: 2 })).toEqual([["5", "6"], 5]);
    expect(texts({ last: 2, before: turns[5]?.id ?? "" })).toEqual([["3", "4"], 3]);
    expect(texts({ last: 1, from: messages.find(({ text }) => text === "4")?.id ?? "" })).toEqual([["4", "5", "6"], 4]);
    expect(() => agent.conversation(conversationId, { from: "nothing" })).toThrow(/no turn and no message nothing/u);
  });
});
