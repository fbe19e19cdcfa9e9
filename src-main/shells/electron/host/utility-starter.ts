import { setTimeout } from "node:timers/promises";
import { type MessagePortMain, utilityProcess } from "electron";
import { eachLine } from "./each-line.ts";
import type { HostMessage, HostStarter, MainMessage } from "./host.ts";

const LAST_LINES_MS = 500;

/** The usual way: a utility process, to which ports are handed as they are. */
export function utilityStarter(entry: string): HostStarter<MessagePortMain> {
  return {
    start({ line, news }) {
      const child = utilityProcess.fork(entry, [], { serviceName: "Knack agent host", stdio: "pipe" });
      const read = Promise.all([eachLine(child.stdout, line), eachLine(child.stderr, line)]);
      const ended = new Promise<string>((resolve) => {
        // Its last lines may still be on their way; they are what tells why it ended.
        child.once("exit", (code) => void Promise.race([read, setTimeout(LAST_LINES_MS)]).then(() => resolve(`ended with code ${code}`)));
      });
      child.on("message", (message: MainMessage) => {
        if (message.type === "news") news(message.news);
      });
      const say = (message: HostMessage, ports: MessagePortMain[] = []): void => child.postMessage(message, ports);
      return {
        ended,
        connect: (port) => say({ type: "page", page: 0 }, [port]),
        suspend: () => say({ type: "suspend" }),
        async close(patienceMs) {
          say({ type: "close" });
          const isEnded = await Promise.race([ended, setTimeout(patienceMs, false)]);
          if (isEnded === false) child.kill();
          await ended;
        },
      };
    },
  };
}
