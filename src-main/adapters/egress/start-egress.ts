import { randomBytes, timingSafeEqual } from "node:crypto";
import { lookup } from "node:dns/promises";
import { Agent, type Server as HttpServer } from "node:http";
import { connect, type Socket } from "node:net";
import { RequestError, Server } from "proxy-chain";
import type { Destination } from "#contract/grants/schema.ts";
import { bare, covers, coversPlace, isAddressLiteral, type Place, parsePlace, type Scheme } from "#core/envelope/destination.ts";
import type { Egress, EgressDecision, Refusal, StartEgress } from "#core/ports/index.ts";
import { classifyAddress } from "./classify-address.ts";
import { readFirstBytes } from "./read-client-hello.ts";

/** Where a host of a test or an evaluation really is. */
export interface HostSeat {
  readonly ip: string;
  readonly port: number;
}

export interface EgressOptions {
  /** All addresses of a host. Default: the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** Opens a connection to an address that was checked. */
  readonly dial?: (ip: string, port: number) => Socket;
  /** Hosts served by this machine for tests and evaluation: neither resolved nor checked, and still only reached under a grant. */
  readonly hosts?: ReadonlyMap<string, HostSeat>;
  /** Ports of our own on this machine, which no grant reaches. */
  readonly ownPorts?: () => Iterable<number>;
  readonly resolveTimeoutMs?: number;
  readonly dialTimeoutMs?: number;
}

const FIRST_BYTES_TIMEOUT_MS = 10_000;
const KEPT = 2_000;
const MOST_REFUSALS = 20_000;
/** Ports of every proxy of this process: a browser of one session never reaches the proxy of another. */
const proxyPorts = new Set<number>();

class Refused extends Error {
  readonly code: string;
  readonly place: { host: string; port: number };
  constructor(code: string, message: string, place: { host: string; port: number }) {
    super(message);
    this.code = code;
    this.place = place;
  }
}

interface Route {
  readonly place: Place;
  readonly seat: HostSeat;
}

interface Line {
  readonly place: Place;
  readonly sockets: readonly Socket[];
}

async function systemResolve(host: string): Promise<readonly string[]> {
  const answers = await lookup(host, { all: true, verbatim: true });
  return answers.map((answer) => answer.address);
}

/** Makes the starter of proxies; each start is one proxy with its own credential, grants and log. */
export function createEgress(options: EgressOptions = {}): StartEgress {
  return (destinations) => startEgress(destinations, options);
}

async function startEgress(initial: readonly Destination[], options: EgressOptions): Promise<Egress> {
  const resolve = options.resolve ?? systemResolve;
  const dial = options.dial ?? ((ip: string, port: number) => connect({ host: ip, port }));
  const username = "knack";
  const password = randomBytes(24).toString("base64url");
  const refusals: Refusal[] = [];
  const decisions: EgressDecision[] = [];
  const lines = new Set<Line>();
  const counts = { requests: 0, resolved: 0, dialled: 0, refused: 0 };
  let granted = initial;
  let revoked: readonly Destination[] = [];

  function decide(allowed: boolean, code: string, place: { host: string; port: number }, address: string): void {
    decisions.push({ at: Date.now(), allowed, code, host: place.host, port: place.port, address });
    if (decisions.length > KEPT) decisions.splice(0, decisions.length - KEPT);
  }

  function note(refused: Refused): void {
    counts.refused += 1;
    decide(false, refused.code, refused.place, "");
    if (refusals.length < MOST_REFUSALS) refusals.push({ code: refused.code, host: refused.place.host, message: refused.message });
  }

  /** The grant for one of these schemes at this authority, the first refusal if there is none. */
  function granting(authority: string, schemes: readonly Scheme[]): { place: Place; destination: Destination } {
    let refusal: { code: string; host: string; message: string } | undefined;
    for (const scheme of schemes) {
      const parsed = parsePlace(`${scheme}://${authority}/`);
      const cover = parsed.ok ? coversPlace(granted, parsed.value, "subresource", classifyAddress) : { allowed: false as const, refusal: parsed.error };
      if (cover.allowed) return { place: cover.place, destination: cover.destination };
      if (parsed.ok && coversPlace(revoked, parsed.value, "subresource", classifyAddress).allowed) {
        throw new Refused("grant.revoked", `The permission for ${parsed.value.host} was taken back.`, parsed.value);
      }
      refusal ??= cover.refusal;
    }
    throw new Refused(refusal?.code ?? "url.parse", refusal?.message ?? "That is not an address.", { host: refusal?.host ?? "", port: 0 });
  }

  function refuseOwn(place: Place, address: string, port: number): void {
    const own = proxyPorts.has(port) || [...(options.ownPorts?.() ?? [])].includes(port);
    if (own && classifyAddress(address) !== "public")
      throw new Refused("dest.self", `${place.host}:${port} belongs to Knack itself and is never opened.`, place);
  }

  /** Resolves once; the address returned is the one that is dialled. */
  async function route(place: Place, destination: Destination): Promise<Route> {
    const seat = options.hosts?.get(place.host);
    if (seat !== undefined) return { place, seat };
    const answers = isAddressLiteral(place.host) ? [bare(place.host)] : await resolveOnce(place);
    for (const address of answers) {
      const kind = classifyAddress(address);
      refuseOwn(place, address, place.port);
      if (kind === "never" || (kind === "private" && !destination.allowPrivate)) {
        throw new Refused("dest.ip", `${place.host} leads to an address that is not on the public internet (${address}), so it was not contacted.`, place);
      }
    }
    return { place, seat: { ip: answers[0] as string, port: place.port } };
  }

  async function resolveOnce(place: Place): Promise<readonly string[]> {
    counts.resolved += 1;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error("no answer in time")), options.resolveTimeoutMs ?? 5_000);
    try {
      const answers = await Promise.race([resolve(place.host), late]);
      if (answers.length > 0) return answers;
    } catch {
      // Every failure of the resolver is the same refusal; there is no other way to look a name up.
    } finally {
      clearTimeout(timer);
    }
    throw new Refused("dns.error", `The name ${place.host} could not be found.`, place);
  }

  function open(target: Route): Socket {
    counts.dialled += 1;
    decide(true, "ok", target.place, target.seat.ip);
    const socket = dial(target.seat.ip, target.seat.port);
    socket.setTimeout(options.dialTimeoutMs ?? 15_000, () => socket.connecting && socket.destroy(new Error("no connection in time")));
    socket.once("connect", () => socket.setTimeout(0));
    return socket;
  }

  function keep(line: Line): void {
    lines.add(line);
    for (const socket of line.sockets) socket.once("close", () => lines.delete(line));
  }

  /** proxy-chain dials by itself on CONNECT; handing it a "server" whose connections we take keeps the dialling, and the look at the first bytes, here. */
  function tunnelTo(target: Route, schemes: readonly Scheme[]): HttpServer {
    const taker = { emit: (_event: string, client: Socket) => tunnel(client, target, schemes) };
    return taker as unknown as HttpServer;
  }

  function tunnel(client: Socket, target: Route, schemes: readonly Scheme[]): boolean {
    let seen = Buffer.alloc(0);
    const timer = setTimeout(() => client.destroy(), FIRST_BYTES_TIMEOUT_MS);
    client.once("close", () => clearTimeout(timer));
    keep({ place: target.place, sockets: [client] });
    client.on("data", function peek(chunk: Buffer) {
      seen = Buffer.concat([seen, chunk]);
      const first = readFirstBytes(seen);
      if (first.kind === "more") return;
      client.off("data", peek);
      client.pause();
      clearTimeout(timer);
      const isTls = first.kind === "tls" && (first.serverName === target.place.host || (first.serverName === "" && isAddressLiteral(target.place.host)));
      const isMet = isTls ? schemes.some((scheme) => scheme === "https" || scheme === "wss") : first.kind === "http" && schemes.includes("ws");
      if (!isMet) {
        note(new Refused("dest.protocol", `What was sent to ${target.place.host} was not meant for it in the way that was granted.`, target.place));
        client.destroy();
        return;
      }
      client.unshift(seen);
      join(client, open(target), target);
    });
    return true;
  }

  function join(client: Socket, far: Socket, target: Route): void {
    keep({ place: target.place, sockets: [client, far] });
    far.once("error", () => {
      decide(false, "dial.failed", target.place, target.seat.ip);
      client.destroy();
    });
    client.once("error", () => far.destroy());
    far.once("close", () => client.destroy());
    client.once("close", () => far.destroy());
    client.pipe(far);
    far.pipe(client);
  }

  function isOurs(name: string, secret: string): boolean {
    const expected = Buffer.from(`${username}:${password}`);
    const given = Buffer.from(`${name}:${secret}`);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  const server = new Server({
    host: "127.0.0.1",
    port: 0,
    authRealm: "Knack",
    prepareRequestFunction: async ({ request, username: name, password: secret, isHttp }) => {
      if (!isOurs(name, secret)) return { requestAuthentication: true };
      counts.requests += 1;
      try {
        if (isHttp) {
          const place = parsePlace(request.url ?? "");
          if (!place.ok) throw new Refused(place.error.code, place.error.message, { host: place.error.host, port: 0 });
          if (place.value.scheme !== "http") throw new Refused("url.scheme", "Only http is forwarded as it is.", place.value);
          const found = granting(authorityOf(place.value), ["http"]);
          const host = parsePlace(`http://${request.headers.host ?? ""}/`);
          if (!host.ok || host.value.host !== found.place.host || host.value.port !== found.place.port)
            throw new Refused("dest.host", `A request for ${found.place.host} carried the name of another host.`, found.place);
          const target = await route(found.place, found.destination);
          keep({ place: found.place, sockets: [request.socket] });
          const agent = new Agent({ keepAlive: false });
          agent.createConnection = () => {
            const far = open(target);
            // Whatever is answered in its stead, this place said nothing.
            far.once("close", () => far.bytesRead === 0 && decide(false, "dial.failed", target.place, target.seat.ip));
            return far;
          };
          return { httpAgent: agent };
        }
        const schemes = (["https", "wss", "ws"] as const).filter((scheme) => isGrantedFor(request.url ?? "", scheme));
        const found = granting(request.url ?? "", schemes.length > 0 ? schemes : ["https"]);
        return { customConnectServer: tunnelTo(await route(found.place, found.destination), schemes) };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        note(error);
        throw new RequestError(`${error.code}: ${error.message}`, 403, { "x-knack-refusal": error.code });
      }
    },
  });

  function isGrantedFor(authority: string, scheme: Scheme): boolean {
    const parsed = parsePlace(`${scheme}://${authority}/`);
    return parsed.ok && coversPlace(granted, parsed.value, "subresource", classifyAddress).allowed;
  }

  await server.listen();
  const port = server.port;
  proxyPorts.add(port);

  return {
    port,
    username,
    password,
    refusals,
    decisions,
    counts,
    destinations: () => granted,
    check(url, use) {
      const cover = covers(granted, url, use, classifyAddress);
      if (cover.allowed) return null;
      const wasGranted = covers(revoked, url, use, classifyAddress).allowed;
      return wasGranted
        ? { code: "grant.revoked", host: cover.refusal.host, message: `The permission for ${cover.refusal.host} was taken back.` }
        : cover.refusal;
    },
    setDestinations(next) {
      const before = granted;
      granted = next;
      revoked = [...revoked, ...before].filter((each) => !next.some((kept) => sameDestination(kept, each)));
      for (const line of [...lines]) {
        const isCovered = (["https", "wss", "ws", "http"] as const).some(
          (scheme) => coversPlace(granted, { ...line.place, scheme }, "subresource", classifyAddress).allowed,
        );
        if (isCovered) continue;
        decide(false, "grant.revoked", line.place, "");
        for (const socket of line.sockets) socket.destroy();
      }
    },
    async close() {
      proxyPorts.delete(port);
      for (const line of [...lines]) for (const socket of line.sockets) socket.destroy();
      await server.close(true);
    },
  };
}

function authorityOf(place: Place): string {
  return `${place.host}:${place.port}`;
}

function sameDestination(a: Destination, b: Destination): boolean {
  return a.scheme === b.scheme && a.host === b.host && a.port === b.port && a.use === b.use && a.allowPrivate === b.allowPrivate;
}
