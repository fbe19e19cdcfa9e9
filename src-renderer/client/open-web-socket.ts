import { RPCLink } from "@orpc/client/websocket";
import type { OpenChannel } from "./channel.ts";

/** The web shell's way: one WebSocket at `url`. */
export function openWebSocket(url: string): OpenChannel {
  return (signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const socket = new WebSocket(url);
      const ended = new Promise<string>((settle) => {
        socket.addEventListener("close", (event) => settle(event.reason === "" ? "Knack's host closed the connection." : event.reason), { once: true });
      });
      const close = () => socket.close();
      signal.addEventListener("abort", close, { once: true });
      socket.addEventListener("open", () => resolve({ link: new RPCLink({ websocket: socket }), ended, close }), { once: true });
      void ended.then((reason) => {
        signal.removeEventListener("abort", close);
        reject(new Error(reason));
      });
    });
}
