import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, createServer as createRawServer } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { createPageReader, type PageReaderOptions } from "#adapters/egress/index.ts";
import { serveSites } from "#adapters/sites/index.ts";
import type { Destination } from "#contract/grants/schema.ts";
import type { EgressDecision, FetchedPage, PageReader, ReadRequest } from "#core/ports/index.ts";

const app: Destination = { scheme: "http", host: "app.test", port: 80, use: "navigate", allowPrivate: false };
const never = new AbortController().signal;

let undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of undo.reverse()) await one();
  undo = [];
});

interface Net {
  readonly reader: PageReader;
  readonly dialled: string[];
  readonly asked: string[];
  readonly hits: string[];
  readonly heads: string[];
  readonly told: EgressDecision[];
  read(url: string, request?: ReadRequest, destinations?: readonly Destination[]): Promise<FetchedPage>;
}

/** One server for every address, which notes the host and path of each request, behind a resolver that knows these names. */
async function net(answer: RequestListener, options: PageReaderOptions = {}, names: Record<string, readonly string[]> = {}): Promise<Net> {
  const hits: string[] = [];
  const heads: string[] = [];
  const server = createServer((request, response) => {
    hits.push(`${request.headers.host}${request.url}`);
    heads.push(JSON.stringify(request.headers));
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  undo.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const dialled: string[] = [];
  const asked: string[] = [];
  const told: EgressDecision[] = [];
  const known: Record<string, readonly string[]> = { "app.test": ["93.184.215.10"], "evil.test": ["93.184.215.66"], "cdn.test": ["93.184.215.20"], ...names };
  const reader = createPageReader({
    resolve: async (host) => {
      asked.push(host);
      return known[host] ?? [];
    },
    dial: (ip, port) => {
      dialled.push(`${ip}:${port}`);
      return connect((server.address() as AddressInfo).port, "127.0.0.1");
    },
    ...options,
  });
  const read: Net["read"] = (url, request = {}, destinations = [app]) =>
    reader.read(url, destinations, { onDecision: (decision) => told.push(decision), ...request }, never);
  return { reader, dialled, asked, hits, heads, told, read };
}

const html =
  (text: string): RequestListener =>
  (_request, response) =>
    response.setHeader("content-type", "text/html; charset=utf-8").end(text);
const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "read",
    (error: { code?: string }) => error.code ?? String(error),
  );

describe("a page that is read without a browser", () => {
  it("comes as markdown, from the address that was checked", async () => {
    const { read, dialled, asked, heads } = await net(
      html(
        `<html><head><title>Opening  hours</title><style>p{}</style></head><body><h1>Hours</h1><script>evil()</script><p>We open at <b>nine</b>.</p>
        <ul><li>Monday</li><li>Friday</li></ul><a href="/map">Map</a><img src="https://evil.test/p.gif" alt="a door"><template>hidden</template></body></html>`,
      ),
    );
    const page = await read("http://APP.test/hours?day=1#top");
    expect(page).toMatchObject({ origin: "http://app.test", status: 200, title: "Opening hours", hops: 0, isCut: false });
    expect(page.text).toBe("# Hours\n\nWe open at **nine**.\n\n-   Monday\n-   Friday\n\n[Map](/map)a door");
    expect([asked, dialled]).toEqual([["app.test"], ["93.184.215.10:80"]]);
    expect(heads[0]).not.toMatch(/cookie|referer|authorization/iu);
  });

  it.each([
    ["URL-01", "http://app.test@evil.test/", "url.userinfo"],
    ["URL-05", "http://evil.test\\@app.test/", "dest.host"],
    ["URL-09", "http://app.test./", "url.host"],
    ["URL-15", "http://app.test.evil.test/", "dest.host"],
    ["URL-20", "http://app.test:8080/", "dest.port"],
    ["URL-23", "https://app.test/", "dest.scheme"],
    ["URL-25", "file:///etc/passwd", "url.scheme"],
    ["URL-27", "data:text/html,hello", "url.scheme"],
    ["URL-29", "http://2130706433/", "dest.ip"],
    ["URL-36", "http://0xa9fea9fe/", "dest.ip"],
    ["URL-25", "ws://app.test/", "url.scheme"],
    ["", "", "url.parse"],
  ])("%s: %s is refused with %s before anything is asked", async (_row, url, code) => {
    const { read, dialled, asked, hits } = await net(html("x"));
    expect(await codeOf(read(url))).toBe(code);
    expect([dialled, asked, hits]).toEqual([[], [], []]);
  });

  it.each([
    ["HOP-01", "http://evil.test/", "hop.host"],
    ["HOP-03", "http://cdn.test/", "hop.kind"],
    ["HOP-04", "http://app.test:8443/", "hop.port"],
    ["HOP-04", "https://app.test/", "hop.scheme"],
    ["HOP-05", "http://169.254.169.254/", "dest.ip"],
    ["HOP-05", "http://127.0.0.1/", "dest.ip"],
    ["HOP-01", "//app.test@evil.test/", "url.userinfo"],
    ["HOP-01", "javascript:alert(1)", "url.scheme"],
    ["HOP-01", "\\\\evil.test/", "hop.host"],
    ["HOP-01", "http://[", "url.parse"],
  ])("%s: a redirect to %s ends with %s", async (_row, location, code) => {
    const { read, dialled, hits } = await net((_request, response) => response.writeHead(302, { location }).end("<h1>moved</h1>"));
    expect(await codeOf(read("http://app.test/r", {}, [app, { ...app, host: "cdn.test", use: "subresource" }]))).toBe(code);
    expect([dialled, hits]).toEqual([["93.184.215.10:80"], ["app.test/r"]]);
  });

  it("HOP-01: a redirect that is granted is followed, each hop looked up and dialled anew", async () => {
    const { read, dialled } = await net((request, response) =>
      request.headers.host === "app.test" ? response.writeHead(301, { location: "http://evil.test/to" }).end() : html("<p>there</p>")(request, response),
    );
    const page = await read("http://app.test/", {}, [app, { ...app, host: "evil.test" }]);
    expect([page.text, page.origin, page.hops, dialled]).toEqual(["there", "http://evil.test", 1, ["93.184.215.10:80", "93.184.215.66:80"]]);
  });

  it("HOP-08: a site that sends on for ever is left", async () => {
    const { read, hits } = await net((request, response) => response.writeHead(302, { location: `/${Number(request.url?.slice(1)) + 1}` }).end());
    expect(await codeOf(read("http://app.test/0"))).toBe("hop.limit");
    expect(hits).toHaveLength(11);
  });

  it("a skill in charge narrows every hop to what it declares", async () => {
    const { read, hits } = await net((request, response) =>
      request.headers.host === "app.test" ? response.writeHead(302, { location: "http://evil.test/" }).end() : html("x")(request, response),
    );
    const within: ReadRequest["within"] = ({ host }) => host === "app.test";
    expect(await codeOf(read("http://app.test/", { within }, [app, { ...app, host: "evil.test" }]))).toBe("hop.host");
    expect(hits).toEqual(["app.test/"]);
  });

  it.each([
    ["DNS-02", ["93.184.215.10", "10.0.0.5"], "dest.ip"],
    ["DNS-05", [], "dns.error"],
    ["URL-36", ["169.254.169.254"], "dest.ip"],
  ])("%s: the answer %j is refused", async (_row, addresses, code) => {
    const { read, dialled, hits } = await net(html("x"), {}, { "app.test": addresses });
    expect(await codeOf(read("http://app.test/"))).toBe(code);
    expect([dialled, hits]).toEqual([[], []]);
  });

  it("DNS-01: a name that leads elsewhere at the second hop is refused there", async () => {
    const queue = [["93.184.215.10"], ["127.0.0.1"]];
    const { read, dialled } = await net((_request, response) => response.writeHead(302, { location: "/again" }).end(), {
      resolve: async () => queue.shift() ?? [],
    });
    expect(await codeOf(read("http://app.test/"))).toBe("dest.ip");
    expect(dialled).toEqual(["93.184.215.10:80"]);
  });

  it("HOP-18: ends within a second when its grant is taken back", async () => {
    const { read, reader, hits } = await net(() => undefined);
    const reading = codeOf(read("http://app.test/slow"));
    await expect.poll(() => hits).toEqual(["app.test/slow"]);
    const before = performance.now();
    reader.setDestinations([]);
    expect(await reading).toBe("grant.revoked");
    expect(performance.now() - before).toBeLessThan(1000);
  });

  it("DNS-09: asks no proxy of the environment", async () => {
    const before = { ...process.env };
    for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "NODE_USE_ENV_PROXY"]) process.env[name] = "http://127.0.0.1:1";
    try {
      const { read } = await net(html("<p>direct</p>"));
      expect((await read("http://app.test/")).text).toBe("direct");
    } finally {
      process.env = before;
    }
  });

  it("stops by itself when the caller does, and says nothing of an error", async () => {
    const control = new AbortController();
    const { reader, hits } = await net(() => undefined);
    const reading = reader.read("http://app.test/", [app], {}, control.signal);
    await expect.poll(() => hits).toHaveLength(1);
    control.abort(new DOMException("stopped", "AbortError"));
    await expect(reading).rejects.toThrow("stopped");
  });
});

describe("what a page may take", () => {
  it("RES-01: so much time, whether the site is silent or drips", async () => {
    for (const answer of [
      () => undefined,
      ((_request, response) => {
        response.setHeader("content-type", "text/html");
        const timer = setInterval(() => response.write("x"), 20);
        response.on("close", () => clearInterval(timer));
      }) as RequestListener,
    ]) {
      const { read } = await net(answer, { readCaps: { ms: 400 } });
      const before = performance.now();
      expect(await codeOf(read("http://app.test/"))).toBe("stop.time");
      expect(performance.now() - before).toBeLessThan(3000);
    }
  });

  it("RES-02: so many bytes, however they are packed", async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const { read } = await net((_request, response) => response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" }).end(bomb), {
      readCaps: { bytes: 1_000_000 },
    });
    expect(bomb.length).toBeLessThan(100_000);
    expect(await codeOf(read("http://app.test/"))).toBe("stop.bytes");
    const endless = await net(
      (_request, response) => {
        response.setHeader("content-type", "text/plain");
        const more = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536, 120)));
        };
        response.on("drain", more);
        more();
      },
      { readCaps: { bytes: 1_000_000 } },
    );
    expect(await codeOf(endless.read("http://app.test/"))).toBe("stop.bytes");
  });

  it.each([
    ["gzip", gzipSync("<p>packed</p>"), "packed"],
    ["br", brotliCompressSync("<p>packed</p>"), "packed"],
    ["identity", Buffer.from("<p>packed</p>"), "packed"],
  ])("reads what is packed as %s", async (encoding, body, expected) => {
    const { read } = await net((_request, response) => response.writeHead(200, { "content-type": "text/html", "content-encoding": encoding }).end(body));
    expect((await read("http://app.test/")).text).toBe(expected);
  });

  it.each([
    ["packed twice", { "content-type": "text/html", "content-encoding": "gzip, gzip" }],
    ["packed by a way nobody knows", { "content-type": "text/html", "content-encoding": "constructor" }],
    ["an image", { "content-type": "image/png" }],
    ["a program", { "content-type": "application/octet-stream" }],
    ["something unnamed", {}],
  ])("refuses %s", async (_what, headers) => {
    const { read } = await net((_request, response) => response.writeHead(200, headers).end("x"));
    expect(await codeOf(read("http://app.test/"))).toBe("fetch.content");
  });

  it("broken packing is an answer that cannot be read, and nothing else", async () => {
    const { read } = await net((_request, response) => response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" }).end("no gzip"));
    expect(await codeOf(read("http://app.test/"))).toBe("fetch.failed");
  });

  it("RES-14: markup made to cost time and memory is given up, and the next page is read", async () => {
    const nested = `${Array.from({ length: 30_000 }, (_, index) => `<b a=${index}>`).join("")}${"<p>".repeat(30_000)}`;
    const deep = `<p>before</p>${"<div>".repeat(200_000)}deep`;
    const pages = [nested, deep, "<p>next</p>"];
    const { read } = await net((request, response) => html(pages.shift() ?? "")(request, response), { readCaps: { markupMs: 2_000 } });
    expect(await codeOf(read("http://app.test/"))).toMatch(/^(?:stop\.(?:time|memory)|fetch\.content)$/u);
    expect(await codeOf(read("http://app.test/"))).toMatch(/^(?:stop\.(?:time|memory)|fetch\.content)$/u);
    expect((await read("http://app.test/")).text).toBe("next");
  }, 60_000);

  it("JSON and plain text come as they are, cut where there is more than is read", async () => {
    const { read } = await net((_request, response) => response.writeHead(404, { "content-type": "application/json" }).end('{"a":"<b>"}'), {
      readCaps: { characters: 5 },
    });
    expect(await read("http://app.test/")).toMatchObject({ text: '{"a":', status: 404, isCut: true });
  });

  it("text in another encoding is read as what it says it is", async () => {
    const { read } = await net((_request, response) =>
      response.writeHead(200, { "content-type": "text/plain; charset=iso-8859-1" }).end(Buffer.from([0x63, 0xe9])),
    );
    expect((await read("http://app.test/")).text).toBe("c\u00e9");
  });
});

describe("a page over TLS", () => {
  const secure: Destination = { scheme: "https", host: "app.knack.test", port: 443, use: "navigate", allowPrivate: false };

  it("is read from a host of this machine by its pinned certificate, and from none with another", async () => {
    const served = await serveSites([
      { host: "app.knack.test", start: () => ({ log: [], fetch: () => new Response("<h1>Safe</h1>", { headers: { "content-type": "text/html" } }) }) },
    ]);
    undo.push(() => served.close());
    const pinned = createPageReader({ hosts: served.hosts, trustedSpki: served.spki });
    expect((await pinned.read("https://app.knack.test/", [secure], {}, never)).text).toBe("# Safe");
    const hits = served.hits.get("app.knack.test");
    const other = createPageReader({ hosts: served.hosts, trustedSpki: "AAAA" });
    expect(await codeOf(other.read("https://app.knack.test/", [secure], {}, never))).toMatch(/^fetch\.(?:failed|certificate)$/u);
    const strict = createPageReader({ hosts: served.hosts });
    expect(await codeOf(strict.read("https://app.knack.test/", [secure], {}, never))).toBe("fetch.certificate");
    expect(served.hits.get("app.knack.test")).toBe(hits);
  });

  it("says of a place that cannot be reached that it cannot", async () => {
    const closed = createRawServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    undo.push(() => closed.close());
    const told: EgressDecision[] = [];
    const reader = createPageReader({ resolve: async () => ["93.184.215.10"], dial: () => connect((closed.address() as AddressInfo).port, "127.0.0.1") });
    expect(await codeOf(reader.read("https://app.knack.test/", [secure], { onDecision: (decision) => told.push(decision) }, never))).toBe("fetch.failed");
    expect(told.at(-1)).toMatchObject({ allowed: true, host: "app.knack.test", address: "93.184.215.10" });
  });
});
