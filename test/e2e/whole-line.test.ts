import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TurnEvent } from "#contract/chat/schema.ts";
import { lacks, of, openStage, type Stage, siteNamed, teach, turnOf } from "./stage.ts";

const { site, goal } = await siteNamed("portal");

/** The turn as a person reads it, one line an event. */
function lines(events: readonly TurnEvent[]): string[] {
  return events
    .filter(({ type }) => type !== "text-delta" && type !== "context-used")
    .map((event) => {
      if (event.type === "recall-decided") return `${event.type} ${event.recall.verdict}`;
      if (event.type === "skill-taken") return `${event.type} ${Object.values(event.inputs).join(" ")}`;
      if (event.type === "place-moved") return `${event.type} ${event.at} of ${event.of}`;
      if (event.type === "step-started") return `${event.type} ${event.step.tool}`;
      if (event.type === "step-finished") return `${event.type} ${event.step.status}`;
      return event.type;
    });
}

function stepLines(at: number, of: number, tool: string): string[] {
  return [`place-moved ${at} of ${of}`, `step-started ${tool}`, "step-finished ok"];
}

describe.skipIf(lacks("chat", "embedder", "browser") !== null)("the whole line on the real model", () => {
  let stage: Stage;
  let skill: string;
  const figures: string[] = [];
  const fileOf = async (name: string) => (await readFile(join(stage.dataFolder, "downloads", name))).toString("latin1");
  const isDone = (id: string, downloads: readonly string[], reply: string) => goal(id).done({ log: stage.served.logs.get(site.host) ?? [], downloads, reply });

  beforeAll(async () => {
    stage = await openStage([site]);
  });
  afterAll(async () => {
    console.log(figures.join("\n"));
    await stage?.close();
  });

  it("is shown a task once and makes a skill of it that is provisional and a person's", async () => {
    const started = performance.now();
    skill = await teach(stage.agent, goal("invoice-april"));
    const detail = stage.agent.skill(skill);
    expect(detail.skill).toMatchObject({ status: "provisional", author: "human:test", fullyMechanical: true });
    expect(Object.values(detail.revision.inputs.properties).map(({ kind }) => kind)).toEqual(["month"]);
    expect(detail.revision.steps.map(({ call }) => call?.tool)).toEqual(["browser_open", ...Array(4).fill("browser_click")]);
    figures.push(`shown: ${seconds(started)}, "${skill}"`);
  });

  it("recalls it by itself for another month, follows it with the model, and has the right file", async () => {
    stage.served.restart();
    const started = performance.now();
    const { events, steps, downloads, end } = await turnOf(stage.agent, { text: goal("invoice-may").text });
    const { turn, episode, message } = end;
    figures.push(`advisory: ${seconds(started)}, ${steps.length} steps, ${turn.tokens.evaluated} tokens evaluated, ${turn.tokens.reused} reused`);
    expect(turn).toMatchObject({ status: "done", recall: { verdict: "matched", skillName: skill } });
    expect(lines(events)).toEqual([
      "turn-started",
      "recall-decided matched",
      "skill-taken 2026-05",
      ...stepLines(1, 5, "browser_open"),
      ...[2, 3, 4, 5].flatMap((at) => stepLines(at, 5, "browser_click")),
      "step-started reply",
      "step-finished ok",
      "turn-finished",
    ]);
    expect(steps.length).toBeLessThan(10);
    expect(await isDone("invoice-may", downloads, message?.text ?? "")).toBe(true);
    expect(await fileOf("invoice-may-2026.pdf")).toContain("Invoice for May 2026");
    expect(episode).toMatchObject({ outcome: "success", open: false });
    expect(turn.tokens.evaluated).toBeGreaterThan(0);
    const { runs, skill: after } = stage.agent.skill(skill);
    expect(runs.map(({ mode, outcome, turnId }) => ({ mode, outcome, turnId }))).toEqual([{ mode: "advisory", outcome: "success", turnId: turn.id }]);
    expect(after.status).toBe("active");
  }, 180_000);

  it("runs it strictly for a month on the third page, without the model", async () => {
    stage.served.restart();
    const started = performance.now();
    const { events, steps, downloads, end } = await turnOf(stage.agent, { text: goal("invoice-october").text, mode: "strict" });
    figures.push(`strict: ${seconds(started)}, ${steps.length} steps, ${end.turn.tokens.evaluated} tokens evaluated`);
    expect(end.turn).toMatchObject({ status: "done", tokens: { evaluated: 0, reused: 0, generated: 0 } });
    expect(of(events, "skill-taken")).toMatchObject([{ name: skill, inputs: { [inputName()]: "2025-10" } }]);
    expect(steps.every((step) => step.tokens.evaluated === 0 && step.status === "ok")).toBe(true);
    expect(await isDone("invoice-october", downloads, end.message?.text ?? "")).toBe(true);
    expect(await fileOf("invoice-october-2025.pdf")).toContain("Invoice for October 2025");
    expect(end.episode).toMatchObject({ outcome: "success", reason: "every check held" });
    expect(
      stage.agent
        .skill(skill)
        .runs.map(({ mode, outcome }) => `${mode} ${outcome}`)
        .toSorted(),
    ).toEqual(["advisory success", "strict success"]);
  });

  it("has asked for nothing and left every conversation readable", () => {
    expect(stage.askedFor).toEqual([]);
    const told = stage.agent.conversations().map(({ id }) => stage.agent.conversation(id).messages.map(({ role, status }) => `${role} ${status}`));
    expect(told).toEqual(Array(2).fill(["user complete", "assistant complete"]));
  });

  const inputName = () => Object.keys(stage.agent.skill(skill).revision.inputs.properties)[0] ?? "";
});

function seconds(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}
