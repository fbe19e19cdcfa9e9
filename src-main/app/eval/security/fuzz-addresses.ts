import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { createEgress } from "#adapters/egress/index.ts";
import { seeded } from "#base/seeded.ts";
import type { Destination } from "#contract/grants/schema.ts";
import type { Egress, Refusal } from "#core/ports/index.ts";
import { clientHello } from "./client-hello.ts";
import { madeAddress } from "./made-addresses.ts";

export interface FuzzReport {
  readonly tried: number;
  readonly allowed: number;
  /** Refusals by their code. */
  readonly refused: Readonly<Record<string, number>>;
  /** Asked of the proxy itself: as a browser would ask for what was allowed, and word for word for some of what was not. */
  readonly asked: number;
  readonly dialled: number;
  /** What was dialled and is not the address of the granted host, with the text that led there; must be empty. */
  readonly astray: readonly string[];
  /** Texts at which the policy threw; must be empty. */
  readonly thrown: readonly string[];
  readonly medianMicroseconds: number;
  readonly slowestMilliseconds: number;
  readonly slowestText: string;
}

export interface FuzzOptions {
  readonly count: number;
  readonly seed: number;
  /** Of the refused texts one in so many is put to the proxy as well. */
  readonly oneIn: number;
  readonly signal: AbortSignal;
}

const grant = (scheme: Destination["scheme"], host: string, port: number, use: Destination["use"] = "navigate"): Destination => ({
  scheme,
  host,
  port,
  use,
  allowPrivate: false,
});

/** What is granted, and where each name is. Every other name there is leads to `elsewhere`. */
const granted = [
  grant("https", "app.test", 443),
  grant("https", "*.wild.test", 443),
  grant("http", "plain.test", 80),
  grant("https", "cdn.test", 443, "subresource"),
];
const seats: Readonly<Record<string, string>> = { "app.test": "93.184.215.10", "plain.test": "93.184.215.30", "cdn.test": "93.184.215.40" };
const wildSeat = "93.184.215.20";
const elsewhere = "93.184.215.66";
const lanes = 16;
const longMs = 2;
const answerWithinMs = 2_000;

function seatOf(host: string): string {
  return seats[host] ?? (/^[^.].*\.wild\.test$/u.test(host) ? wildSeat : elsewhere);
}

/**
 * Puts made addresses to the policy and to the proxy, with a resolver that knows every name and a dialler that notes what it is asked for and leads to a
 * server on this machine. Whatever the policy allows, only the address of the granted host may be dialled.
 */
export async function fuzzAddresses({ count, seed, oneIn, signal }: FuzzOptions): Promise<FuzzReport> {
  const random = seeded(seed);
  const sockets = new Set<Socket>();
  const far = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    socket.once("data", () => socket.end("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n"));
  });
  await new Promise<void>((resolve) => far.listen(0, "127.0.0.1", resolve));
  const { port } = far.address() as AddressInfo;
  const dialled: string[] = [];
  const egress = await createEgress({
    resolve: async (host) => [seatOf(host)],
    dial: (ip, at) => {
      dialled.push(`${ip}:${at}`);
      return connect(port, "127.0.0.1");
    },
    caps: { requests: Number.MAX_SAFE_INTEGER },
  })(granted);
  const expected = new Map<string, number>();
  const refused: Record<string, number> = {};
  const thrown: string[] = [];
  const astray: string[] = [];
  const times: number[] = [];
  const questions: (() => Promise<void>)[] = [];
  let slowest = { milliseconds: 0, text: "" };
  let allowed = 0;

  try {
    for (let index = 0; index < count; index += 1) {
      if (index % 1_000 === 0) signal.throwIfAborted();
      const text = madeAddress(random);
      try {
        const { refusal, milliseconds: took } = timed(egress, text);
        times.push(took);
        if (took > slowest.milliseconds) slowest = { milliseconds: took, text };
        if (refusal !== null) {
          refused[refusal.code] = (refused[refusal.code] ?? 0) + 1;
          if (index % oneIn === 0) questions.push(() => askAsWritten(egress, text));
          continue;
        }
        allowed += 1;
        const { protocol, hostname, href, port: written } = new URL(text);
        const place = `${seatOf(hostname)}:${written || (protocol === "http:" ? 80 : 443)}`;
        if (seatOf(hostname) === elsewhere) astray.push(`${place} for ${JSON.stringify(text)}`);
        expected.set(place, (expected.get(place) ?? 0) + 1);
        questions.push(() => (protocol === "http:" ? forward(egress, href, hostname) : tunnel(egress, `${hostname}:443`, hostname)));
      } catch (error) {
        thrown.push(`${String(error)} at ${JSON.stringify(text)}`);
      }
    }
    const waiting = questions.values();
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        for (const ask of waiting) {
          signal.throwIfAborted();
          await ask();
        }
      }),
    );
    // Word for word a text may name a granted host too; what is no seat of one is astray.
    const places = new Set([...Object.values(seats), wildSeat]);
    for (const place of dialled) if (!places.has(place.slice(0, place.lastIndexOf(":"))) || !/:(?:443|80)$/u.test(place)) astray.push(place);
    for (const [place, times] of expected) {
      const came = dialled.filter((one) => one === place).length;
      if (came < times) astray.push(`${place} was dialled ${came} of ${times} times`);
    }
  } finally {
    await egress.close();
    for (const socket of sockets) socket.destroy();
    far.close();
  }
  times.sort((a, b) => a - b);
  return {
    tried: count,
    allowed,
    refused,
    asked: questions.length,
    dialled: dialled.length,
    astray,
    thrown,
    medianMicroseconds: (times[Math.floor(times.length / 2)] ?? 0) * 1000,
    slowestMilliseconds: slowest.milliseconds,
    slowestText: slowest.text.slice(0, 200),
  };
}

/** A decision with how long it took. What takes long is measured again: a busy machine is slow at times, a bad text always. */
function timed(egress: Egress, text: string): { readonly refusal: Refusal | null; readonly milliseconds: number } {
  let refusal: Refusal | null = null;
  let milliseconds = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && milliseconds > longMs; tries += 1) {
    const start = performance.now();
    refusal = egress.check(text, "navigate");
    milliseconds = Math.min(milliseconds, performance.now() - start);
  }
  return { refusal, milliseconds };
}

/** The authority of a text word for word, as a client that parses otherwise would ask for it. */
async function askAsWritten(egress: Egress, text: string): Promise<void> {
  const line = text.replace(/[\r\n\0 ]/gu, "").slice(0, 8_000);
  const authority = /^[a-z]*:?[/\\]*([^/\\?#]*)/iu.exec(line)?.[1] ?? "";
  const host = authority.replace(/:\d*$/u, "");
  if (/^http:/iu.test(line)) return forward(egress, line, host);
  return tunnel(egress, /:\d+$/u.test(authority) ? authority : `${authority}:443`, host);
}

function tunnel(egress: Egress, authority: string, serverName: string): Promise<void> {
  return exchange(egress, `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n`, clientHello(serverName));
}

function forward(egress: Egress, url: string, host: string): Promise<void> {
  return exchange(egress, `GET ${url} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n`, null);
}

/** One connection to the proxy: the request, and in a tunnel that was opened these bytes; until the other side ends it. */
function exchange(egress: Egress, head: string, then: Buffer | null): Promise<void> {
  const authorization = Buffer.from(`${egress.username}:${egress.password}`).toString("base64");
  return new Promise((resolve) => {
    const socket = connect(egress.port, "127.0.0.1", () => socket.write(`${head}Proxy-Authorization: Basic ${authorization}\r\n\r\n`));
    const timer = setTimeout(() => socket.destroy(), answerWithinMs);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
    socket.once("data", (chunk: Buffer) => {
      if (then !== null && chunk.toString("latin1").startsWith("HTTP/1.1 200")) socket.write(then);
      else socket.end();
    });
    socket.on("end", () => socket.end());
  });
}
