import { createAgent } from "#app/create-agent.ts";

/** What a host that records is told on its command line. */
export interface ToldToShow {
  readonly dataFolder: string;
  readonly cacheFolder: string;
  readonly hosts: readonly (readonly [string, { readonly ip: string; readonly port: number }])[];
  readonly spki: string;
  readonly goal: string;
  readonly script: readonly (readonly string[])[];
}

// A host that has a showing performed, says each line once it was taken down, and then waits to be killed.
const { dataFolder, cacheFolder, hosts, spki, goal, script } = JSON.parse(process.argv[2] ?? "{}") as ToldToShow;
const agent = await createAgent({ dataFolder, cacheFolder, env: process.env, maintenance: false, sites: { hosts: new Map(hosts), spki } });
const [open, ...lines] = script;
const showing = await agent.startShowing(goal, open?.[1] ?? "");
process.stdout.write("opened\n");
for (const line of lines) {
  await agent.showing.perform(showing.id, [line], new AbortController().signal);
  process.stdout.write(`${line.join(" ")}\n`);
}
setInterval(() => undefined, 1000);
