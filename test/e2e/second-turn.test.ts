import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { asSink, type GenerateRequest, type Generation, type LanguageModel } from "#core/ports/index.ts";
import { Redactor, through } from "#core/vault/index.ts";
import { lacks, openStage, type Stage, turnOf } from "./stage.ts";

interface Heard {
  readonly request: GenerateRequest;
  readonly generation: Generation;
  readonly model: LanguageModel;
}

const heard = vi.hoisted((): Heard[] => []);

// The real engine, listened to: what was asked of it and what it had to evaluate. Nothing is changed on the way.
vi.mock("#adapters/llama/index.ts", async (original) => {
  const real = await original<typeof import("#adapters/llama/index.ts")>();
  return {
    ...real,
    async loadModelSink(options: Parameters<typeof real.loadModelSink>[0]) {
      const model = through(await real.loadModelSink(options), new Redactor(Date.now));
      return asSink({
        ...model,
        async generate(request: GenerateRequest, signal: AbortSignal) {
          const generation = await model.generate(request, signal);
          heard.push({ request, generation, model });
          return generation;
        },
      });
    },
  };
});

describe.skipIf(lacks("chat", "embedder") !== null)("the second turn of a conversation", () => {
  let stage: Stage;
  beforeAll(async () => {
    // With the maintenance pass, as in the app: it runs between the two turns.
    stage = await openStage([], { maintenance: true });
  });
  afterAll(() => stage?.close());

  it("evaluates what is new and nothing else, on the real model", async () => {
    const question = "Do not open anything, just reply. And what is the capital of Portugal, and which river does it lie on? One short sentence is enough.";
    const first = await turnOf(stage.agent, { text: "Do not open anything, just reply. What is the capital of France?" });
    const conversationId = first.end.turn.conversationId;
    const second = await turnOf(stage.agent, { text: question, conversationId });
    expect(heard).toHaveLength(2);
    const [one, two] = heard as [Heard, Heard];

    const fresh = one.model.countTokens(question) + frameTokens(one.model);
    console.log(
      `first turn: ${first.end.turn.tokens.evaluated} tokens evaluated; second turn: ${second.end.turn.tokens.evaluated} evaluated, ${fresh} new, ${second.end.turn.tokens.reused} reused`,
    );
    expect(second.end.turn.tokens.evaluated).toBe(two.generation.tokensEvaluated);
    expect(second.end.turn.tokens.evaluated).toBeGreaterThan(0);
    expect(second.end.turn.tokens.evaluated).toBeLessThanOrEqual(fresh * 1.05);
    expect(second.end.turn.tokens.reused).toBeGreaterThanOrEqual(first.end.turn.tokens.evaluated);

    const [system, ...earlier] = two.request.messages;
    expect(system?.role).toBe("system");
    expect(Buffer.from(system?.text ?? "").equals(Buffer.from(one.request.messages[0]?.text ?? ""))).toBe(true);
    expect(earlier).toEqual([...one.request.messages.slice(1), { role: "assistant", text: one.generation.text }, { role: "user", text: question }]);
    expect([first, second].map(({ end }) => end.message?.text).join("\n")).toMatch(/Paris[\s\S]*Lisbon/u);
    expect([first, second].flatMap(({ steps }) => steps)).toEqual([]);
    expect([first, second].map(({ streamed }) => streamed)).toEqual([first, second].map(({ end }) => end.message?.text));
  });

  // Fault: where the goal names no address, offeredForms offers browser_open with any address, and the default model makes one up
  // ("Hello! What is the capital of France?" opens http://www.wikipedia.org/wiki/France, is refused, and nothing is answered).
  it("answers a plain question and opens nothing", async () => {
    const { end, steps } = await turnOf(stage.agent, { text: "What is the capital of France?" });
    expect(steps).toEqual([]);
    expect(end.message?.text).toContain("Paris");
  });
});

/** ChatML around one more message of the user: the end of the last answer, head and end of the message, head of the next answer. */
function frameTokens(model: LanguageModel): number {
  const end = 1 + model.countTokens("\n");
  return end + (1 + model.countTokens("user\n")) + end + (1 + model.countTokens("assistant\n"));
}
