import { createServer } from "node:http";
import { type AddressInfo, createServer as createPlainServer } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Destination } from "#contract/grants/schema.ts";
import type { BrowserSession } from "#core/ports/index.ts";
import { browserOpen } from "#core/tools/browser/actions.ts";
import type { ToolContext } from "#core/tools/index.ts";
import { codeOf, html, never, openStage, type Stage } from "./stage.ts";

const host = "desk.knack.test";
const at = (path: string): string => `https://${host}${path}`;
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const document = (body: string, status = 200) => new Response(html(body), { status, headers: { "content-type": "text/html" } });

const pages = {
  "/": html(`<h1>Desk</h1><script>document.cookie='sid=7;path=/'</script><a href="/late">Late</a><a href="/never">Never</a>
    <form action="/late"><button>Send</button></form><button onclick="setTimeout(()=>location.href='/late',50)">Script</button>
    <a href="/late" target="_blank">Late tab</a><a href="/gone">Gone</a><a href="https://lost.knack.test/">Lost</a>`),
  "/late": async () => {
    await later(9_000);
    return document("<h1>Arrived</h1>");
  },
  "/never": () => new Promise<Response>(() => {}),
  "/who": (request: Request) => document(`<h1>${request.headers.get("cookie") ?? "nobody"}</h1>`),
  "/spin": html("<h1>Spin</h1><button onclick='for(;;);'>Go</button>"),
  "/gone": () => document("<h1>Sold out</h1>", 410),
  "/broken": () => document("<h1>Bad gateway</h1>", 502),
  "/moved": () => new Response(null, { status: 302, headers: { location: "/gone" } }),
};

let stage: Stage;
let session: BrowserSession;
const closing: (() => Promise<unknown> | unknown)[] = [];

beforeAll(async () => {
  stage = await openStage({ [host]: pages });
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(async () => {
  await stage.close();
});

async function signedIn(more: readonly Destination[] = []): Promise<BrowserSession> {
  session = await stage.launch({ destinations: [...stage.options.destinations, ...more] });
  closing.push(() => session.close());
  await session.open(at("/"), never);
  return session;
}

async function who(): Promise<string> {
  return (await session.open(at("/who"), never)).page.heading;
}

describe("a slow site", () => {
  it.each([
    ["link", "Late"],
    ["button", "Send"],
    ["button", "Script"],
    ["link", "Late tab"],
  ])(
    "is waited for after pressing the %s %j",
    async (role, name) => {
      await signedIn();
      expect((await session.click({ role, name }, never)).page.heading).toBe("Arrived");
      expect(await who()).toBe("sid=7");
    },
    40_000,
  );

  it("that never answers a click costs that click only", async () => {
    await signedIn();
    await expect(session.click({ role: "link", name: "Never" }, never)).rejects.toThrow("The site did not answer in time while clicking.");
    expect((await session.view(never)).heading).toBe("Desk");
    expect(await who()).toBe("sid=7");
  }, 60_000);

  it("that never answers an address leaves the login as it was", async () => {
    await signedIn();
    expect(await codeOf(session.open(at("/never"), never))).toBe("browser.timeout");
    expect(await who()).toBe("sid=7");
  }, 60_000);
});

describe("a page that hangs", () => {
  it("is closed, and the login stays", async () => {
    await signedIn();
    await session.open(at("/spin"), never);
    expect(await codeOf(session.click({ role: "button", name: "Go" }, never))).toBe("stop.hang");
    expect(await who()).toBe("sid=7");
  }, 60_000);
});

describe("what a site answered", () => {
  it.each([
    ["/gone", 410],
    ["/nowhere", 404],
    ["/broken", 502],
    ["/moved", 410],
    ["/who", 200],
  ])("%s is told: %i", async (path, status) => {
    await signedIn();
    expect((await session.open(at(path), never)).status).toBe(status);
  });

  it("is said in the step's text where it is an error", async () => {
    await signedIn();
    const run = async (url: string) => (await browserOpen.run({ url }, { browser: async () => session, signal: never } as unknown as ToolContext)).text;
    expect(await run(at("/gone"))).toBe(`Opened ${at("/gone")} (the site answered 410). Page: Sold out.`);
    expect(await run(at("/who"))).toBe(`Opened ${at("/who")}. Page: sid=7.`);
  });

  it("is told of a click, and not of one that led nowhere", async () => {
    await signedIn();
    expect((await session.click({ role: "link", name: "Gone" }, never)).status).toBe(410);
    expect((await session.wait(10, never)).status).toBeUndefined();
  });
});

describe("a site without encryption", () => {
  const grantOf = (port: number, name = "127.0.0.1"): Destination => ({ scheme: "http", host: name, port, use: "navigate", allowPrivate: true });

  /** A server on loopback; returns its port. */
  async function listen(server: ReturnType<typeof createPlainServer>): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => server.close());
    return (server.address() as AddressInfo).port;
  }

  it("that cannot be reached is an error and no page", async () => {
    const reset = await listen(createPlainServer((socket) => socket.destroy()));
    const closed = createPlainServer();
    const refusing = await listen(closed);
    closed.close();
    await signedIn([grantOf(reset), grantOf(refusing), grantOf(80, "nowhere.invalid")]);
    expect(await codeOf(session.open(`http://127.0.0.1:${refusing}/`, never))).toBe("browser.unreachable");
    expect(await codeOf(session.open(`http://127.0.0.1:${reset}/`, never))).toBe("browser.unreachable");
    expect(await codeOf(session.open("http://nowhere.invalid/", never))).toBe("dns.error");
    expect(await who()).toBe("sid=7");
  }, 30_000);

  it("is an error too where a page or a redirect leads there", async () => {
    const closed = createPlainServer();
    const refusing = await listen(closed);
    closed.close();
    const away = `http://127.0.0.1:${refusing}/`;
    const server = createServer((request, response) => {
      if (request.url === "/on") return response.writeHead(302, { location: away }).end();
      return response.writeHead(200, { "content-type": "text/html" }).end(html(`<h1>Here</h1><a href="${away}">Away</a>`));
    });
    const here = await listen(server as unknown as ReturnType<typeof createPlainServer>);
    await signedIn([grantOf(here), grantOf(refusing)]);
    expect(await codeOf(session.open(`http://127.0.0.1:${here}/on`, never))).toBe("browser.unreachable");
    await session.open(`http://127.0.0.1:${here}/`, never);
    expect(await codeOf(session.click({ role: "link", name: "Away" }, never))).toBe("browser.unreachable");
  }, 30_000);

  it("that never finishes its page is read as far as it came", async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).write(html("<h1>Trickle</h1>").replace("</body></html>", "<!--".padEnd(2_000)));
    });
    closing.push(() => server.closeAllConnections());
    const port = await listen(server as unknown as ReturnType<typeof createPlainServer>);
    await signedIn([grantOf(port)]);
    expect((await session.open(`http://127.0.0.1:${port}/`, never)).page.heading).toBe("Trickle");
  }, 60_000);

  it("that answers 502, 504 or with words of ours itself is a page", async () => {
    const server = createServer((request, response) => {
      response.writeHead(Number(request.url?.slice(1)), { "content-type": "text/html", "x-knack-refusal": "dns.error" }).end(html("<h1>Its own</h1>"));
    });
    const port = await listen(server as unknown as ReturnType<typeof createPlainServer>);
    await signedIn([grantOf(port)]);
    for (const status of [502, 504, 403, 594]) {
      const outcome = await session.open(`http://127.0.0.1:${port}/${status}`, never);
      expect([outcome.status, outcome.page.heading]).toEqual([status, "Its own"]);
    }
  }, 30_000);
});

describe("a link to a site that is not there", () => {
  it("is an error, not the browser's own page", async () => {
    await signedIn([{ scheme: "https", host: "lost.knack.test", port: 443, use: "navigate", allowPrivate: false }]);
    expect(await codeOf(session.click({ role: "link", name: "Lost" }, never))).toBe("dns.error");
    expect(await who()).toBe("sid=7");
  });
});
