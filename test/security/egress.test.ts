import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEgress, type EgressOptions } from "#adapters/egress/index.ts";
import { clientHello } from "#app/eval/security/client-hello.ts";
import type { Destination } from "#contract/grants/schema.ts";
import type { Egress, EgressDecision, OnDecision } from "#core/ports/index.ts";

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

async function start(destinations: readonly Destination[], more: EgressOptions = {}, onDecision?: OnDecision): Promise<void> {
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
  })(destinations, onDecision);
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
    ["metadata.google.internal:443", "dest.ip"],
    ["app.test@evil.test:443", "url.userinfo"],
    ["evil.test@app.test:443", "url.userinfo"],
    ["app.test:443/", "url.parse"],
    ["app.test:443?evil.test", "url.parse"],
    ["app.test:0", "url.parse"],
    ["app.test;.evil.test:443", "url.host"],
    ["xn--pp-6kc.test:443", "dest.host"],
    [`${"a".repeat(64)}.test:443`, "url.length"],
  ])("URL-01 to URL-41: refuses CONNECT %s with %s before anything is resolved or dialled", async (authority, code) => {
    await start([app]);
    const answer = await tunnel(authority);
    expect([answer.status, answer.refusal]).toEqual([403, code]);
    expect([asked, dialled, far.hits()]).toEqual([[], [], 0]);
    expect(egress.refusals.at(-1)?.code).toBe(code);
  });

  it.each([
    ["http://user:pw@app.test/", "url.userinfo"],
    ["http://app.test./", "url.host"],
    ["http://127.1/", "dest.ip"],
    ["http://0xa9fea9fe/latest", "dest.ip"],
  ])("URL-25 to URL-37: refuses to forward %s with %s", async (url, code) => {
    await start([app, { ...app, scheme: "http", port: 80 }]);
    const answer = await ask(`GET ${url} HTTP/1.1\r\nHost: app.test\r\n`);
    expect([answer.status, answer.refusal]).toEqual([403, code]);
    expect([asked, dialled, far.hits()]).toEqual([[], [], 0]);
    expect(JSON.stringify([egress.refusals, egress.decisions])).not.toContain("pw");
  });

  it.each(["file:///etc/passwd", "ftp://app.test/", "https://app.test/", "ws://app.test/", "javascript:alert(1)", "/", "*"])(
    "URL-25: takes nothing but http in absolute form for a request to forward, not %s",
    async (url) => {
      await start([app, { ...app, scheme: "http", port: 80 }, { ...app, scheme: "ws", port: 80 }]);
      expect((await ask(`GET ${url} HTTP/1.1\r\nHost: app.test\r\n`)).status).toBe(400);
      expect([asked, dialled, far.hits()]).toEqual([[], [], 0]);
    },
  );

  it.each(["app.test", "app.test:443#@evil.test:443", ":443", "app.test:99999"])("URL-01: CONNECT to %j is no request", async (authority) => {
    await start([app]);
    expect((await tunnel(authority)).status).toBe(400);
    expect([asked, dialled, far.hits()]).toEqual([[], [], 0]);
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

  it.each([undefined, null, [], "app.test", [{ ...app, port: "443" }], [{ ...app, host: ["app.test"] }]])(
    "URL-42: opens nothing under the policy %j, at the start or later",
    async (policy) => {
      await start(policy as never);
      expect((await tunnel("app.test:443")).refusal).toBe("policy.invalid");
      egress.setDestinations([app]);
      expect((await tunnel("app.test:443")).status).toBe(200);
      egress.setDestinations(policy as never);
      expect((await tunnel("app.test:443")).refusal).toMatch(/^(?:policy\.invalid|grant\.revoked)$/u);
      expect([dialled, far.hits()]).toEqual([[], 0]);
    },
  );

  it("fails closed when something of ours breaks", async () => {
    await start([{ ...app, scheme: "http", port: 80, allowPrivate: true }], {
      ownPorts: () => {
        throw new Error("secret of ours");
      },
    });
    answers["app.test"] = ["10.0.0.5"];
    const answer = await ask("GET http://app.test/ HTTP/1.1\r\nHost: app.test\r\n");
    expect([answer.status, answer.refusal, dialled]).toEqual([403, "policy.error", []]);
    expect(JSON.stringify(egress.refusals)).not.toContain("secret of ours");
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

  it("DNS-02: takes a private address in any place of the answer for the whole", async () => {
    await start([app]);
    for (const answer of [
      ["10.0.0.5", "93.184.215.10"],
      ["93.184.215.10", "fd00::1", "93.184.215.11"],
      ["93.184.215.10", "::ffff:10.0.0.1"],
      ["app.internal"],
    ]) {
      answers["app.test"] = answer;
      expect((await tunnel("app.test:443")).refusal).toBe("dest.ip");
    }
    expect([dialled, far.hits()]).toEqual([[], 0]);
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

  it("NET-03: lets a plain web socket through where ws is granted, and only its own opening", async () => {
    const ws: Destination = { ...app, scheme: "ws", port: 80 };
    const opening = (host: string, more = "Upgrade: websocket\r\n"): string => `GET /live HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;
    await start([ws]);
    for (const text of [
      opening("evil.test"),
      opening("app.test", ""),
      opening("app.test", "Upgrade: websocket\r\nHost: evil.test\r\n"),
      "POST / HTTP/1.1\r\n\r\n",
    ]) {
      const { socket } = await tunnel("app.test:80");
      socket.resume();
      socket.write(text);
      await new Promise((resolve) => socket.once("close", resolve));
    }
    expect([dialled, far.hits()]).toEqual([[], 0]);
    const { socket } = await tunnel("app.test:80");
    socket.write(opening("app.test"));
    const came = new Promise((resolve) => socket.once("data", resolve));
    socket.resume();
    expect(String(await came)).toContain("200 OK");
    expect(dialled).toEqual(["93.184.215.10:80"]);
    for (const authority of ["app.test:443", "evil.test:80"]) expect((await tunnel(authority)).status).toBe(403);
  });

  it("NET-15: closes a tunnel whose hello names two hosts, as servers differ in which they take", async () => {
    await start([app]);
    const { socket } = await tunnel("app.test:443");
    socket.resume();
    socket.write(clientHello("app.test", "evil.test"));
    await new Promise((resolve) => socket.once("close", resolve));
    expect([dialled, far.hits()]).toEqual([[], 0]);
    const control = await tunnel("app.test:443");
    control.socket.write(clientHello("app.test"));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(dialled).toEqual(["93.184.215.10:443"]);
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

  it("HOP-18: a grant that is taken back while its name is looked up opens nothing", async () => {
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    await start([app, { ...app, scheme: "http", port: 80 }], { resolve: () => promise });
    const waiting = tunnel("app.test:443");
    const forwarded = ask("GET http://app.test/ HTTP/1.1\r\nHost: app.test\r\n");
    await new Promise((done) => setTimeout(done, 50));
    egress.setDestinations([]);
    resolve(["93.184.215.10"]);
    const { socket } = await waiting;
    await hello(socket, "app.test");
    expect((await forwarded).status).not.toBe(200);
    expect([dialled, far.hits()]).toEqual([[], 0]);
    expect(egress.refusals.map(({ code }) => code)).toEqual(["grant.revoked", "grant.revoked"]);
  });

  it("HOP-18: a tunnel into a private network ends when only the private part of its grant is taken back", async () => {
    answers["app.test"] = ["10.0.0.5"];
    await start([{ ...app, allowPrivate: true }]);
    const { socket } = await tunnel("app.test:443");
    await hello(socket, "app.test");
    expect(dialled).toEqual(["10.0.0.5:443"]);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const before = performance.now();
    egress.setDestinations([app]);
    await closed;
    expect(performance.now() - before).toBeLessThan(1000);
  });

  it("says of each connection who allowed it, where it led and how much went through, and once more when it is over", async () => {
    const told: EgressDecision[] = [];
    const http: Destination = { ...app, scheme: "http", port: 80 };
    answers["app.test"] = ["93.184.215.10", "93.184.215.11"];
    await start([http], {}, (decision) => told.push(decision));
    const { socket } = await ask("GET http://app.test/a?secret=1 HTTP/1.1\r\nHost: app.test\r\n");
    socket.destroy();
    await ask("GET http://evil.test/b?secret=1 HTTP/1.1\r\nHost: evil.test\r\n");
    await tunnel("app.test:80", "other:password");
    await expect.poll(() => told.filter(({ id }) => id === 1)).toHaveLength(2);
    const [begun, refused, stranger] = [told[0], told.find(({ id }) => id === 2), told.find(({ id }) => id === 3)];
    expect(begun).toMatchObject({
      allowed: true,
      code: "ok",
      scheme: "http",
      host: "app.test",
      port: 80,
      address: "93.184.215.10",
      endedAt: null,
      destination: http,
    });
    expect(begun?.resolved).toEqual(["93.184.215.10", "93.184.215.11"]);
    const over = told.findLast(({ id }) => id === 1);
    expect(over?.sent).toBe(far.bytes().length);
    expect([over?.received, over?.endedAt === null]).toEqual([40, false]);
    expect(refused).toMatchObject({ allowed: false, code: "dest.host", scheme: "http", host: "evil.test", port: 80, address: "", destination: null });
    expect(stranger).toMatchObject({ allowed: false, code: "proxy.credential", host: "", address: "" });
    expect(JSON.stringify(told)).not.toMatch(/secret|password/u);
  });

  it("a place that cannot be reached was allowed, and is said to be unreachable", async () => {
    const told: EgressDecision[] = [];
    far.close();
    await start([app], {}, (decision) => told.push(decision));
    const { socket } = await tunnel("app.test:443");
    await hello(socket, "app.test");
    await expect.poll(() => told.at(-1)).toMatchObject({ id: 1, allowed: true, code: "dial.failed", received: 0 });
  });

  it("DNS-09: asks no proxy of the environment", async () => {
    const before = { ...process.env };
    for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "NODE_USE_ENV_PROXY"]) process.env[name] = "http://127.0.0.1:1";
    try {
      await start([{ ...app, scheme: "http", port: 80 }]);
      expect((await ask("GET http://app.test/ HTTP/1.1\r\nHost: app.test\r\n")).status).toBe(200);
      expect(dialled).toEqual(["93.184.215.10:80"]);
    } finally {
      process.env = before;
    }
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

describe("what a boundary lets through", () => {
  const http: Destination = { ...app, scheme: "http", port: 80 };
  const get = (host = "app.test", more = ""): Promise<Answer> => ask(`GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n${more}`);

  it("ends with so many requests", async () => {
    await start([http], { caps: { requests: 2 } });
    expect([(await get()).status, (await get()).status]).toEqual([200, 200]);
    expect((await get()).refusal).toBe("stop.requests");
    expect(far.hits()).toBe(2);
  });

  it("RES-02: ends with so many bytes, of which no more than the cap were taken in", async () => {
    let written = 0;
    const flood = createServer((socket) => {
      const piece = Buffer.alloc(65_536, 120);
      const more = (): void => {
        while (!socket.destroyed && socket.write(piece)) written += piece.length;
      };
      socket.on("error", () => undefined).on("drain", more);
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        more();
      });
    });
    await new Promise<void>((resolve) => flood.listen(0, "127.0.0.1", resolve));
    await start([http], { caps: { bytesReceived: 1_000_000 }, dial: () => connect((flood.address() as AddressInfo).port, "127.0.0.1") });
    const { socket } = await get();
    let came = 0;
    socket.on("data", (chunk: Buffer) => (came += chunk.length)).resume();
    await new Promise((resolve) => socket.once("close", resolve));
    expect(came).toBeLessThan(1_200_000);
    expect(egress.refusals.map(({ code }) => code)).toEqual(["stop.bytes"]);
    expect((await get()).status).not.toBe(200);
    expect(written).toBeGreaterThan(0);
    flood.close();
  });

  it("NET-13: sends a host no more than its grant says, over all its connections", async () => {
    await start([
      { ...http, mostSent: 300 },
      { ...http, host: "evil.test" },
    ]);
    expect((await get()).status).toBe(200);
    expect((await get("app.test", `Cookie: ${"c".repeat(300)}\r\n`)).status).not.toBe(200);
    expect(far.bytes()).not.toContain("ccc");
    expect(egress.refusals.map(({ code, host }) => `${code} ${host}`)).toEqual(["stop.sent app.test"]);
    expect((await get("evil.test", `Cookie: ${"d".repeat(300)}\r\n`)).status).toBe(200);
  });

  it("NET-13: sends no query to a host that is granted without", async () => {
    await start([{ ...http, use: "subresource", noQuery: true }]);
    expect((await ask("GET http://app.test/p.gif?d=canary HTTP/1.1\r\nHost: app.test\r\n")).refusal).toBe("query");
    expect([dialled, far.hits()]).toEqual([[], 0]);
    expect((await ask("GET http://app.test/p.gif HTTP/1.1\r\nHost: app.test\r\n")).status).toBe(200);
  });

  it("ends with so many connections at once, and goes on when some are over", async () => {
    await start([app], { caps: { connections: 1 } });
    const first = await tunnel("app.test:443");
    await hello(first.socket, "app.test");
    const second = await tunnel("app.test:443");
    await hello(second.socket, "app.test");
    expect([dialled.length, egress.refusals.map(({ code }) => code)]).toEqual([1, ["stop.connections"]]);
    first.socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const third = await tunnel("app.test:443");
    await hello(third.socket, "app.test");
    expect(dialled).toHaveLength(2);
  });

  it("RES-01: ends a connection that is open for too long, and one on which nothing is said", async () => {
    for (const caps of [{ openMs: 300 }, { silentMs: 300 }]) {
      await start([app], { caps });
      const { socket } = await tunnel("app.test:443");
      const closed = new Promise((resolve) => socket.once("close", resolve));
      await hello(socket, "app.test");
      expect(socket.destroyed).toBe(false);
      await closed;
      await egress.close();
    }
    expect(far.hits()).toBe(2);
  });
});
