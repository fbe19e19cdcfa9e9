import { createAgent } from "#app/create-agent.ts";
import { slowModel } from "../fixtures/makers/slow-model.ts";

// A host that writes an answer slowly and says each event in a line, until it is killed.
const [dataFolder = "", cacheFolder = "", reply = ""] = process.argv.slice(2);
const agent = await createAgent({
  dataFolder,
  cacheFolder,
  env: {},
  maintenance: false,
  models: { chat: async () => slowModel(reply, 40), embedder: async () => null },
});
for await (const event of agent.send({ text: "How does a lighthouse work?" }, new AbortController().signal)) process.stdout.write(`${JSON.stringify(event)}\n`);
