import { userInfo } from "node:os";
import { RPCHandler } from "@orpc/server/ws";
import type { OutwardAgent } from "./agent.ts";
import { handlers } from "./handlers/index.ts";

/** A Node, Electron or browser message port, as far as it is needed here. */
export interface MessagePortLike {
  postMessage(data: unknown): void;
  start?(): void;
  on(event: "message" | "close", listener: (event: unknown) => void): unknown;
}

/** A WebSocket of `ws`, as far as it is needed here. */
export type WebSocketLike = Parameters<RPCHandler<never>["upgrade"]>[0];

const rpc = new RPCHandler(handlers);

/**
 * Answers the contract on one connection until it closes; closing aborts what the connection had running.
 * A frame that cannot be read is logged and dropped: ports are fed through the WebSocket adapter because it survives one,
 * while the message-port adapter leaves an unhandled rejection that would end the host.
 */
export function serve(agent: OutwardAgent, port: MessagePortLike | WebSocketLike, { by = userName() }: { by?: string } = {}): void {
  const socket = "postMessage" in port ? asSocket(port) : port;
  void rpc.upgrade(socket, { context: { agent, by } });
  if ("postMessage" in port) port.start?.();
}

function asSocket(port: MessagePortLike): WebSocketLike {
  return {
    send: (data) => port.postMessage(data),
    addEventListener(event: "message" | "close", told: (event: unknown) => void) {
      // Electron's ports emit an event with `data`, Node's emit the data itself.
      port.on(event, (value) => told(event === "message" ? { data: isMessageEvent(value) ? value.data : value } : value));
    },
  } as WebSocketLike;
}

function isMessageEvent(value: unknown): value is { data: unknown } {
  return typeof value === "object" && value !== null && "data" in value && !ArrayBuffer.isView(value);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "user"; // an account without an entry, as in some containers
  }
}
