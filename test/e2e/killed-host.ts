import { createAgent } from "#app/create-agent.ts";
import type { Send } from "#contract/chat/schema.ts";

/** What a host is told on its command line. */
export interface Told {
  readonly dataFolder: string;
  readonly cacheFolder: string;
  readonly hosts: readonly (readonly [string, { readonly ip: string; readonly port: number }])[];
  readonly spki: string;
  readonly send: Send;
}

// A host that takes one message and says each event of the turn in a line, until it is killed.
const { dataFolder, cacheFolder, hosts, spki, send } = JSON.parse(process.argv[2] ?? "{}") as Told;
const agent = await createAgent({
  dataFolder,
  cacheFolder,
  env: process.env,
  approve: async () => "deny",
  sites: { hosts: new Map(hosts), spki },
});
for await (const event of agent.send(send, new AbortController().signal)) process.stdout.write(`${JSON.stringify({ at: Date.now(), event })}\n`);
await agent.close();
