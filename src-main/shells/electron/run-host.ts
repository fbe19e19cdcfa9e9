import type { OutwardAgent } from "#app/agent.ts";
import { type MessagePortLike, serve } from "#app/serve.ts";
import { listenToParent } from "./host/parent.ts";

/**
 * The agent host's life: pages that come before the agent is up wait for it; if it cannot start, the process ends with the
 * reason as its last line, and main tells the user.
 */
export async function runHost(create: () => Promise<OutwardAgent>): Promise<void> {
  const waiting: MessagePortLike[] = [];
  let agent: OutwardAgent | null = null;
  let isClosing = false;

  async function close(): Promise<void> {
    if (isClosing) return;
    isClosing = true;
    await agent?.close();
    process.exit(0);
  }

  const tellMain = listenToParent({
    page: (port) => void (agent === null ? waiting.push(port) : serve(agent, port)),
    suspend: () => agent?.vault.lock("suspended"),
    close: () => void close().catch(fail),
  });
  // Ctrl+C in a terminal reaches every process of the app; main closes the host in its turn, or is gone, which closes it too.
  process.on("SIGINT", () => {});
  try {
    agent = await create();
    agent.onNews((news) => tellMain({ type: "news", news }), new AbortController().signal);
    for (const port of waiting.splice(0)) serve(agent, port);
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
