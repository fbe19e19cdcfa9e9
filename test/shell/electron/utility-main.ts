import { join } from "node:path";
import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/message-port";
import type { ContractRouterClient } from "@orpc/contract";
import { app, MessageChannelMain } from "electron";
import type { Router } from "#contract/router.ts";
import { utilityStarter } from "#shells/electron/host/utility-starter.ts";

// A main process without a window that speaks to the host as a page would, and prints what it learnt as one line of JSON.
void app.whenReady().then(async () => {
  const lines: string[] = [];
  const news: string[] = [];
  const host = utilityStarter(join(app.getAppPath(), "out/main/utility-host.cjs")).start({
    line: (line) => lines.push(line),
    news: ({ notice }) => news.push(notice?.text ?? ""),
  });
  const { port1, port2 } = new MessageChannelMain();
  host.connect(port2);
  const client: ContractRouterClient<Router> = createORPCClient(new RPCLink({ port: port1 }));
  port1.start();
  const told: string[] = [];
  for await (const _ of await client.chat.send({ text: "news of the drift" }));
  for await (const event of await client.chat.send({ text: "count 2" })) told.push(event.type === "text-delta" ? event.text : event.type);
  await host.close(5000);
  console.log(`SAID ${JSON.stringify({ told, news, lines, ended: await host.ended })}`);
  app.quit();
});
