import { lookup } from "node:dns/promises";
import { connect, type Socket } from "node:net";
import type { Destination } from "#contract/grants/schema.ts";
import { bare, covers, coversPlace, isAddressLiteral, type Place, parsePlace, type Use } from "#core/envelope/destination.ts";
import type { EgressDecision, OnDecision, Refusal } from "#core/ports/index.ts";
import { classifyAddress } from "./classify-address.ts";
import { type EgressOptions, type HostSeat, usualCaps } from "./egress-options.ts";
import { type AskedPlace, Refused } from "./refused.ts";

const KEPT = 2_000;
const MOST_REFUSALS = 20_000;
const downText = "Knack's own network gate is down, so nothing can be opened. Start the task again.";

/** A place with the grant that covers it. */
export interface Granted {
  readonly place: Place;
  readonly destination: Destination;
  readonly use: Use;
}

/** The address that was checked for a place, which is the one that is dialled. */
export interface Route extends Granted {
  readonly resolved: readonly string[];
  readonly seat: HostSeat;
  readonly isPrivate: boolean;
}

/** What grants, resolution and dialling are for one browser, or for one page that is read. Nothing is contacted but through `dial`. */
export interface Boundary {
  readonly counts: { requests: number; resolved: number; dialled: number; refused: number; unknown: number };
  readonly refusals: readonly Refusal[];
  readonly decisions: readonly EgressDecision[];
  destinations(): readonly Destination[];
  /** Applies to the next decision; connections that are no longer covered are closed. */
  setDestinations(next: readonly Destination[]): void;
  /** The decision on an address, without contacting anything; a refusal is taken down. */
  check(url: string, use: Use): Refusal | null;
  /** The same for a place, where nobody asks for it. */
  isGranted(place: Place, use: Use): boolean;
  /** The grant for a place. Throws Refused. */
  grantFor(place: Place, use: Use): Granted;
  /** Counts a request. Throws Refused beyond the cap. */
  countRequest(place: AskedPlace): void;
  /** Resolves once and checks every address. Rejects with Refused. */
  route(granted: Granted): Promise<Route>;
  /** Dials the checked address, if the grant still stands. Throws Refused. */
  dial(route: Route): Socket;
  /** Closes these, too, when the grant of the route is taken back. */
  keep(route: Route, sockets: readonly Socket[]): void;
  /** Takes down a refusal, and returns it. */
  refuse(error: unknown, place: AskedPlace): Refused;
  /** Takes down somebody who spoke to us with another credential than ours. Whoever gives none is only counted: a browser first asks that way. */
  refuseUnknown(isGiven: boolean): void;
  /** Closes everything; nothing is granted any more. */
  closeAll(): void;
}

interface Line {
  readonly route: Route;
  readonly sockets: readonly Socket[];
}

type Noted = { -readonly [Key in keyof EgressDecision]: EgressDecision[Key] };

async function systemResolve(host: string): Promise<readonly string[]> {
  const answers = await lookup(host, { all: true, verbatim: true });
  return answers.map((answer) => answer.address);
}

/** @param ownPorts ports of ours beside those of the options */
export function openBoundary(initial: readonly Destination[], options: EgressOptions, onDecision: OnDecision, ownPorts: Iterable<number> = []): Boundary {
  const resolve = options.resolve ?? systemResolve;
  const dialAddress = options.dial ?? ((ip: string, port: number) => connect({ host: ip, port }));
  const caps = { ...usualCaps, ...options.caps };
  const counts = { requests: 0, resolved: 0, dialled: 0, refused: 0, unknown: 0 };
  const refusals: Refusal[] = [];
  const decisions: EgressDecision[] = [];
  const lines = new Set<Line>();
  const sentTo = new Map<string, number>();
  let ids = 0;
  let open = 0;
  let sent = 0;
  let received = 0;
  let granted = initial;
  let revoked: readonly Destination[] = [];
  let isDown = false;

  function decide(change: Partial<Noted> & Pick<Noted, "allowed" | "code" | "host" | "port">): Noted {
    const at = Date.now();
    const noted: Noted = {
      id: (ids += 1),
      at,
      scheme: "",
      resolved: [],
      address: "",
      destination: null,
      endedAt: change.allowed ? null : at,
      sent: 0,
      received: 0,
      ...change,
    };
    decisions.push(noted);
    if (decisions.length > KEPT) decisions.splice(0, decisions.length - KEPT);
    onDecision({ ...noted });
    return noted;
  }

  function refuse(error: unknown, place: AskedPlace): Refused {
    // An error of ours must not open anything either (security rule 10); its text may repeat what was asked for.
    const refused = error instanceof Refused ? error : new Refused("policy.error", "Whether this is granted could not be decided, so nothing was sent.", place);
    counts.refused += 1;
    decide({ allowed: false, code: refused.code, scheme: refused.place.scheme ?? "", host: refused.place.host, port: refused.place.port });
    if (refusals.length < MOST_REFUSALS) refusals.push({ code: refused.code, host: refused.place.host, message: refused.message });
    return refused;
  }

  function grantFor(place: Place, use: Use): Granted {
    if (isDown) throw new Refused("proxy.down", downText, place);
    const cover = coversPlace(granted, place, use, classifyAddress);
    if (cover.allowed) return { place, destination: cover.destination, use };
    if (coversPlace(revoked, place, use, classifyAddress).allowed) throw revokedAt(place);
    throw new Refused(cover.refusal.code, cover.refusal.message, place);
  }

  function isOwn(address: string, port: number): boolean {
    return classifyAddress(address) !== "public" && [...ownPorts, ...(options.ownPorts?.() ?? [])].includes(port);
  }

  async function route(found: Granted): Promise<Route> {
    const { place, destination } = found;
    const seat = options.hosts?.get(place.host);
    if (seat !== undefined) return { ...found, resolved: [], seat, isPrivate: false };
    const answers = isAddressLiteral(place.host) ? [bare(place.host)] : await resolveOnce(place);
    for (const address of answers) {
      const kind = classifyAddress(address);
      if (isOwn(address, place.port)) throw new Refused("dest.self", `${place.host}:${place.port} belongs to Knack itself and is never opened.`, place);
      if (kind === "never" || (kind === "private" && !destination.allowPrivate)) {
        throw new Refused("dest.ip", `${place.host} leads to an address that is not on the public internet (${address}), so it was not contacted.`, place);
      }
    }
    const ip = answers[0] as string;
    return { ...found, resolved: answers, seat: { ip, port: place.port }, isPrivate: classifyAddress(ip) !== "public" };
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

  function stillGranted({ place, use, isPrivate }: Route): boolean {
    const cover = coversPlace(granted, place, use, classifyAddress);
    return cover.allowed && (!isPrivate || cover.destination.allowPrivate);
  }

  function dial(target: Route): Socket {
    const { place, seat } = target;
    // The name took its time to be found; the grant may be gone by now.
    if (!stillGranted(target)) throw revokedAt(place);
    if (open >= caps.connections) throw new Refused("stop.connections", `More than ${caps.connections} connections at once were asked for.`, place);
    if (received > caps.bytesReceived || sent > caps.bytesSent) throw tooMuch(place);
    counts.dialled += 1;
    open += 1;
    const noted = decide({
      allowed: true,
      code: "ok",
      scheme: place.scheme,
      host: place.host,
      port: place.port,
      resolved: target.resolved,
      address: seat.ip,
      destination: target.destination,
    });
    const socket = dialAddress(seat.ip, seat.port);
    socket.setTimeout(options.dialTimeoutMs ?? 15_000, () => socket.destroy(new Error("no connection in time")));
    socket.once("connect", () => socket.setTimeout(caps.silentMs, () => socket.destroy()));
    const tooLong = setTimeout(() => stop(new Refused("stop.time", `The connection to ${place.host} was open for too long.`, place)), caps.openMs).unref();
    meter(socket, target, stop);
    // Whatever is answered in its stead, this place said nothing.
    socket.once("error", () => {
      if (socket.bytesRead === 0) noted.code = "dial.failed";
    });
    socket.once("close", () => {
      clearTimeout(tooLong);
      open -= 1;
      if (socket.bytesRead === 0 && place.scheme === "http") noted.code = "dial.failed";
      noted.endedAt = Date.now();
      noted.sent = socket.bytesWritten ?? 0;
      noted.received = socket.bytesRead;
      onDecision({ ...noted });
    });
    function stop(reason: Refused): void {
      if (socket.destroyed) return;
      refuse(reason, place);
      socket.destroy();
    }
    return socket;
  }

  /** Counts what goes through a connection and stops it at the caps; what would go beyond one is not sent. */
  function meter(socket: Socket, { place, destination }: Route, stop: (reason: Refused) => void): void {
    const key = JSON.stringify(destination);
    const write = socket.write.bind(socket) as (chunk: string | Uint8Array, ...rest: unknown[]) => boolean;
    socket.write = ((chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      const length = typeof chunk === "string" ? Buffer.byteLength(chunk) : chunk.byteLength;
      const there = (sentTo.get(key) ?? 0) + length;
      sent += length;
      sentTo.set(key, there);
      if (sent > caps.bytesSent) stop(tooMuch(place));
      else if (there > (destination.mostSent ?? Number.POSITIVE_INFINITY))
        stop(new Refused("stop.sent", `More was to be sent to ${place.host} than the ${destination.mostSent} bytes that are granted.`, place));
      else return write(chunk, ...rest);
      return false;
    }) as typeof socket.write;
    socket.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received > caps.bytesReceived) stop(tooMuch(place));
    });
  }

  function tooMuch(place: AskedPlace): Refused {
    return new Refused("stop.bytes", "More bytes went through than one task may take, so it was stopped.", place);
  }

  function closeLine({ sockets }: Line): void {
    for (const socket of sockets) socket.destroy();
  }

  return {
    counts,
    refusals,
    decisions,
    grantFor,
    isGranted: (place, use) => coversPlace(granted, place, use, classifyAddress).allowed,
    route,
    dial,
    refuse,
    destinations: () => granted,
    setDestinations(next) {
      const before = Array.isArray(granted) ? granted : [];
      granted = next;
      const kept = Array.isArray(next) ? next : [];
      revoked = [...revoked, ...before].filter((each) => !kept.some((one) => sameDestination(one, each)));
      for (const line of [...lines]) {
        if (stillGranted(line.route)) continue;
        const { place } = line.route;
        decide({ allowed: false, code: "grant.revoked", scheme: place.scheme, host: place.host, port: place.port });
        closeLine(line);
      }
    },
    check(url, use) {
      // What nobody can carry any more is not sent on another way.
      if (isDown) return { code: "proxy.down", host: URL.parse(url)?.hostname ?? "", message: downText };
      const cover = covers(granted, url, use, classifyAddress);
      if (cover.allowed) return null;
      const wasGranted = covers(revoked, url, use, classifyAddress).allowed;
      const refusal = wasGranted ? { code: "grant.revoked", host: cover.refusal.host, message: revokedText(cover.refusal.host) } : cover.refusal;
      const parsed = parsePlace(url);
      decide({
        allowed: false,
        code: refusal.code,
        host: refusal.host,
        port: parsed.ok ? parsed.value.port : 0,
        ...(parsed.ok ? { scheme: parsed.value.scheme } : {}),
      });
      return refusal;
    },
    countRequest(place) {
      counts.requests += 1;
      if (counts.requests > caps.requests) throw new Refused("stop.requests", `More than ${caps.requests} requests were made, so it was stopped.`, place);
    },
    keep(target, sockets) {
      const line = { route: target, sockets };
      lines.add(line);
      for (const socket of sockets) socket.once("close", () => lines.delete(line));
    },
    refuseUnknown(isGiven) {
      counts.unknown += 1;
      if (isGiven) decide({ allowed: false, code: "proxy.credential", host: "", port: 0 });
    },
    closeAll() {
      isDown = true;
      for (const line of [...lines]) closeLine(line);
    },
  };
}

/** The place of a request in absolute form. Throws Refused. */
export function placeOf(url: string): Place {
  const parsed = parsePlace(url);
  if (parsed.ok) return parsed.value;
  throw new Refused(parsed.error.code, parsed.error.message, { host: parsed.error.host, port: 0 });
}

function revokedText(host: string): string {
  return `The permission for ${host} was taken back.`;
}

function revokedAt(place: Place): Refused {
  return new Refused("grant.revoked", revokedText(place.host), place);
}

function sameDestination(a: Destination, b: Destination): boolean {
  return (
    a.scheme === b.scheme &&
    a.host === b.host &&
    a.port === b.port &&
    a.use === b.use &&
    a.allowPrivate === b.allowPrivate &&
    a.noQuery === b.noQuery &&
    a.mostSent === b.mostSent
  );
}
