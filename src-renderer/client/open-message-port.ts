import { RPCLink } from "@orpc/client/message-port";
import type { Channel, OpenChannel } from "./channel.ts";

/**
 * The app's way: the preload hands over a MessagePort in a window message, and another one whenever the host was started again.
 * Only messages of this very window are taken. A port that came before anyone asked is kept.
 */
export function openMessagePort(page: Window): OpenChannel {
  let waiting: MessagePort | null = null;
  let take: ((port: MessagePort) => void) | null = null;
  let replace: (() => void) | null = null;

  page.addEventListener("message", (event) => {
    const port = event.ports[0];
    if (event.source !== page || port === undefined) return;
    replace?.();
    if (take === null) waiting = port;
    else take(port);
  });

  function channel(port: MessagePort): Channel {
    const { promise: ended, resolve: end } = Promise.withResolvers<string>();
    const link = new RPCLink({ port });
    replace = () => end("Knack's host was started again.");
    port.addEventListener("close", () => end("Knack's host ended."), { once: true });
    port.start();
    return { link, ended, close: () => port.close() };
  }

  return (signal) => {
    signal.throwIfAborted();
    if (waiting !== null) {
      const port = waiting;
      waiting = null;
      return Promise.resolve(channel(port));
    }
    return new Promise((resolve, reject) => {
      const abort = () => {
        take = null;
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
      take = (port) => {
        take = null;
        signal.removeEventListener("abort", abort);
        resolve(channel(port));
      };
    });
  };
}
