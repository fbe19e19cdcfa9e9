import { RPCLink } from "@orpc/client/message-port";
import { implement } from "@orpc/server";
import { RPCHandler } from "@orpc/server/message-port";
import { afterEach, describe, expect, it, vi } from "vitest";
import { router } from "#contract/router.ts";
import type { Channel, OpenChannel } from "#renderer/client/channel.ts";
import { connect } from "#renderer/client/connection.ts";
import * as sample from "./sample.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A host behind a real message channel that can be ended. */
function host(protocol = 1) {
  const server = implement(router);
  const handler = new RPCHandler({ version: server.version.handler(() => ({ protocol })), status: server.status.handler(() => sample.status) });
  const ends: ((reason: string) => void)[] = [];
  const open: OpenChannel = async () => {
    const { port1, port2 } = new MessageChannel();
    handler.upgrade(port2, { context: {} as never });
    port1.start();
    port2.start();
    closers.push(() => {
      port1.close();
      port2.close();
    });
    const channel: Channel = { link: new RPCLink({ port: port1 }), ended: new Promise((resolve) => ends.push(resolve)), close: () => port1.close() };
    return channel;
  };
  return { open, end: (reason: string) => ends.at(-1)?.(reason) };
}

describe("the connection to the host", () => {
  it("lets calls wait for the first channel", async () => {
    const connection = connect(host().open);
    closers.push(() => connection.close());
    expect(connection.state.getState().phase).toBe("connecting");
    await expect(connection.client.status()).resolves.toEqual(sample.status);
    expect(connection.state.getState()).toEqual({ phase: "open", life: 1 });
  });

  it("says why it was lost, fails calls at once, and comes back as another life", async () => {
    const { open, end } = host();
    const connection = connect(open);
    closers.push(() => connection.close());
    await connection.client.status();
    end("Knack's host ended.");
    await vi.waitFor(() => expect(connection.state.getState()).toMatchObject({ phase: "waiting", reason: "Knack's host ended." }));
    await expect(connection.client.status()).rejects.toThrow("Knack's host cannot be reached right now.");
    connection.retryNow();
    await vi.waitFor(() => expect(connection.state.getState()).toEqual({ phase: "open", life: 2 }));
  });

  it("refuses a host that speaks another protocol instead of guessing", async () => {
    const connection = connect(host(2).open);
    closers.push(() => connection.close());
    await expect(connection.client.status()).rejects.toThrow(/host speaks 2/u);
    expect(connection.state.getState().phase).toBe("refused");
  });
});
