import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Step } from "#contract/chat/schema.ts";
import { defineTool } from "#core/tools/index.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { outspokenModel, uses } from "../../fixtures/makers/outspoken-model.ts";
import { type Stage, says, stage } from "../../fixtures/makers/stage.ts";

const whole = Array.from({ length: 2000 }, (_, index) => `row ${index}: something was written here`).join("\n");
const report = (text: string) =>
  defineTool({
    id: "read_report",
    primitive: null,
    readOnly: true,
    author: "example",
    description: "read_report {}: the report of the day",
    args: z.object({}),
    run: async () => ({ text, value: text, details: { leftOut: -1, again: true, body: text } }),
  });
const read = async (text: string): Promise<{ on: Stage; step: Step; asked: string; events: string }> => {
  const on = stage(billsSite(), { tools: [report(text)], model: outspokenModel(), settings: { learning: false } });
  const { turn, events } = await on.turn("Use read_report and tell me", [uses("read_report", {}), says("It says rows.")], { conversationId: "talk" });
  const [step] = on.stores.trace.stepsOfTurn(turn.id);
  if (step === undefined) throw new Error("no step");
  return { on, step, asked: on.model.requests.at(-1)?.messages.at(-1)?.text ?? "", events: JSON.stringify(events) };
};

describe("a result longer than a quarter of the context", () => {
  it("is read by the model up to there, and kept whole", async () => {
    const { on, step, asked } = await read(whole);
    expect(asked).toContain("row 0: something was written here\n");
    expect(asked).toMatch(/… \(truncated, [\d,]+ characters left out; open full result\)/u);
    expect(on.model.countTokens(step.text)).toBeLessThanOrEqual(on.model.contextSize / 4);
    expect(on.model.countTokens(step.text)).toBeGreaterThan(on.model.contextSize / 5);
    expect(on.stores.trace.resultOf(step.id)).toBe(whole);
    expect(step.details.leftOut).toBe(whole.length - step.text.lastIndexOf("\n"));
  });

  it("never goes out whole with the events", async () => {
    const { events } = await read(whole);
    expect(events).not.toContain("row 1999");
  });

  it("is one that does not fit: what fits stays as it is, and no mark of a tool passes for ours", async () => {
    const { on, step } = await read("short");
    expect([step.text, step.details.leftOut, step.details.again, on.stores.trace.resultOf(step.id)]).toEqual(["short", undefined, undefined, undefined]);
  });

  it("goes with the task it belongs to", async () => {
    const { on, step } = await read(whole);
    on.stores.conversations.delete("talk");
    expect(on.stores.trace.resultOf(step.id)).toBeUndefined();
  });
});
