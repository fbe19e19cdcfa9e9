import { spawn } from "node:child_process";
import type { MessagePortMain } from "electron";
import { eachLine } from "./each-line.ts";
import type { HostMessage, HostStarter, MainMessage } from "./host.ts";

/**
 * An ordinary Node process, for an Electron older than the native modules need, and for debugging. A port cannot leave Electron,
 * so main carries each page's frames over the child's IPC channel; frames are text, since the contract sends no binary.
 */
export function nodeStarter(node: string, entry: string): HostStarter<MessagePortMain> {
  return {
    start({ line, news }) {
      const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
      const child = spawn(node, [entry], { env, stdio: ["ignore", "pipe", "pipe", "ipc"], windowsHide: true });
      void eachLine(child.stdout, line);
      void eachLine(child.stderr, line);

      const ports = new Map<number, MessagePortMain>();
      let lastPage = 0;
      const ended = new Promise<string>((resolve) => {
        child.once("error", (error) => resolve(`could not be started with ${node}: ${error.message}`));
        // "close" rather than "exit": by then its last lines have been read.
        child.once("close", (code, signal) => resolve(signal === null ? `ended with code ${code}` : `ended by signal ${signal}`));
      });
      void ended.then(() => {
        for (const port of ports.values()) port.close();
      });

      // A host that has just ended cannot be told anything; that is no error, its end is on its way.
      const say = (message: HostMessage): void => void (child.connected && child.send(message, () => {}));
      child.on("message", (message: MainMessage) => {
        if (message.type === "news") news(message.news);
        else ports.get(message.page)?.postMessage(message.data);
      });

      return {
        ended,
        connect(port) {
          const page = ++lastPage;
          ports.set(page, port);
          say({ type: "page", page });
          port.on("message", ({ data }) => {
            if (typeof data === "string") say({ type: "frame", page, data });
          });
          port.on("close", () => {
            ports.delete(page);
            say({ type: "gone", page });
          });
          port.start();
        },
        suspend: () => say({ type: "suspend" }),
        async close(patienceMs) {
          say({ type: "close" });
          const impatience = setTimeout(() => child.kill("SIGKILL"), patienceMs);
          await ended;
          clearTimeout(impatience);
        },
      };
    },
  };
}
