import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { Readable } from "node:stream";
import { makeCertificate } from "./make-certificate.ts";

/** A running site: web-standard requests in, responses out, and a log of what it was asked. */
export interface RunningSite {
  readonly log: unknown[];
  fetch(request: Request): Response | Promise<Response>;
}

/** What this server needs of a site module; the module may hold more (goals, showings). */
export interface SiteModule {
  readonly host: string;
  start(): RunningSite;
}

export interface ServedSites {
  /** The log of each host. */
  readonly logs: ReadonlyMap<string, unknown[]>;
  /** Where the egress proxy finds each host. */
  readonly hosts: ReadonlyMap<string, { readonly ip: string; readonly port: number }>;
  /** Requests that arrived, by host; hosts that are not served count too. */
  readonly hits: ReadonlyMap<string, number>;
  readonly spki: string;
  /** Starts every site afresh: new state, new log. */
  restart(): void;
  close(): Promise<void>;
}

const NO_BODY = new Set(["GET", "HEAD"]);

function toRequest(incoming: IncomingMessage, origin: string): Request {
  const headers = new Headers();
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2)
    headers.append(incoming.rawHeaders[index] as string, incoming.rawHeaders[index + 1] as string);
  const method = incoming.method ?? "GET";
  const init: RequestInit & { duplex?: "half" } = { method, headers, redirect: "manual" };
  if (!NO_BODY.has(method)) {
    init.body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
    init.duplex = "half";
  }
  return new Request(new URL(incoming.url ?? "/", origin), init);
}

async function answer(response: Response, outgoing: ServerResponse): Promise<void> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of response.headers) if (name !== "set-cookie") headers[name] = value;
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers["set-cookie"] = cookies;
  outgoing.writeHead(response.status, headers);
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}

/** Serves sites on loopback by host name, under one certificate made for this run; with `secure: false` over plain http. */
export async function serveSites(sites: readonly SiteModule[], options: { readonly secure?: boolean } = {}): Promise<ServedSites> {
  const hosts = [...new Set(sites.map((site) => site.host))];
  const certificate = makeCertificate(hosts);
  const running = new Map<string, RunningSite>();
  const logs = new Map<string, unknown[]>();
  const hits = new Map<string, number>();
  const sockets = new Set<Socket>();
  const isSecure = options.secure ?? true;

  function restart(): void {
    for (const site of sites) {
      const started = site.start();
      running.set(site.host, started);
      logs.set(site.host, started.log);
    }
  }

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const host = (incoming.headers.host ?? "").replace(/:\d+$/u, "");
    hits.set(host, (hits.get(host) ?? 0) + 1);
    const site = running.get(host);
    try {
      const response =
        site === undefined
          ? new Response("no such site", { status: 421 })
          : await site.fetch(toRequest(incoming, `${isSecure ? "https" : "http"}://${incoming.headers.host ?? host}`));
      await answer(response, outgoing);
    } catch (error) {
      if (!outgoing.headersSent) outgoing.writeHead(500, { "content-type": "text/plain" });
      outgoing.end(`The site failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  restart();
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse): void => void handle(incoming, outgoing);
  const server = isSecure ? createSecureServer({ key: certificate.key, cert: certificate.cert }, listener) : createServer(listener);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    logs,
    hits,
    hosts: new Map(hosts.map((host) => [host, { ip: "127.0.0.1", port }])),
    spki: certificate.spki,
    restart,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
