import type { AgentConfig } from "#app/config.ts";
import type { HostedAgent } from "#app/create-agent.ts";
import { foldersOf } from "#app/folders.ts";

/** The agent over the user's own data folder, closed again whatever happens. It is loaded here, so that help and bad usage answer at once. */
export async function withAgent<T>(work: (agent: HostedAgent) => Promise<T> | T, more: Partial<AgentConfig> = {}): Promise<T> {
  const { createAgent } = await import("#app/create-agent.ts");
  const agent = await createAgent({ ...foldersOf(process.env), env: process.env, ...more });
  try {
    return await work(agent);
  } finally {
    await agent.close();
  }
}
