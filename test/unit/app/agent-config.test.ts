import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import type { AgentConfig } from "#app/config.ts";
import { createAgent, type HostedAgent } from "#app/create-agent.ts";
import { defineTool } from "#core/tools/index.ts";

async function agentWith(change: Partial<AgentConfig>): Promise<HostedAgent> {
  const folder = mkdtempSync(join(tmpdir(), "knack-agent-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const agent = await createAgent({ dataFolder: join(folder, "home"), cacheFolder: join(folder, "cache"), env: {}, maintenance: false, ...change });
  onTestFinished(() => agent.close());
  return agent;
}
const ask = async (agent: HostedAgent, text: string): Promise<string[]> => {
  const types: string[] = [];
  for await (const event of agent.send({ text, noSkills: true }, AbortSignal.timeout(10_000))) types.push(event.type);
  return types;
};

describe("what an agent is made with", () => {
  it.each([[["a list"]], ["a text"], [null], [new Map()]])(
    "a state that is %s is an error where the message is sent, and nothing of it is kept",
    async (state) => {
      const agent = await agentWith({ state: () => state as never });
      await expect(ask(agent, "Hello")).rejects.toThrow(/The state of a turn must be a plain mapping/u);
      expect(agent.conversations()).toEqual([]);
    },
  );

  it("the state is asked for anew at each message", async () => {
    let times = 0;
    const agent = await agentWith({ state: () => ({ times: (times += 1) }) });
    for (const text of ["Hello", "Hello again"]) expect((await ask(agent, text)).at(-1)).toBe("turn-finished");
    expect(times).toBe(2);
  });

  it("a tool whose id is taken is an error when the agent is made", async () => {
    const again = defineTool({ id: "reply", primitive: null, description: "reply", args: z.object({}), run: async () => ({ text: "" }) });
    await expect(agentWith({ tools: [again] })).rejects.toThrow(/There is a tool "reply" already/u);
  });
});
