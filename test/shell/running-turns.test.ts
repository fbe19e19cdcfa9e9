import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AgentConfig } from "#app/config.ts";
import { createAgent, type HostedAgent } from "#app/create-agent.ts";
import type { TurnEvent } from "#contract/chat/schema.ts";
import { codeOf } from "./code-of.ts";

const goal = "Look up my bill on https://portal.example";

/** An agent whose turns wait for an answer that never comes. */
async function waiting(more: Partial<AgentConfig> = {}): Promise<HostedAgent> {
  const folder = mkdtempSync(join(tmpdir(), "knack-turns-"));
  const agent = await createAgent({
    dataFolder: join(folder, "home"),
    cacheFolder: join(folder, "cache"),
    env: {},
    approve: (_request, signal) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    ...more,
  });
  onTestFinished(async () => {
    await agent.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return agent;
}

/** The turn, begun and read on to its end in the background. */
async function begun(agent: HostedAgent): Promise<{ readonly started: Extract<TurnEvent, { type: "turn-started" }>; readonly rest: Promise<TurnEvent[]> }> {
  const events = agent.send({ text: goal }, new AbortController().signal)[Symbol.asyncIterator]();
  const { value } = await events.next();
  if (value?.type !== "turn-started") throw new Error(`the first event is ${String(value?.type)}`);
  const rest = (async () => {
    const more: TurnEvent[] = [];
    for (let next = await events.next(); !next.done; next = await events.next()) more.push(next.value);
    return more;
  })();
  return { started: value, rest };
}

describe("a conversation that is answering", () => {
  it("takes no second message meanwhile", async () => {
    const agent = await waiting();
    const { started, rest } = await begun(agent);
    const second = agent.send({ text: goal, conversationId: started.turn.conversationId }, new AbortController().signal);
    expect(await codeOf(second[Symbol.asyncIterator]().next())).toBe("turn.running");
    expect(agent.stop(started.turn.id)).toBe(true);
    expect((await rest).at(-1)).toMatchObject({ type: "turn-finished", turn: { status: "stopped" } });
  });

  it("is stopped before it is deleted, and nothing of it is left", async () => {
    const agent = await waiting();
    const { started, rest } = await begun(agent);
    await agent.deleteConversation(started.turn.conversationId);
    expect((await rest).at(-1)).toMatchObject({ type: "turn-finished", turn: { status: "stopped" } });
    expect(agent.conversations()).toEqual([]);
    expect(agent.world.stores.trace.turn(started.turn.id)).toBeUndefined();
  });
});
