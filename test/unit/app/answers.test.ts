import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { scriptedEmbedder, scriptedModel } from "#adapters/scripted/index.ts";
import { createAgent, type HostedAgent } from "#app/create-agent.ts";
import { createSkill } from "#app/skills.ts";
import type { Send, Turn } from "#contract/chat/schema.ts";
import { embedderKeyText } from "#core/ports/index.ts";
import { procedure } from "../../fixtures/makers/content.ts";
import { temporaryFolder } from "../../fixtures/makers/skill-files.ts";
import { says } from "../../fixtures/makers/stage.ts";

const { signal } = new AbortController();
/** How far each goal is from the skill's own words, as an angle; two that lie on one side are nearer to each other than to them. */
const angles: Readonly<Record<string, number>> = {
  "What do I owe?": 0,
  "What is due this week?": 0.3,
  "What is due soon?": 0.33,
  "Which fees are mine?": -0.3,
  "What is still open?": 0.75,
  "What is open now?": 0.78,
  "Which bills are mine?": -0.75,
};

interface Place {
  readonly agent: HostedAgent;
  ask(text: string, change?: Partial<Send>): Promise<Turn>;
  /** What recall makes of a goal, with nothing done. */
  verdict(text: string): Promise<string>;
  /** What the user answered, as phrasings and counter-phrasings. */
  kept(): readonly { readonly text: string; readonly counter: boolean }[];
  /** Answers that move the thresholds. */
  counted(): readonly boolean[];
}

/** An agent with one skill, which answers what is owed. */
async function place(): Promise<Place> {
  const folder = temporaryFolder();
  const model = scriptedModel();
  const embedder = scriptedEmbedder((text) => {
    const angle = angles[text] ?? Math.PI / 2;
    return [Math.cos(angle), Math.sin(angle)];
  });
  const agent = await createAgent({
    dataFolder: join(folder, "home"),
    cacheFolder: join(folder, "cache"),
    env: {},
    maintenance: false,
    models: { chat: async () => model, embedder: async () => embedder },
  });
  onTestFinished(() => agent.close());
  agent.addGrant("https://portal.example", "Kim");
  const content = procedure("What do I owe?", { steps: [{ do: "Say what is owed", onFail: "Stop." }], toolsRequired: [] });
  const { id } = await createSkill(agent.world, { name: "say-what-is-owed", content, author: "human:Kim", evidence: [], reason: "" }, signal);
  return {
    agent,
    async ask(text, change = {}) {
      model.say(says("Nothing."));
      let turn: Turn | undefined;
      for await (const event of agent.send({ ...change, text }, signal)) if (event.type === "turn-finished") turn = event.turn;
      if (!turn) throw new Error("the turn did not end");
      return turn;
    },
    verdict: async (text) => (await agent.matchSkill(text, signal)).verdict,
    kept: () => agent.world.stores.skills.phrasings(id),
    counted: () => agent.world.stores.calibrations.answers(embedderKeyText(embedder.key)).map(({ right }) => right),
  };
}

describe("REC-13: a suggestion", () => {
  it("that is taken is used from then on, and so is the like of it", async () => {
    const { agent, ask, verdict, kept } = await place();
    const { id, recall, skillId } = await ask("What is still open?");
    expect([recall?.verdict, skillId, await verdict("What is open now?")]).toEqual(["suggested", null, "suggested"]);
    await agent.answerSuggestion(id, true);
    expect([kept(), await verdict("What is still open?"), await verdict("What is open now?")]).toEqual([
      [{ text: "What is still open?", counter: false }],
      "matched",
      "matched",
    ]);
  });

  it("that is declined is not made again, nor for what is nearer to it than to the skill; for the others it is", async () => {
    const { agent, ask, verdict, kept } = await place();
    const { id } = await ask("What is still open?");
    await agent.answerSuggestion(id, false);
    expect(kept()).toEqual([{ text: "What is still open?", counter: true }]);
    expect([await verdict("What is still open?"), await verdict("What is open now?")]).toEqual(["blocked", "blocked"]);
    expect([await verdict("Which bills are mine?"), await verdict("What is due soon?"), await verdict("What do I owe?")]).toEqual([
      "suggested",
      "matched",
      "matched",
    ]);
  });

  it("that is left alone leaves the turn free, and nothing is kept of it", async () => {
    const { ask, verdict, kept, counted } = await place();
    const { skillId, status } = await ask("What is still open?");
    expect([skillId, status, kept(), counted(), await verdict("What is still open?")]).toEqual([null, "done", [], [], "suggested"]);
  });

  it("that is answered twice counts once, and the later answer stands", async () => {
    const { agent, ask, verdict, kept, counted } = await place();
    const { id } = await ask("What is still open?");
    for (const take of [true, true]) await agent.answerSuggestion(id, take);
    expect(counted()).toEqual([true]);
    await agent.answerSuggestion(id, false);
    expect([kept(), await verdict("What is still open?"), await verdict("What is open now?")]).toEqual([
      [{ text: "What is still open?", counter: true }],
      "blocked",
      "blocked",
    ]);
    await agent.answerSuggestion(id, true);
    expect([kept(), await verdict("What is open now?")]).toEqual([[{ text: "What is still open?", counter: false }], "matched"]);
  });

  it("is answered only where there was one", async () => {
    const { agent, ask } = await place();
    const { id } = await ask("What do I owe?");
    for (const turn of [id, "none"]) expect(() => agent.answerSuggestion(turn, true)).toThrow("This turn ended without a suggestion");
  });
});

describe("REC-14: a use that is wrong", () => {
  it("by its correction is a failed run, no task of the skill, nor is the like of it; the turn goes on free", async () => {
    const { agent, ask, verdict, kept, counted } = await place();
    const used = await ask("What is due this week?");
    expect([used.recall?.verdict, used.skillId === null]).toEqual(["matched", false]);
    const next = await ask("No, not that", { conversationId: used.conversationId });
    expect([next.episodeId === used.episodeId, next.skillId, next.recall]).toEqual([true, null, null]);
    expect([agent.skill("say-what-is-owed").runs.map(({ outcome }) => outcome), kept(), counted()]).toEqual([
      ["failure"],
      [{ text: "What is due this week?", counter: true }],
      [false],
    ]);
    expect([await verdict("What is due this week?"), await verdict("What is due soon?"), await verdict("Which fees are mine?")]).toEqual([
      "blocked",
      "blocked",
      "matched",
    ]);
  });

  it("by the button as well", async () => {
    const { agent, ask, verdict, kept } = await place();
    const { episodeId } = await ask("What is due this week?");
    agent.judge(episodeId, false, "Kim");
    expect(kept()).toEqual([{ text: "What is due this week?", counter: true }]);
    expect([await verdict("What is due soon?"), await verdict("Which fees are mine?")]).toEqual(["blocked", "matched"]);
  });

  it("and was right after all is recalled again, with the like of it", async () => {
    const { agent, ask, verdict, kept } = await place();
    const { episodeId } = await ask("What is due this week?");
    agent.judge(episodeId, false, "Kim");
    expect(await verdict("What is due soon?")).toBe("blocked");
    agent.judge(episodeId, true, "Kim");
    expect([kept(), await verdict("What is due soon?")]).toEqual([[{ text: "What is due this week?", counter: false }], "matched"]);
  });
});
