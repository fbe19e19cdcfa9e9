import { createHash, X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { type Dispatcher, Agent as HttpAgent } from "undici";
import { cut } from "#base/text.ts";
import { KnackError } from "#contract/errors.ts";
import type { Destination } from "#contract/grants/schema.ts";
import { bare, isAddressLiteral } from "#core/envelope/destination.ts";
import type { FetchedPage, PageReader, ReadRequest } from "#core/ports/index.ts";
import type { EgressOptions } from "./egress-options.ts";
import { htmlToMarkdown } from "./html-to-markdown.ts";
import { type Boundary, openBoundary, placeOf, type Route } from "./open-boundary.ts";
import { Refused } from "./refused.ts";
import { portsOfProxies } from "./start-egress.ts";

/** How much one page may take. */
export interface ReadCaps {
  readonly hops: number;
  /** From the first question to the last byte. */
  readonly ms: number;
  /** As it comes, and unpacked. */
  readonly bytes: number;
  /** To make text of a page's markup. */
  readonly markupMs: number;
  /** Of the text that is handed over. */
  readonly characters: number;
}

export const usualReadCaps: ReadCaps = { hops: 10, ms: 30_000, bytes: 5 * 1024 ** 2, markupMs: 8_000, characters: 40_000 };

export interface PageReaderOptions extends EgressOptions {
  /** Public-key pin of the certificate of `hosts`: tests and evaluation only. */
  readonly trustedSpki?: string;
  readonly readCaps?: Partial<ReadCaps>;
}

const READABLE = /^(?:text\/[\w.+-]+|application\/(?:[\w.-]+\+)?(?:json|xml)|application\/(?:yaml|x-yaml|toml))$/u;
const HTML = /^(?:text\/html|application\/xhtml\+xml)$/u;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Reads pages without a browser, behind the same boundary as a browser: nothing is remembered between two pages, and no cookie is sent. */
export function createPageReader(options: PageReaderOptions = {}): PageReader {
  const caps = { ...usualReadCaps, ...options.readCaps };
  const reading = new Set<Boundary>();

  async function read(url: string, destinations: readonly Destination[], request: ReadRequest, signal: AbortSignal): Promise<FetchedPage> {
    signal.throwIfAborted();
    const boundary = openBoundary(destinations, { ...options, caps: { ...options.caps } }, request.onDecision ?? (() => undefined), portsOfProxies());
    const inTime = AbortSignal.timeout(caps.ms);
    const either = AbortSignal.any([signal, inTime]);
    reading.add(boundary);
    let at = url;
    let hops = 0;
    try {
      for (; ; hops += 1) {
        const answer = await ask(boundary, at, request, options, either);
        try {
          const next = REDIRECTS.has(answer.status) ? answer.header("location") : "";
          if (next === "") return await pageOf(answer, hops, caps, either);
          if (hops === caps.hops)
            throw new Refused("hop.limit", `The site sent Knack on more than ${caps.hops} times.`, { host: answer.route.place.host, port: 0 });
          at = URL.parse(next, answer.route.place.href)?.href ?? next;
        } finally {
          await answer.close();
        }
      }
    } catch (error) {
      throw problemOf(error, at, hops, boundary, signal, inTime, caps);
    } finally {
      reading.delete(boundary);
      boundary.closeAll();
    }
  }

  return {
    read,
    setDestinations(destinations) {
      for (const boundary of reading) boundary.setDestinations(destinations);
    },
  };
}

interface Answer {
  readonly route: Route;
  readonly status: number;
  readonly body: Dispatcher.ResponseData["body"];
  header(name: string): string;
  close(): Promise<void>;
}

/** One hop: decided, resolved, dialled, asked. */
async function ask(boundary: Boundary, url: string, { within }: ReadRequest, options: PageReaderOptions, signal: AbortSignal): Promise<Answer> {
  const place = placeOf(url);
  if (place.scheme !== "https" && place.scheme !== "http") throw new Refused("url.scheme", "Only pages of http and https are read.", place);
  boundary.countRequest(place);
  const granted = boundary.grantFor(place, "navigate");
  if (within !== undefined && !within(place))
    throw new Refused("dest.host", `The skill in charge does not declare ${place.host}, so it was not contacted.`, place);
  const route = await boundary.route(granted);
  const agent = new HttpAgent({
    pipelining: 0,
    maxResponseSize: -1,
    // The address is the one that was checked; nothing is looked up here, and no proxy of the environment is asked.
    connect: (_asked, done) => {
      try {
        const far = boundary.dial(route);
        const socket = place.scheme === "https" ? secured(far, route, options) : far;
        boundary.keep(route, [far, socket]);
        socket.once("error", (error) => done(error, null));
        far.once("error", (error) => socket.destroy(error));
        socket.once(place.scheme === "https" ? "secureConnect" : "connect", () => done(null, socket));
      } catch (error) {
        done(error as Error, null);
      }
    },
  });
  try {
    const { origin, pathname, search } = new URL(place.href);
    const { statusCode, headers, body } = await agent.request({
      origin,
      path: `${pathname}${search}`,
      method: "GET",
      headers: { accept: "text/html, text/*;q=0.9, application/json;q=0.8", "accept-encoding": "gzip, br, deflate", "user-agent": "Knack" },
      signal,
    });
    body.on("error", () => undefined);
    return {
      route,
      status: statusCode,
      body,
      header: (name) => [headers[name] ?? ""].flat()[0] ?? "",
      async close() {
        body.destroy();
        await agent.destroy();
      },
    };
  } catch (error) {
    await agent.destroy();
    throw error;
  }
}

function secured(far: Socket, { place }: Route, options: PageReaderOptions): Socket {
  const pin = options.hosts?.has(place.host) === true ? options.trustedSpki : undefined;
  const named: ConnectionOptions = isAddressLiteral(place.host) ? { host: bare(place.host) } : { host: place.host, servername: place.host };
  const socket = connectTls({ ...named, socket: far, ALPNProtocols: ["http/1.1"], rejectUnauthorized: pin === undefined });
  if (pin !== undefined) {
    socket.prependOnceListener("secureConnect", () => {
      if (spkiOf(socket.getPeerCertificate().raw) !== pin) socket.destroy(new Error("not the pinned certificate"));
    });
  }
  return socket;
}

function spkiOf(certificate: Buffer): string {
  return createHash("sha256")
    .update(new X509Certificate(certificate).publicKey.export({ type: "spki", format: "der" }))
    .digest("base64");
}

async function pageOf({ route, status, body, header }: Answer, hops: number, caps: ReadCaps, signal: AbortSignal): Promise<FetchedPage> {
  const { place } = route;
  const [type = "", ...parameters] = header("content-type").toLowerCase().split(";");
  const kind = type.trim();
  const isHtml = HTML.test(kind);
  if (!isHtml && !READABLE.test(kind))
    throw new KnackError("fetch.content", `${place.host} answered with ${kind === "" ? "something unnamed" : clean(kind)}, which is no text to read.`);
  const bytes = await unpacked(body, header("content-encoding"), place, caps.bytes);
  const said = decoded(bytes, /charset=["']?([\w-]+)/u.exec(parameters.join(";"))?.[1]);
  const { title, markdown } = isHtml ? await htmlToMarkdown(said, place.host, caps.markupMs, signal) : { title: "", markdown: said };
  return {
    url: place.href,
    origin: new URL(place.href).origin,
    status,
    title: cut(title, 300),
    text: cut(markdown, caps.characters),
    hops,
    isCut: markdown.length > caps.characters,
  };
}

/** The whole body, unpacked, and never more of it in memory than the cap. */
async function unpacked(body: Answer["body"], encoding: string, place: Route["place"], most: number): Promise<Buffer> {
  const unpackers = { gzip: createGunzip, "x-gzip": createGunzip, br: createBrotliDecompress, deflate: createInflate };
  const names = encoding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  const [name, ...more] = names;
  if (more.length > 0 || (name !== undefined && !Object.hasOwn(unpackers, name)))
    throw new KnackError("fetch.content", `${place.host} packed its answer in a way that is not read (${clean(names.join(", "))}).`);
  const unpack = name === undefined ? null : unpackers[name as keyof typeof unpackers]();
  const source = unpack === null ? body : body.pipe(unpack);
  if (unpack !== null) body.once("error", (error) => unpack.destroy(error));
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of source as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > most) throw new Refused("stop.bytes", `The page of ${place.host} is larger than the ${most} bytes that are read of one.`, place);
      parts.push(part);
    }
  } finally {
    unpack?.destroy();
    body.destroy();
  }
  return Buffer.concat(parts);
}

function decoded(bytes: Buffer, charset = "utf-8"): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function problemOf(error: unknown, url: string, hops: number, boundary: Boundary, signal: AbortSignal, inTime: AbortSignal, caps: ReadCaps): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof KnackError) return error;
  const host = URL.parse(url)?.hostname ?? "";
  const place = { host, port: 0 };
  const isLate = inTime.aborted && !(error instanceof Refused);
  const ended = isLate ? new Refused("stop.time", `${host} did not answer within ${Math.round(caps.ms / 1000)} seconds.`, place) : error;
  if (ended instanceof Refused) {
    const known = boundary.refuse(ended, place);
    const code = hops === 0 ? known.code : known.code.replace(/^dest\.(host|kind|port|scheme)$/u, "hop.$1");
    const message = hops > 0 && code.startsWith("hop.") && code !== "hop.limit" ? hopText(known.place.host) : known.message;
    return new KnackError(code, message, { exit: 3, fields: { host: known.place.host } });
  }
  // What was taken back while it was read ends as a broken connection.
  if (boundary.decisions.some(({ code }) => code === "grant.revoked"))
    return new KnackError("grant.revoked", `The permission for ${host} was taken back.`, { exit: 3, fields: { host } });
  const stopped = boundary.refusals.at(-1);
  if (stopped !== undefined) return new KnackError(stopped.code, stopped.message, { exit: 3, fields: { host: stopped.host } });
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/u.test(code) || /certificate/u.test(String((error as Error).message)))
    return new KnackError("fetch.certificate", `The certificate of ${host} is not trusted, so the page was not read.`);
  return new KnackError("fetch.failed", `${host} could not be read; it may be down, or the network is.`);
}

function hopText(host: string): string {
  return `The site sent Knack on to ${host}, which you have not granted, so nothing was sent there.`;
}

function clean(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, "").slice(0, 80);
}
