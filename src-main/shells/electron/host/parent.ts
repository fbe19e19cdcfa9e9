import { EventEmitter } from "node:events";
import type { ParentPort } from "electron";
import type { MessagePortLike } from "#app/serve.ts";
import type { HostMessage, MainMessage } from "./host.ts";

export interface ParentListener {
  /** A page is there, with the host's end of its channel. */
  page(port: MessagePortLike): void;
  /** The machine goes to sleep, or its screen is locked. */
  suspend(): void;
  /** The app closes, or is gone. */
  close(): void;
}

/** The other side of both starters: tells the host of its pages, whichever way it was started. Returns how main is spoken to; throws when nobody started it. */
export function listenToParent(listener: ParentListener): (message: MainMessage) => void {
  const { parentPort } = process as { parentPort?: ParentPort };
  if (parentPort !== undefined) {
    listenToUtilityParent(parentPort, listener);
    return (message) => parentPort.postMessage(message);
  }
  if (process.send === undefined) throw new Error("The agent host is started by the app; run `npm start`.");
  const send = process.send.bind(process);
  const say = (message: MainMessage): void => void (process.connected && send(message));
  listenToNodeParent(say, listener);
  return say;
}

function listenToUtilityParent(parent: ParentPort, listener: ParentListener): void {
  parent.on("message", ({ data, ports }: { data: HostMessage; ports: readonly unknown[] }) => {
    if (data.type === "page") listener.page(ports[0] as MessagePortLike);
    else if (data.type === "suspend") listener.suspend();
    else if (data.type === "close") listener.close();
  });
}

function listenToNodeParent(say: (message: MainMessage) => void, listener: ParentListener): void {
  const pages = new Map<number, EventEmitter>();
  process.on("message", (message: HostMessage) => {
    switch (message.type) {
      case "page": {
        const { page } = message;
        const events = new EventEmitter();
        pages.set(page, events);
        listener.page({
          postMessage: (data) => say({ type: "frame", page, data: String(data) }),
          on: (event, told) => events.on(event, told),
        });
        return;
      }
      case "frame":
        pages.get(message.page)?.emit("message", { data: message.data });
        return;
      case "gone":
        pages.get(message.page)?.emit("close");
        pages.delete(message.page);
        return;
      case "suspend":
        listener.suspend();
        return;
      case "close":
        listener.close();
    }
  });
  process.on("disconnect", () => listener.close());
}
