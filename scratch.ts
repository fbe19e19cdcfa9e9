import { createAgent } from "#app/create-agent.ts";
import { fillStore } from "#app/bench/fill-store.ts";
import { madeEmbedder } from "#app/bench/made-embedder.ts";
const agent = await createAgent({ dataFolder: "/tmp/bench-scratch", cacheFolder: "/tmp/bench-scratch-cache", env: {}, maintenance: false });
console.log(await fillStore(agent.world, { skills: 1000, revisions: 20 }, madeEmbedder(768), new AbortController().signal));
await agent.close();
