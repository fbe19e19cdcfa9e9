import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { type BrowserLauncherOptions, createBrowserLauncher } from "#adapters/browser/index.ts";

import { createEgress, type EgressOptions } from "#adapters/egress/index.ts";
import { makeCertificate } from "#adapters/sites/make-certificate.ts";
import type { BrowserOptions, BrowserSession, Egress } from "#core/ports/index.ts";
import { grant, never } from "../browser/stage.ts";

export type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;
/** What hosts answer, by path; text is a page. */
export type FarPages = Readonly<Record<string, Readonly<Record<string, string | Answer>>>>;

export interface NetStage {
  /** "host GET /path" of every request that arrived anywhere, under https, http or an opening web socket. */
  readonly hits: string[];
  /** Every name that was looked up. */
  readonly lookups: string[];
  /** "address:port" of every connection that was dialled. */
  readonly dialled: string[];
  /** Bytes of bodies and web sockets that arrived, by host. */
  readonly bodies: Map<string, string>;
  /** The proxy of the latest session. */
  readonly egress: () => Egress;
  /** Folder in which browsers make their profiles. */
  readonly tempFolder: string;
  readonly options: BrowserOptions;
  readonly launch: (more?: Partial<BrowserOptions>, launcher?: Partial<BrowserLauncherOptions>) => Promise<BrowserSession>;
  /** The hits of one host since the last `clear`, without its name. */
  readonly hitsOf: (host: string) => readonly string[];
  readonly clear: () => void;
  readonly close: () => Promise<void>;
}

const addressOf = new Map<string, string>();

/** Hosts on loopback behind a resolver that gives each a public address of its own, and a dialer that knows where those really are: no packet leaves. */
export async function openNetStage(pages: FarPages, egressOptions: EgressOptions = {}): Promise<NetStage> {
  const hosts = Object.keys(pages);
  const hits: string[] = [];
  const lookups: string[] = [];
  const dialled: string[] = [];
  const bodies = new Map<string, string>();
  const sockets = new Set<Socket>();
  for (const [index, host] of hosts.entries()) addressOf.set(host, `93.184.215.${10 + index}`);

  const hostOf = (request: IncomingMessage): string => (request.headers.host ?? "").replace(/:\d+$/u, "");
  const take = (request: IncomingMessage): string => {
    const host = hostOf(request);
    hits.push(`${host} ${request.method} ${request.url}`);
    request.on("data", (chunk: Buffer) => bodies.set(host, (bodies.get(host) ?? "") + chunk.toString("latin1")));
    return host;
  };
  function answer(request: IncomingMessage, response: ServerResponse): void {
    const page = pages[take(request)]?.[(request.url ?? "").replace(/\?.*$/su, "")];
    if (typeof page === "function") return void page(request, response);
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" });
    response.end(page ?? "<h1>Nothing here</h1>");
  }
  /** A web socket that is opened and then says nothing; what it is sent is kept. */
  function upgrade(request: IncomingMessage, socket: Duplex): void {
    const host = take(request);
    const key = createAccept(request.headers["sec-websocket-key"] ?? "");
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => bodies.set(host, (bodies.get(host) ?? "") + chunk.toString("latin1")));
    socket.on("close", () => hits.push(`${host} CLOSED`));
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`);
  }

  const certificate = makeCertificate(hosts);
  const servers = [createSecureServer({ key: certificate.key, cert: certificate.cert }, answer), createServer(answer)] as const;
  const ports: number[] = [];
  for (const server of servers) {
    server.on("upgrade", upgrade);
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ports.push((server.address() as AddressInfo).port);
  }
  const folder = await mkdtemp(join(tmpdir(), "knack-net-"));
  let egress: Egress | undefined;
  const start = createEgress({
    resolve: async (host) => {
      lookups.push(host);
      return addressOf.has(host) ? [addressOf.get(host) as string] : [];
    },
    dial: (ip, port) => {
      dialled.push(`${ip}:${port}`);
      return connect(ip === "127.0.0.1" ? port : ((port === 80 ? ports[1] : ports[0]) as number), "127.0.0.1");
    },
    ...egressOptions,
  });
  const opened = new Set<BrowserSession>();
  const options: BrowserOptions = { destinations: [grant(hosts[0] ?? "")], downloadFolder: join(folder, "downloads"), downloadsAllowed: true, maxChars: 8_000 };

  return {
    hits,
    lookups,
    dialled,
    bodies,
    egress: () => egress as Egress,
    tempFolder: join(folder, "browser"),
    options,
    async launch(more = {}, launcher = {}) {
      const session = await createBrowserLauncher({
        startEgress: async (destinations) => {
          egress = await start(destinations);
          return egress;
        },
        allowNoSandbox: process.getuid?.() === 0,
        trustedSpki: certificate.spki,
        tempFolder: join(folder, "browser"),
        ...launcher,
      }).launch({ ...options, ...more }, never);
      opened.add(session);
      return session;
    },
    hitsOf: (host) => hits.flatMap((hit) => (hit.startsWith(`${host} `) ? [hit.slice(host.length + 1)] : [])),
    clear() {
      for (const list of [hits, lookups, dialled]) list.length = 0;
      bodies.clear();
    },
    async close() {
      for (const session of opened) await session.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly args: readonly string[];
}

/** All processes of this machine, as Linux has them. */
export async function processes(): Promise<Process[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/u.test(name)).map(Number);
  const read = async (pid: number): Promise<Process | null> => {
    try {
      const stat = await readFile(`/proc/${pid}/stat`, "utf8");
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      // A process of Chromium that was named anew has its arguments in one text.
      const args = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0").flatMap((part) => (part.includes(" --") ? part.split(" ") : [part]));
      return { pid, parent, args };
    } catch {
      return null;
    }
  };
  return (await Promise.all(pids.map(read))).filter((each): each is Process => each !== null);
}

/** The browser behind this proxy and everything it started, the browser first. */
export async function browserProcesses(port: number): Promise<Process[]> {
  const all = await processes();
  const main = all.find(({ args }) => args.includes(`--proxy-server=http://127.0.0.1:${port}`) && !args.some((each) => each.startsWith("--type=")));
  if (main === undefined) return [];
  const found = [main];
  for (const each of found) found.push(...all.filter(({ parent }) => parent === each.pid));
  return found;
}

export interface HeldSocket {
  /** "address:port" of the far end, IPv4 as usual. */
  readonly remote: string;
  readonly localPort: number;
  readonly isListening: boolean;
}

/** The TCP and UDP sockets that these processes hold (proc(5), net/tcp). */
export async function socketsOf(pids: readonly number[]): Promise<HeldSocket[]> {
  const inodes = new Set<string>();
  for (const pid of pids)
    for (const name of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const inode = /^socket:\[(\d+)\]$/u.exec(await readlink(`/proc/${pid}/fd/${name}`).catch(() => ""))?.[1];
      if (inode !== undefined) inodes.add(inode);
    }
  const tables = await Promise.all(["tcp", "tcp6", "udp", "udp6"].map((kind) => readFile(`/proc/net/${kind}`, "utf8").catch(() => "")));
  const rows = tables.flatMap((table) => table.split("\n").slice(1)).map((row) => row.trim().split(/\s+/u));
  return rows
    .filter((row) => inodes.has(row[9] ?? ""))
    .map((row) => {
      const [address = "", port = ""] = (row[2] ?? "").split(":");
      const bytes = address.match(/../gu)?.toReversed() ?? [];
      return {
        remote: `${bytes.map((byte) => Number.parseInt(byte, 16)).join(".")}:${Number.parseInt(port, 16)}`,
        localPort: Number.parseInt((row[1] ?? "").split(":")[1] ?? "", 16),
        isListening: row[3] === "0A",
      };
    });
}

/** Waits until something holds, for at most ten seconds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

function createAccept(key: string): string {
  return createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
}
