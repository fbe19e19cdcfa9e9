import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEgress, type EgressOptions } from "#adapters/egress/index.ts";
import type { Destination } from "#contract/grants/schema.ts";
import type { Egress } from "#core/ports/index.ts";

const app: Destination = { scheme: "https", host: "app.test", port: 443, use: "navigate", allowPrivate: false };

/** A far end that counts connections and keeps what it was sent. */
interface FarEnd {
  readonly port: number;
  readonly hits: () => number;
  readonly bytes: () => string;
  readonly close: () => void;
}

async function farEnd(): Promise<FarEnd> {
  let hits = 0;
  let bytes = "";
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    hits += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      bytes += chunk.toString("latin1");
      if (chunk.toString("latin1").startsWith("GET ")) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    hits: () => hits,
    bytes: () => bytes,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

let far: FarEnd;
let egress: Egress;
let dialled: string[];
let asked: string[];
const answers: Record<string, readonly string[] | Error> = {};

async function start(destinations: readonly Destination[], more: EgressOptions = {}): Promise<void> {
  egress = await createEgress({
    resolve: async (host) => {
      asked.push(host);
      const answer = answers[host];
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error("NXDOMAIN");
      return answer;
    },
    dial: (ip, port) => {
      dialled.push(`${ip}:${port}`);
      return connect(far.port, "127.0.0.1");
    },
    ...more,
  })(destinations);
}

beforeEach(async () => {
  far = await farEnd();
  dialled = [];
  asked = [];
  for (const key of Object.keys(answers)) delete answers[key];
  answers["app.test"] = ["93.184.215.10"];
  answers["evil.test"] = ["93.184.215.66"];
});
afterEach(async () => {
  await egress.close();
  far.close();
});

interface Answer {
  readonly status: number;
  readonly refusal: string;
  readonly socket: Socket;
}

function ask(head: string, credential = `${egress.username}:${egress.password}`): Promise<Answer> {
  const authorization = credential === "" ? "" : `Proxy-Authorization: Basic ${Buffer.from(credential).toString("base64")}\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect(egress.port, "127.0.0.1", () => socket.write(`${head}${authorization}\r\n`));
    socket.on("error", reject);
    let text = "";
    socket.on("data", function read(chunk: Buffer) {
      text += chunk.toString("latin1");
      if (!text.includes("\r\n\r\n")) return;
      socket.off("data", read);
      socket.pause();
      resolve({ status: Number(text.slice(9, 12)), refusal: /x-knack-refusal: (\S+)/iu.exec(text)?.[1] ?? "", socket });
    });
  });
}

const tunnel = (authority: string, credential?: string): Promise<Answer> => ask(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n`, credential);

/** Speaks TLS through a tunnel; true when the far end got the hello. */
async function hello(socket: Socket, servername: string): Promise<void> {
  const tls = connectTls({ socket, servername, rejectUnauthorized: false });
  tls.on("error", () => undefined);
  await new Promise((resolve) => setTimeout(resolve, 150));
}

describe("the proxy", () => {
  it("dials the address it checked, once, for a granted host", async () => {
    await start([app]);
    const answer = await tunnel("app.test:443");
    expect(answer.status).toBe(200);
    expect(dialled).toEqual([]);
    await hello(answer.socket, "app.test");
    expect(dialled).toEqual(["93.184.215.10:443"]);
    expect(asked).toEqual(["app.test"]);
    expect(far.hits()).toBe(1);
    expect(egress.decisions.at(-1)).toMatchObject({ allowed: true, code: "ok", host: "app.test", address: "93.184.215.10" });
  });

  it.each(["", "knack:wrong", "other:password"])("NET-18: answers 407 to a client with the credential %j and dials nothing", async (credential) => {
    await start([app]);
    expect((await tunnel("app.test:443", credential)).status).toBe(407);
    expect([asked, dialled, egress.counts.requests]).toEqual([[], [], 0]);
  });

  it.each([
    ["evil.test:443", "dest.host"],
    ["APP.TEST.evil.test:443", "dest.host"],
    ["app.test:8443", "dest.port"],
    ["app.test.:443", "url.host"],
    ["127.0.0.1:443", "dest.ip"],
    ["2130706433:443", "dest.ip"],
    ["[::ffff:7f00:1]:443", "dest.ip"],
    ["169.254.169.254:443", "dest.ip"],
  ])("refuses CONNECT %s with %s before anything is resolved or dialled", async (authority, code) => {
    await start([app]);
    const answer = await tunnel(authority);
    expect([answer.status, answer.refusal]).toEqual([403, code]);
    expect([asked, dialled, far.hits()]).toEqual([[], [], 0]);
    expect(egress.refusals.at(-1)?.code).toBe(code);
  });

  it("takes another spelling of the granted name for the same name", async () => {
    await start([app]);
    expect((await tunnel("APP.Test:443")).status).toBe(200);
  });

  it("DNS-01: pins the checked address against a resolver that changes its mind", async () => {
    const queue: (readonly string[])[] = [["93.184.215.10"], ["127.0.0.1"]];
    await start([app], { resolve: async () => queue.shift() ?? [] });
    const first = await tunnel("app.test:443");
    await hello(first.socket, "app.test");
    const second = await tunnel("app.test:443");
    expect([second.status, second.refusal]).toEqual([403, "dest.ip"]);
    expect(dialled).toEqual(["93.184.215.10:443"]);
  });

  it.each([
    ["DNS-02", ["93.184.215.10", "10.0.0.5"], "dest.ip"],
    ["DNS-02", ["93.184.215.10", "::1"], "dest.ip"],
    ["URL-36", ["169.254.169.254"], "dest.ip"],
    ["DNS-05", [], "dns.error"],
    ["DNS-05", new Error("SERVFAIL"), "dns.error"],
  ] as const)("%s: refuses the answer %j with %s", async (_row, answer, code) => {
    answers["app.test"] = answer;
    await start([app]);
    expect((await tunnel("app.test:443")).refusal).toBe(code);
    expect(dialled).toEqual([]);
  });

  it("DNS-05: a resolver that never answers is an error too", async () => {
    await start([app], { resolve: () => new Promise(() => undefined), resolveTimeoutMs: 50 });
    expect((await tunnel("app.test:443")).refusal).toBe("dns.error");
  });

  it("reaches a private address where the grant says so, and a metadata service never", async () => {
    answers["app.test"] = ["10.0.0.5"];
    await start([{ ...app, allowPrivate: true }]);
    expect((await tunnel("app.test:443")).status).toBe(200);
    answers["app.test"] = ["169.254.169.254"];
    expect((await tunnel("app.test:443")).refusal).toBe("dest.ip");
  });

  it("URL-39: never lets anybody reach its own port or another of ours", async () => {
    await start([], { ownPorts: () => [far.port] });
    const local = (port: number): Destination => ({ scheme: "http", host: "127.0.0.1", port, use: "navigate", allowPrivate: true });
    egress.setDestinations([local(egress.port), local(far.port)]);
    for (const port of [egress.port, far.port]) {
      const answer = await ask(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`);
      expect([answer.status, answer.refusal]).toEqual([403, "dest.self"]);
    }
    expect([dialled, far.hits()]).toEqual([[], 0]);
  });

  it("forwards plain http to a granted host, and not under another name", async () => {
    await start([{ ...app, scheme: "http", port: 80 }]);
    expect((await ask("GET http://app.test/a HTTP/1.1\r\nHost: app.test\r\n")).status).toBe(200);
    expect(dialled).toEqual(["93.184.215.10:80"]);
    expect((await ask("GET http://app.test/a HTTP/1.1\r\nHost: evil.test\r\n")).refusal).toBe("dest.host");
    expect((await ask("GET http://evil.test/a HTTP/1.1\r\nHost: evil.test\r\n")).refusal).toBe("dest.host");
    expect(far.hits()).toBe(1);
    expect(far.bytes()).not.toMatch(/proxy-authorization/iu);
  });

  it("URL-23: refuses plain http where https is granted", async () => {
    await start([app]);
    expect((await ask("GET http://app.test/ HTTP/1.1\r\nHost: app.test\r\n")).refusal).toBe("dest.scheme");
  });

  it.each([
    ["plain http", "GET / HTTP/1.1\r\nHost: app.test\r\n\r\n"],
    ["SSH", "SSH-2.0-x\r\n"],
    ["SMTP", "EHLO app.test\r\n"],
  ])("NET-15: closes a tunnel in which %s is spoken, before it dials", async (_what, text) => {
    await start([app]);
    const { socket } = await tunnel("app.test:443");
    socket.resume();
    socket.write(text);
    await new Promise((resolve) => socket.once("close", resolve));
    expect([dialled, far.hits()]).toEqual([[], 0]);
    expect(egress.refusals.at(-1)?.code).toBe("dest.protocol");
  });

  it("NET-15: closes a tunnel whose hello names another host", async () => {
    await start([app]);
    const { socket } = await tunnel("app.test:443");
    await hello(socket, "evil.test");
    expect([dialled, far.hits()]).toEqual([[], 0]);
  });

  it("closes live tunnels when the grant is taken back, and refuses the next one by that name (HOP-18)", async () => {
    await start([app]);
    const { socket } = await tunnel("app.test:443");
    await hello(socket, "app.test");
    const closed = new Promise((resolve) => socket.once("close", resolve));
    egress.setDestinations([]);
    await closed;
    expect((await tunnel("app.test:443")).refusal).toBe("grant.revoked");
    egress.setDestinations([app]);
    expect((await tunnel("app.test:443")).status).toBe(200);
  });

  it("NET-20: keeps the grants of two sessions apart", async () => {
    await start([app]);
    const other = await createEgress({ resolve: async () => ["93.184.215.10"] })([]);
    expect(other.password).not.toBe(egress.password);
    const answer = await ask("CONNECT app.test:443 HTTP/1.1\r\nHost: app.test:443\r\n", `${other.username}:${other.password}`);
    expect(answer.status).toBe(407);
    await other.close();
  });
});
