import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { OutwardAgent } from "#app/agent.ts";
import { pageHeaders, readPageFile } from "#app/page.ts";
import { serve } from "#app/serve.ts";
import { KnackError } from "#contract/errors.ts";
import { Access, type Refusal } from "./access.ts";

export interface WebServer {
  readonly port: number;
  readonly token: string;
  /** With the token, for the user's browser. */
  readonly url: string;
  /** Ends connections, and with them the turns they run. The agent is the caller's to close. */
  close(): Promise<void>;
}

/** Larger than the longest that a person may send, a conversation that is imported or the files of a message, with room for its envelope. */
const LARGEST_FRAME_BYTES = 80 * 1024 * 1024;

/** Serves the built page in `folder` and the contract at `/rpc`, on 127.0.0.1 only. Port 0 takes any free one. Throws "port-taken". */
export async function startWebServer(agent: OutwardAgent, folder: string, port: number): Promise<WebServer> {
  const server = createServer();
  await listen(server, port);
  const { port: bound } = server.address() as AddressInfo;

  const access = new Access(bound);
  const connect = [`'self'`, `ws://127.0.0.1:${bound}`, `ws://localhost:${bound}`];
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LARGEST_FRAME_BYTES });

  server.on("request", (request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error);
      refuse(response, { status: 500, message: "The page could not be read; the reason is in the terminal." });
    });
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    const refusal =
      access.refuseUpgrade(request.headers) ?? (addressOf(request)?.pathname === "/rpc" ? null : { status: 404, message: "Connections are taken at /rpc." });
    if (refusal !== null) return refuseUpgrade(socket, refusal);
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on("error", () => webSocket.terminate());
      serve(agent, webSocket);
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const foreign = access.refuseForeign(request.headers);
    if (foreign !== null) return refuse(response, foreign);
    if (request.method !== "GET" && request.method !== "HEAD") return refuse(response, { status: 405, message: "Only GET is answered here." });

    const address = addressOf(request);
    if (address === null) return refuse(response, { status: 400, message: "This is no address of this server." });
    const token = address.searchParams.get("token");
    if (token !== null && access.isToken(token)) return exchange(response);
    const stranger = access.refuseStranger(request.headers);
    if (stranger !== null) return refuse(response, stranger);

    // Asked for by browsers on their own, also on the way from the token to the page; the page names its icon itself.
    if (address.pathname === "/favicon.ico") return void response.writeHead(204, pageHeaders([])).end();
    const file = await readPageFile(folder, address.pathname, connect);
    if (file === null) return refuse(response, { status: 404, message: "There is no such file." });
    response.writeHead(200, file.headers).end(request.method === "HEAD" ? undefined : file.body);
  }

  /**
   * Token for cookie, then on to an address without the token. A page that reloads, not a redirect: a redirect that began on
   * another site (a link in a chat) would not carry a Strict cookie.
   */
  function exchange(response: ServerResponse): void {
    const page =
      '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/"><title>Knack</title><a href="/">Open Knack</a>';
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", "set-cookie": access.cookie(), ...pageHeaders([]) })
      .end(page);
  }

  return {
    port: bound,
    token: access.token,
    url: `http://127.0.0.1:${bound}/?token=${access.token}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const webSocket of sockets.clients) webSocket.close(1001, "Knack was closed.");
      server.closeIdleConnections();
      const impatience = setTimeout(() => {
        for (const webSocket of sockets.clients) webSocket.terminate();
        server.closeAllConnections();
      }, 1000);
      await closed;
      clearTimeout(impatience);
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen({ host: "127.0.0.1", port, exclusive: true });
  try {
    await once(server, "listening");
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    throw isTaken
      ? new KnackError("port-taken", `Port ${port} is in use by another program. Choose another with --port N, or leave --port out.`, { fields: { port } })
      : error;
  }
}

function refuse(response: ServerResponse, { status, message }: Refusal | { status: number; message: string }): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", ...pageHeaders([]) }).end(`${message}\n`);
}

function refuseUpgrade(socket: Duplex, { status, message }: Refusal | { status: number; message: string }): void {
  socket.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(message)}\r\n\r\n${message}`,
  );
}

/** As it was sent: `new URL` would resolve dots before they can be refused. */
/** The address of a request line. Null for one that is no path on this server, such as "http://…" for a proxy. */
function addressOf(request: IncomingMessage): URL | null {
  const { url = "/" } = request;
  // A path of two slashes is no host.
  return url.startsWith("/") ? URL.parse(`http://127.0.0.1${url}`) : null;
}
