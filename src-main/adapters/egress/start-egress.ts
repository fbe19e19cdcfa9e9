import { randomBytes, timingSafeEqual } from "node:crypto";
import { Agent, type Server as HttpServer, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { RequestError, Server } from "proxy-chain";
import type { Destination } from "#contract/grants/schema.ts";
import { isAddressLiteral, type Place, type Scheme } from "#core/envelope/destination.ts";
import type { Egress, OnDecision, StartEgress } from "#core/ports/index.ts";
import type { EgressOptions } from "./egress-options.ts";
import { type Boundary, openBoundary, placeOf, type Route } from "./open-boundary.ts";
import { type FirstBytes, readFirstBytes } from "./read-client-hello.ts";
import { Refused } from "./refused.ts";

const FIRST_BYTES_TIMEOUT_MS = 10_000;
/** Ports of every proxy of this process: a browser of one session never reaches the proxy of another. */
const proxyPorts = new Set<number>();
/** What a tunnel may be for, by the first bytes in it. */
const TUNNELLED = ["https", "wss", "ws"] as const;

/** Makes the starter of proxies; each start is one proxy with its own credential, grants and log. */
export function createEgress(options: EgressOptions = {}): StartEgress {
  return (destinations, onDecision = () => undefined) => startEgress(destinations, options, onDecision);
}

/** Ports of the proxies of this process. */
export function portsOfProxies(): Iterable<number> {
  return proxyPorts;
}

async function startEgress(initial: readonly Destination[], options: EgressOptions, onDecision: OnDecision): Promise<Egress> {
  const boundary = openBoundary(initial, options, onDecision, proxyPorts);
  const username = "knack";
  const password = randomBytes(24).toString("base64url");
  const expected = Buffer.from(`${username}:${password}`);

  function isOurs(name: string, secret: string): boolean {
    const given = Buffer.from(`${name}:${secret}`);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  const server = new Server({
    host: "127.0.0.1",
    port: 0,
    authRealm: "Knack",
    prepareRequestFunction: async ({ request, username: name, password: secret, isHttp }) => {
      if (!isOurs(name, secret)) {
        boundary.refuseUnknown(name !== "" || secret !== "");
        return { requestAuthentication: true };
      }
      try {
        return await (isHttp ? forwarded(boundary, request) : tunnelled(boundary, request.url ?? ""));
      } catch (error) {
        const refused = boundary.refuse(error, { host: "", port: 0 });
        throw new RequestError(`${refused.code}: ${refused.message}`, 403, { "x-knack-refusal": refused.code });
      }
    },
  });

  await server.listen();
  const port = server.port;
  proxyPorts.add(port);
  server.server.once("close", () => boundary.closeAll());

  return {
    port,
    username,
    password,
    refusals: boundary.refusals,
    decisions: boundary.decisions,
    counts: boundary.counts,
    destinations: boundary.destinations,
    check: boundary.check,
    setDestinations: boundary.setDestinations,
    async close() {
      proxyPorts.delete(port);
      boundary.closeAll();
      await server.close(true);
    },
  };
}

/** Plain http in absolute form: the address says all there is to know, and the name it carries inside must be the same. */
async function forwarded(boundary: Boundary, request: IncomingMessage): Promise<{ httpAgent: Agent }> {
  const place = placeOf(request.url ?? "");
  if (place.scheme !== "http") throw new Refused("url.scheme", "Only http is forwarded as it is.", place);
  boundary.countRequest(place);
  const granted = boundary.grantFor(place, "subresource");
  const named = placeOf(`http://${request.headers.host ?? ""}/`);
  if (named.host !== place.host || named.port !== place.port)
    throw new Refused("dest.host", `A request for ${place.host} carried the name of another host.`, place);
  const route = await boundary.route(granted);
  boundary.keep(route, [request.socket]);
  const agent = new Agent({ keepAlive: false });
  agent.createConnection = (_options, done) => {
    try {
      const far = boundary.dial(route);
      boundary.keep(route, [far]);
      return far;
    } catch (error) {
      done?.(boundary.refuse(error, place), undefined as never);
      return null;
    }
  };
  return { httpAgent: agent };
}

/** CONNECT names host and port alone; what is spoken inside is told by its first bytes, and only then anything is dialled. */
async function tunnelled(boundary: Boundary, authority: string): Promise<{ customConnectServer: HttpServer }> {
  const asked = placeOf(`https://${authority}/`);
  if (!/^(?:\[[\da-f:.]+\]|[^\s/?#@\\:[\]]+):\d{1,5}$/iu.test(authority))
    throw new Refused("url.parse", "A tunnel is asked for by host and port alone.", asked);
  boundary.countRequest(asked);
  const places = TUNNELLED.map((scheme): Place => ({ ...asked, scheme, href: `${scheme}://${asked.host}:${asked.port}/` }));
  const schemes = places.filter((place) => boundary.isGranted(place, "subresource")).map(({ scheme }) => scheme);
  const place = places.find(({ scheme }) => scheme === schemes[0]) ?? (places[0] as Place);
  const route = await boundary.route(boundary.grantFor(place, "subresource"));
  // proxy-chain dials by itself on CONNECT; handing it a "server" whose connections we take keeps the dialling, and the look at the first bytes, here.
  const taker = { emit: (_event: string, client: Socket) => tunnel(boundary, client, route, schemes) };
  return { customConnectServer: taker as unknown as HttpServer };
}

function tunnel(boundary: Boundary, client: Socket, route: Route, schemes: readonly Scheme[]): boolean {
  let seen = Buffer.alloc(0);
  const timer = setTimeout(() => client.destroy(), FIRST_BYTES_TIMEOUT_MS);
  client.once("close", () => clearTimeout(timer));
  client.on("error", () => client.destroy());
  boundary.keep(route, [client]);
  client.on("data", function peek(chunk: Buffer) {
    seen = Buffer.concat([seen, chunk]);
    const first = readFirstBytes(seen);
    if (first.kind === "more") return;
    client.off("data", peek);
    client.pause();
    clearTimeout(timer);
    const { place } = route;
    try {
      if (!isMet(first, place, schemes))
        throw new Refused("dest.protocol", `What was sent to ${place.host} was not meant for it in the way that was granted.`, place);
      const far = boundary.dial(route);
      client.unshift(seen);
      join(boundary, client, far, route);
    } catch (error) {
      boundary.refuse(error, place);
      client.destroy();
    }
  });
  return true;
}

/** TLS for this host by its own name, or the opening of a plain web socket for this host; nothing else. */
function isMet(first: FirstBytes, { host, port }: Place, schemes: readonly Scheme[]): boolean {
  if (first.kind === "tls") return (schemes.includes("https") || schemes.includes("wss")) && first.serverName === (isAddressLiteral(host) ? "" : host);
  if (first.kind !== "upgrade" || !schemes.includes("ws")) return false;
  try {
    const named = placeOf(`ws://${first.host}/`);
    return named.host === host && named.port === port;
  } catch {
    return false;
  }
}

function join(boundary: Boundary, client: Socket, far: Socket, route: Route): void {
  boundary.keep(route, [client, far]);
  far.once("error", () => client.destroy());
  client.once("error", () => far.destroy());
  far.once("close", () => client.destroy());
  client.once("close", () => far.destroy());
  client.pipe(far);
  far.pipe(client);
}
