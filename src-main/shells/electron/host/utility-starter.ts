import { type MessagePortMain, utilityProcess } from "electron";
import { eachLine } from "./each-line.ts";
import type { HostMessage, HostStarter } from "./host.ts";

/** The usual way: a utility process, to which ports are handed as they are. */
export function utilityStarter(entry: string): HostStarter<MessagePortMain> {
  return {
    start(onLine) {
      const child = utilityProcess.fork(entry, [], { serviceName: "Knack agent host", stdio: "pipe" });
      eachLine(child.stdout, onLine);
      eachLine(child.stderr, onLine);
      const ended = new Promise<string>((resolve) => {
        child.once("exit", (code) => resolve(`ended with code ${code}`));
      });
      const say = (message: HostMessage, ports: MessagePortMain[] = []): void => child.postMessage(message, ports);
      return {
        ended,
        connect: (port) => say({ type: "page", page: 0 }, [port]),
        async close(patienceMs) {
          say({ type: "close" });
          const impatience = setTimeout(() => child.kill(), patienceMs);
          await ended;
          clearTimeout(impatience);
        },
      };
    },
  };
}
