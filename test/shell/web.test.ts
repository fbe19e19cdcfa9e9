import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/websocket";
import type { ContractRouterClient } from "@orpc/contract";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import type { Router } from "#contract/router.ts";
import { askedPort } from "#shells/web/asked-port.ts";
import { writeTokenFile } from "#shells/web/token-file.ts";
import { startWebServer, type WebServer } from "#shells/web/web-server.ts";
import { createFakeAgent } from "./fake-agent.ts";

let folder: string;
let agent: ReturnType<typeof createFakeAgent>;
let server: WebServer;
let cookie: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "knack-web-"));
  await mkdir(join(folder, "page/assets"), { recursive: true });
  await writeFile(join(folder, "page/index.html"), "<title>Knack</title>");
  await writeFile(join(folder, "page/assets/main.js"), "export {};");
  await writeFile(join(folder, "page/.secret.js"), "hidden");
  await writeFile(join(folder, "outside.js"), "outside");
  await symlink(join(folder, "outside.js"), join(folder, "page/link.js"));
  agent = createFakeAgent();
  server = await startWebServer(agent, join(folder, "page"), 0);
  cookie = (await get("/", { query: `?token=${server.token}` })).headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** A request as a browser would not send it: the path goes out as it is, every header can be set. */
function get(path: string, { query = "", method = "GET", headers = {} }: { query?: string; method?: string; headers?: Record<string, string> } = {}) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
    const call = request({ host: "127.0.0.1", port: server.port, path: path + query, method, headers }, (answer) => {
      let body = "";
      answer.setEncoding("utf8").on("data", (chunk) => (body += chunk));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
    });
    call.on("error", reject).end();
  });
}

/** The status of a refused connection, or "open". */
function upgrade({ path = "/rpc", headers = {} }: { path?: string; headers?: Record<string, string> } = {}) {
  return new Promise<number | "open">((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { headers });
    socket.on("open", () => {
      socket.terminate();
      resolve("open");
    });
    socket.on("unexpected-response", (_, answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    socket.on("error", reject);
  });
}

const own = () => `http://127.0.0.1:${server.port}`;

describe("the page", () => {
  test("is given for the token, by way of a cookie no script and no other site can use", async () => {
    const first = await get("/", { query: `?token=${server.token}` });
    expect(first.headers["set-cookie"]?.[0]).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/u);
    expect(first.body).not.toContain(server.token);
    expect(cookie).not.toContain(server.token);
    expect(await get("/", { headers: { cookie } })).toMatchObject({ status: 200, body: "<title>Knack</title>" });
    expect((await get("/assets/main.js", { headers: { cookie } })).headers["content-type"]).toMatch(/^text\/javascript/u);
  });

  test.each([
    ["no token", ""],
    ["another token", "?token=AAAA"],
    ["an empty token", "?token="],
  ])("is refused for %s", async (_, query) => {
    expect((await get("/", { query })).status).toBe(401);
  });

  test("is refused for a cookie of another start", async () => {
    expect((await get("/", { headers: { cookie: `knack-${server.port}=AAAA` } })).status).toBe(401);
  });

  test.each(["evil.test", "evil.test:80", "127.0.0.1", "127.0.0.1.evil.test", "[::1]", "localhost.evil.test"])(
    "is refused when asked for as %s, even with the token",
    async (host) => {
      expect((await get("/", { query: `?token=${server.token}`, headers: { host, cookie } })).status).toBe(403);
    },
  );

  test.each(["http://evil.test", "null", "https://127.0.0.1"])("is refused to the origin %s", async (origin) => {
    expect((await get("/", { headers: { cookie, origin } })).status).toBe(403);
  });

  test("is refused to the same host on another port", async () => {
    expect((await get("/", { headers: { cookie, origin: `http://127.0.0.1:${server.port + 1}` } })).status).toBe(403);
  });

  test("answers to GET and HEAD only", async () => {
    expect((await get("/", { method: "POST", headers: { cookie, origin: own() } })).status).toBe(405);
    expect(await get("/", { method: "HEAD", headers: { cookie } })).toMatchObject({ status: 200, body: "" });
  });

  test("comes with a policy that lets nothing in from elsewhere", async () => {
    const { headers } = await get("/", { headers: { cookie } });
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("img-src 'self' data:");
    expect(policy).not.toMatch(/unsafe|https?:|\*/u);
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    });
  });

  test.each([
    "/../outside.js",
    "/assets/../../outside.js",
    "/%2e%2e/outside.js",
    "/..%2foutside.js",
    "/..%5coutside.js",
    "//etc/passwd",
    "//",
    "///",
    "/.secret.js",
    "/link.js",
    "/assets",
    "/none.js",
    "/%ff.js",
    "/index.html%00.js",
  ])("stays inside its folder for %s", async (path) => {
    expect((await get(path, { headers: { cookie } })).status).toBe(404);
  });
  test.each(["http://portal.example/", "*"])("is no proxy for %s", async (path) => {
    expect((await get(path, { headers: { cookie } })).status).toBe(400);
  });
  test("what browsers ask for on their own is no error in their console", async () => {
    expect((await get("/favicon.ico", { headers: { cookie } })).status).toBe(204);
    expect((await get("/favicon.ico")).status).toBe(401);
  });
});

describe("a connection", () => {
  test("opens for the page itself", async () => {
    expect(await upgrade({ headers: { cookie, origin: own() } })).toBe("open");
  });

  test("carries the contract", async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/rpc`, { headers: { cookie, origin: own() } });
    const client: ContractRouterClient<Router> = createORPCClient(new RPCLink({ websocket: socket as unknown as globalThis.WebSocket }));
    const stream = await client.chat.send({ text: "forever" });
    await stream.next();
    socket.close();
    await vi.waitFor(() => expect(agent.calls).toEqual(["send forever", "stopped"]));
  });

  test.each<[string, number, () => { path?: string; headers?: Record<string, string> }]>([
    ["another origin", 403, () => ({ headers: { cookie, origin: "http://evil.test" } })],
    ["an opaque origin", 403, () => ({ headers: { cookie, origin: "null" } })],
    ["no origin", 403, () => ({ headers: { cookie } })],
    ["another host with its own origin", 403, () => ({ headers: { cookie, host: "evil.test", origin: "http://evil.test" } })],
    ["no cookie", 401, () => ({ headers: { origin: own() } })],
    ["the token instead of the cookie", 401, () => ({ path: `/rpc?token=${server.token}`, headers: { origin: own() } })],
    ["another path", 404, () => ({ path: "/", headers: { cookie, origin: own() } })],
  ])("is refused for %s", async (_, status, options) => {
    expect(await upgrade(options())).toBe(status);
  });

  test("that sends more than a message can hold is ended, the others go on", async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/rpc`, { headers: { cookie, origin: own() } });
    socket.on("open", () => socket.send("x".repeat(80 * 1024 * 1024 + 1)));
    socket.on("error", () => {});
    await new Promise((resolve) => socket.on("close", resolve));
    expect(await upgrade({ headers: { cookie, origin: own() } })).toBe("open");
  });
});

describe("the shell", () => {
  test("is not reachable by another address of this machine", async () => {
    const refused = new Promise((resolve) =>
      connect({ host: "::1", port: server.port })
        .on("error", () => resolve(true))
        .on("connect", () => resolve(false)),
    );
    expect(await refused).toBe(true);
  });

  test("says so when its port is taken", async () => {
    await expect(startWebServer(agent, folder, server.port)).rejects.toMatchObject({ code: "port-taken" });
  });

  test.each(["80a", "-1", "65536", "", " 1", "1e3"])("refuses the port %j", (given) => {
    expect(() => askedPort(given)).toThrow("is no port");
  });

  test("keeps its address in a file for the user alone, while it runs", async () => {
    const data = join(folder, "data");
    await mkdir(data);
    await writeFile(join(data, "web-shell.url"), "left behind", { mode: 0o644 });
    {
      await using _file = await writeTokenFile(data, server.url);
      expect((await stat(join(data, "web-shell.url"))).mode & 0o777).toBe(0o600);
    }
    await expect(stat(join(data, "web-shell.url"))).rejects.toThrow("ENOENT");
  });

  test("leaves the address of another shell over the same data where it is", async () => {
    const data = join(folder, "shared");
    const first = await writeTokenFile(data, "http://127.0.0.1:1/");
    await using _second = await writeTokenFile(data, "http://127.0.0.1:2/");
    await first[Symbol.asyncDispose]();
    expect(await readFile(join(data, "web-shell.url"), "utf8")).toBe("http://127.0.0.1:2/\n");
  });

  test("ends open connections when it closes", async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/rpc`, { headers: { cookie, origin: own() } });
    await new Promise((resolve) => socket.on("open", resolve));
    const closed = new Promise<number>((resolve) => socket.on("close", resolve));
    const other = await startWebServer(agent, folder, 0);
    await Promise.all([server.close(), other.close()]);
    expect(await closed).toBe(1001);
    server = await startWebServer(agent, folder, 0);
  });
});
