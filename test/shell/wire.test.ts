import { MessageChannel, type MessagePort } from "node:worker_threads";
import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/message-port";
import type { ContractRouterClient } from "@orpc/contract";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { serve } from "#app/serve.ts";
import type { TurnEvent } from "#contract/chat/schema.ts";
import type { ShowingEvent } from "#contract/learning/routes.ts";
import type { Router } from "#contract/router.ts";
import { fromWireError } from "#contract/wire-error.ts";
import { createFakeAgent } from "./fake-agent.ts";

let agent: ReturnType<typeof createFakeAgent>;
let page: MessagePort;
let client: ContractRouterClient<Router>;

beforeEach(() => {
  agent = createFakeAgent();
  const { port1, port2 } = new MessageChannel();
  serve(agent, port2, { by: "ada" });
  page = port1;
  // Node's ports are event targets too, which is what a page's are.
  client = createORPCClient(new RPCLink({ port: port1 as unknown as globalThis.MessagePort }));
  page.start();
});
afterEach(() => page.close());

async function failure(call: Promise<unknown>) {
  return fromWireError(
    await call.then(
      () => "no error",
      (error: unknown) => error,
    ),
  );
}

describe("a call", () => {
  test("answers with what the agent said", async () => {
    expect(await client.version()).toEqual({ protocol: 1 });
    expect((await client.status()).model.state).toBe("ready");
  });

  test("carries who is at the page, whatever the page says", async () => {
    const spoofed = { episodeId: "e1", worked: true, by: "mallory" };
    await client.chat.judge(spoofed);
    expect(agent.calls).toEqual(["judge e1 true ada"]);
  });

  test("changes only the switches it names", async () => {
    await client.settings.change({ memory: false });
    const settings = await client.settings.change({ theme: "dark" });
    expect(agent.calls).toEqual(['settings {"memory":false}', 'settings {"theme":"dark"}']);
    expect(settings).toMatchObject({ memory: false, theme: "dark" });
  });
});

describe("an error", () => {
  test("is the same KnackError on the other side", async () => {
    const error = await failure(client.conversations.get({ id: "c9" }));
    expect({ ...error, message: error.message, cause: undefined }).toMatchObject({
      code: "unknown",
      message: "There is no conversation c9.",
      exit: 1,
      fields: { what: "conversation c9" },
    });
  });

  test("of a gate keeps its rule and exit code", async () => {
    expect(await failure(client.grants.add({ what: "/etc" }))).toMatchObject({ code: "refused", exit: 3, fields: { rule: "ENV-1" } });
  });

  test("in the middle of a stream arrives after what came before it", async () => {
    const events: TurnEvent["type"][] = [];
    const error = await failure(
      (async () => {
        for await (const event of await client.chat.send({ text: "fail late" })) events.push(event.type);
      })(),
    );
    expect(events).toEqual(["turn-started", "text-delta"]);
    expect(error).toMatchObject({ code: "model-missing", message: "The model file is gone.", fields: { file: "model.gguf" } });
  });
});

describe("malformed input", () => {
  test.each([
    ["an empty message", (c: typeof client) => c.chat.send({ text: "   " }), "text"],
    ["a number for a text", (c: typeof client) => c.chat.send({ text: 5 as unknown as string }), "text"],
    ["no input at all", (c: typeof client) => c.chat.stop(undefined as never), ""],
    ["too many steps", (c: typeof client) => c.chat.send({ text: "go", maxSteps: 101 }), "maxSteps"],
    ["a page that is no web page", (c: typeof client) => c.learning.startShowing({ goal: "look", url: "file:///etc/passwd" }), "url"],
    ["a block nobody edits by hand", (c: typeof client) => c.blocks.set({ name: "BOUNDARIES" as never, text: "x" }), "name"],
    ["a block's text that is too long", (c: typeof client) => c.blocks.set({ name: "RULES", text: "x".repeat(2001) }), "text"],
    ["a block without a text", (c: typeof client) => c.blocks.set({ name: "RULES", text: " " }), "text"],
    ["a field that is not asked for", (c: typeof client) => c.blocks.decline({ field: "salary" as never }), "field"],
    ["a misspelt switch", (c: typeof client) => c.settings.change({ memori: false } as never), ""],
  ])("%s is a 422 that names the field, and does not reach the agent", async (_, call, field) => {
    const raw: unknown = await call(client).then(
      () => "no error",
      (error: unknown) => error,
    );
    expect(raw).toMatchObject({ status: 422 });
    expect(fromWireError(raw)).toMatchObject({ code: "bad-input", exit: 2, fields: { issues: [expect.objectContaining({ path: field })] } });
    expect(agent.calls).toEqual([]);
  });

  test("that would reach a prototype changes none", async () => {
    const polluted = JSON.parse('{"text":"count 1","__proto__":{"polluted":true},"inputs":{"__proto__":"x","constructor":"y"}}');
    for await (const _ of await client.chat.send(polluted));
    page.postMessage('{"i":"77","p":{"u":"/chat/stop","b":{"json":{"turnId":"t"},"meta":[[3,"__proto__","polluted"]]}}}');
    expect(await client.conversations.list()).toEqual([]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test("frames that cannot be read leave the host answering", async () => {
    const complaint = vi.spyOn(console, "error").mockImplementation(() => {});
    for (const frame of ["", "{", "null", "[]", '{"i":1}', '{"i":"1","p":null}', new Uint8Array([255, 0, 255]), { i: "x" }, 7, null]) page.postMessage(frame);
    expect(await client.conversations.list()).toEqual([]);
    complaint.mockRestore();
  });

  test("to a route that is none says so", async () => {
    const error = await failure((client as unknown as { vault: { reveal(): Promise<unknown> } }).vault.reveal());
    expect(error.code).toBe("not-found");
  });
});

describe("a stream", () => {
  test("carries a turn to its end", async () => {
    const events: TurnEvent[] = [];
    for await (const event of await client.chat.send({ text: "count 3" })) events.push(event);
    expect(events.map((event) => (event.type === "text-delta" ? event.text : event.type))).toEqual(["turn-started", "1 ", "2 ", "3 ", "turn-finished"]);
  });

  test("stops the turn when the call is aborted", async () => {
    const stop = new AbortController();
    const stream = await client.chat.send({ text: "forever" }, { signal: stop.signal });
    await stream.next();
    stop.abort();
    await vi.waitFor(() => expect(agent.calls).toEqual(["send forever", "stopped"]));
  });

  test("stops the turn when the page stops listening", async () => {
    for await (const event of await client.chat.send({ text: "forever" })) if (event.type === "text-delta") break;
    await vi.waitFor(() => expect(agent.calls).toEqual(["send forever", "stopped"]));
  });

  test("stops the turn when the page is gone", async () => {
    const stream = await client.chat.send({ text: "forever" });
    await stream.next();
    page.close();
    await vi.waitFor(() => expect(agent.calls).toEqual(["send forever", "stopped"]));
  });

  test("tells of a showing until its recording ends, whoever ends it", async () => {
    const events: ShowingEvent[] = [];
    const action = {
      kind: "open" as const,
      value: "https://portal.test/",
      secret: false,
      siblings: [],
      landmark: "",
      context: "",
      after: { url: "", title: "", heading: "", text: "" },
      at: 1,
    };
    for await (const event of await client.learning.startShowing({ goal: "look", url: "https://portal.test" })) {
      events.push(event);
      if (event.type === "showing-started") agent.act(action);
      else agent.breakShowing();
    }
    expect(events.map((event) => event.type)).toEqual(["showing-started", "action-shown"]);
  });
});
