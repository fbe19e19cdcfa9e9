import type { ServerResponse } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createEgress } from "#adapters/egress/index.ts";
import type { Destination } from "#contract/grants/schema.ts";
import type { BrowserSession, Refusal } from "#core/ports/index.ts";
import { browserClick } from "#core/tools/browser/actions.ts";
import type { ToolContext } from "#core/tools/index.ts";
import { codeOf, grant, html, never } from "../browser/stage.ts";
import { type Answer, type NetStage, openNetStage, until } from "./net-stage.ts";

const app = "app.test";
const evil = "evil.test";
const cdn = "cdn.test";
const away = `https://${evil}`;
const at = (path: string): string => `https://${app}${path}`;
const to =
  (location: string): Answer =>
  (_request, response) =>
    response.writeHead(302, { location }).end();
const page = (response: ServerResponse, text: string, headers: Record<string, string> = {}): unknown =>
  response.writeHead(200, { "content-type": "text/html", ...headers }).end(text);

/** Elsewhere by a script of the page; each way is a button and, with `?by`, what the page does on load. */
const scripts: Readonly<Record<string, string>> = {
  assign: `location='${away}/js'`,
  replace: `location.replace('${away}/js')`,
  history: `history.pushState({},'','/looks-like/evil.test');location.href='${away}/js'`,
  navigation: `navigation.navigate('${away}/js').finished.catch(()=>{})`,
  later: `setTimeout(()=>{location='${away}/js'},1200)`,
  submit: `document.forms.js.submit()`,
};

const pages = {
  "/": html(`<h1>App</h1><a href="/next">Next</a><a href="${away}/">Away</a><a href="/r">Redirected away</a>
    <a href="https://${cdn}/page">To the parts</a><a href="https://${app}:8443/">Other port</a><a href="http://${app}/">Without encryption</a>
    <p onmouseover="location='${away}/over'"><button>Touch</button></p>`),
  "/next": html("<h1>Next</h1>"),
  "/r": to(`${away}/landed`),
  "/r-port": to(`https://${app}:8443/`),
  "/r-http": to(`http://${app}/`),
  "/r-meta": to("http://169.254.169.254/latest"),
  "/r-self": (_request, response) => response.writeHead(302, { location: `http://127.0.0.1:${stage.egress().port}/` }).end(),
  "/r-cdn": to(`https://${cdn}/back`),
  "/r-fine": to("/next"),
  "/loop": (request, response) => response.writeHead(302, { location: `/loop?${Number((request.url ?? "").split("?")[1] ?? 0) + 1}` }).end(),
  "/meta-refresh": html(`<meta http-equiv="refresh" content="0;url=${away}/refresh"><h1>Meta</h1>`),
  "/header-refresh": (_request, response) => page(response, html("<h1>Header</h1>"), { refresh: `0;url=${away}/refresh` }),
  "/fine-refresh": html(`<meta http-equiv="refresh" content="0;url=/next"><h1>Meta</h1>`),
  "/two-tries": html(`<h1>Two tries</h1><script>location='${away}/one';setTimeout(()=>{location='/next'},60)</script>`),
  "/scripts": (request, response) => {
    const by = (request.url ?? "").split("?")[1] ?? "";
    const buttons = Object.entries(scripts).map(([name, script]) => `<button onclick="${script}">${name}</button>`);
    page(response, html(`<h1>Scripts</h1>${buttons.join("")}<form name="js" action="${away}/js"></form><script>${scripts[by] ?? ""}</script>`));
  },
  "/tabs": html(`<h1>Tabs</h1><button onclick="window.open('${away}/popup')">open</button><a href="${away}/blank" target="_blank">blank</a>
    <a href="${away}/opener" target="_blank" rel="opener">opener</a><a href="/r" target="_blank">redirected</a>
    <button onclick="const w=window.open('about:blank');setTimeout(()=>{w.location='${away}/later'},100)">later</button>
    <form action="${away}/take" method="post" target="_blank"><input type="hidden" name="a" value="1"><button>form in a tab</button></form>
    <a href="/next" target="_blank">own tab</a>`),
  "/forms": html(`<h1>Forms</h1><form action="${away}/take" method="post"><input type="hidden" name="a" value="1"><button>post</button></form>
    <form action="${away}/take"><input type="hidden" name="a" value="1"><button>get</button></form>
    <form action="/taken"><button formaction="${away}/take">formaction</button></form>
    <form id="far" action="${away}/take" method="post"></form><button form="far">form elsewhere</button>
    <form id="js" action="${away}/take" method="post"></form><button onclick="document.getElementById('js').submit()">by script</button>
    <form action="${away}/take" method="post" target="inside"><button>into a frame</button></form><iframe name="inside"></iframe>
    <form action="/taken"><input type="hidden" name="a" value="1"><button>own</button></form>`),
  "/taken": html("<h1>Taken</h1>"),
  "/frames": html(`<h1>Frames</h1><iframe src="${away}/frame"></iframe><iframe srcdoc="<iframe src='${away}/nested'></iframe>"></iframe>
    <object data="${away}/object"></object><embed src="${away}/embed"><portal src="${away}/portal"></portal><fencedframe src="${away}/fenced"></fencedframe>
    <iframe src="https://${cdn}/part"></iframe><iframe src="/next"></iframe>`),
  "/poll": html(`<h1>Poll</h1><p id="p">on</p><script>setInterval(()=>fetch("/tick").catch(()=>{document.getElementById("p").textContent="off"}),400);
    const ws=new WebSocket("wss://${app}/live");ws.onopen=()=>setInterval(()=>ws.send("beat"),100)</script>`),
  "/tick": (_request, response) => response.end("tick"),
} satisfies Record<string, string | Answer>;

let stage: NetStage;
let session: BrowserSession;
const granted: readonly Destination[] = [grant(app), grant(cdn, { use: "subresource" }), grant(app, { scheme: "wss" })];

beforeAll(async () => {
  stage = await openNetStage({
    [app]: pages,
    [evil]: { "/": html("<h1>Evil</h1>") },
    [cdn]: { "/back": to(at("/")), "/page": html("<h1>Parts</h1>"), "/part": html("<p>A part</p>") },
  });
  session = await stage.launch({ destinations: granted });
}, 60_000);
beforeEach(() => stage.clear());
afterAll(() => stage.close());

/** The refusal an action ends with. */
async function refusalOf(work: Promise<unknown>): Promise<{ code: string; host: unknown; message: string }> {
  try {
    await work;
    return { code: "none", host: "", message: "" };
  } catch (error) {
    const { code, fields, message } = error as { code: string; fields?: Record<string, unknown>; message: string };
    return { code, host: fields?.["host"] ?? "", message };
  }
}

/** Nothing of evil was looked up, dialled or reached. */
function expectUntouched(): void {
  expect(stage.lookups.filter((name) => name.endsWith(evil))).toEqual([]);
  expect(stage.dialled.filter((place) => !place.startsWith("93.184.215.10:") && !place.startsWith("93.184.215.12:"))).toEqual([]);
  expect(stage.hitsOf(evil)).toEqual([]);
}

describe("a redirect", () => {
  it.each([
    ["HOP-01", "/r", "hop.host", evil],
    ["HOP-03", "/r-cdn", "hop.kind", cdn],
    ["HOP-04", "/r-port", "hop.port", app],
    ["HOP-04", "/r-http", "hop.scheme", app],
    ["HOP-05", "/r-meta", "dest.ip", "169.254.169.254"],
    ["HOP-05", "/r-self", "dest.ip", "127.0.0.1"],
  ])("%s: from %s ends with %s, and is no page", async (_row, path, code, host) => {
    await session.open(at("/"), never);
    stage.clear();
    expect(await refusalOf(session.open(at(path), never))).toMatchObject({ code, host });
    expect(stage.hitsOf(app)).toEqual([`GET ${path}`]);
    expect([stage.hitsOf(cdn), stage.dialled.filter((place) => place.endsWith(":80"))]).toEqual([[], []]);
    expectUntouched();
    expect((await session.view(never)).url).toBe(at("/"));
    expect((await session.open(at("/r-fine"), never)).page.heading).toBe("Next");
  });

  it("HOP-05: into our own proxy is refused even where the place is granted", async () => {
    const local: Destination = { scheme: "http", host: "127.0.0.1", port: stage.egress().port, use: "navigate", allowPrivate: true };
    session.setDestinations([...granted, local]);
    expect(await codeOf(session.open(at("/r-self"), never))).toBe("dest.self");
    session.setDestinations(granted);
  });

  it("HOP-08: in a circle ends with hop.limit", async () => {
    expect(await codeOf(session.open(at("/loop"), never))).toBe("hop.limit");
    expect(stage.hitsOf(app).length).toBeLessThanOrEqual(21);
    expect((await session.open(at("/"), never)).page.heading).toBe("App");
  });

  it("HOP-01: says which host it was not sent to", async () => {
    const { message } = await refusalOf(session.open(at("/r"), never));
    expect(message).toBe(`The site sent the browser on to ${evil}, which you have not granted, so nothing was sent there.`);
  });
});

describe("a page that goes elsewhere by itself", () => {
  it.each(["/meta-refresh", "/header-refresh"])("HOP-10: by %s is refused, and the model reads why", async (path) => {
    const refusal = await refusalOf(session.open(at(path), never));
    expect(refusal).toMatchObject({ code: "nav.page", host: evil });
    expect(refusal.message).toBe(`The page was to lead elsewhere and was kept where it is. You have not granted ${evil}, so it was not contacted.`);
    expect((await session.view(never)).url).toBe(at(path));
    expectUntouched();
    expect((await session.open(at("/fine-refresh"), never)).page.heading).toBe("Next");
  });

  it("HOP-10: is held where it is until the next action, also from places that are granted", async () => {
    expect(await codeOf(session.open(at("/two-tries"), never))).toBe("nav.page");
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await session.view(never)).url).toBe(at("/two-tries"));
    expect(stage.hitsOf(app)).toEqual(["GET /two-tries"]);
    expect((await session.open(at("/next"), never)).page.heading).toBe("Next");
  });

  it.each(Object.keys(scripts))("HOP-11: by %s is refused, and the page read is the one that is there", async (by) => {
    const code = by === "submit" ? "form.action" : "nav.page";
    const opening = codeOf(session.open(at(`/scripts?${by}`), never));
    if (by === "later") expect(await opening).toBe("none");
    expect(by === "later" ? await codeOf(session.wait(1_500, never)) : await opening).toBe(code);
    const { url, heading } = await session.view(never);
    expect([new URL(url).origin, heading]).toEqual([`https://${app}`, "Scripts"]);
    expectUntouched();
  });

  it("HOP-11: when it is touched is refused", async () => {
    await session.open(at("/"), never);
    expect(await codeOf(session.click({ role: "button", name: "Touch" }, never))).toBe("nav.page");
    expect((await session.view(never)).url).toBe(at("/"));
    expectUntouched();
  });

  it.each([
    ["Away", "nav.page", evil],
    ["Redirected away", "hop.host", evil],
    ["To the parts", "nav.page", cdn],
    ["Other port", "nav.page", app],
    ["Without encryption", "nav.page", app],
  ])("HOP-11: by the link %j is refused with %s, and the page goes on working", async (name, code, host) => {
    await session.open(at("/"), never);
    expect(await refusalOf(session.click({ role: "link", name }, never))).toMatchObject({ code, host });
    expectUntouched();
    expect((await session.view(never)).heading).toBe("App");
    expect((await session.click({ role: "link", name: "Next" }, never)).page.heading).toBe("Next");
  });

  it("is told to the model with its kind", async () => {
    await session.open(at("/"), never);
    const run = browserClick.run({ target: { role: "link", name: "Away" } }, { browser: async () => session, signal: never } as unknown as ToolContext);
    expect(await refusalOf(Promise.resolve(run))).toMatchObject({ code: "nav.page", host: evil });
  });
});

describe("a tab that leads elsewhere", () => {
  it.each([
    ["button", "open", "nav.page"],
    ["link", "blank", "nav.page"],
    ["link", "opener", "nav.page"],
    ["link", "redirected", "hop.host"],
    ["button", "later", "nav.page"],
    ["button", "form in a tab", "form.action"],
  ])("HOP-12: by the %s %j is refused before its first request, and closed", async (role, name, code) => {
    await session.open(at("/tabs"), never);
    expect(await refusalOf(session.click({ role, name }, never))).toMatchObject({ code, host: evil });
    expectUntouched();
    expect((await session.view(never)).heading).toBe("Tabs");
  });

  it("HOP-12: opens where it may", async () => {
    await session.open(at("/tabs"), never);
    expect((await session.click({ role: "link", name: "own tab" }, never)).page.heading).toBe("Next");
  });
});

describe("a form that sends elsewhere", () => {
  it.each(["post", "get", "formaction", "form elsewhere", "by script"])("HOP-13: %s is refused, and says that it was a form", async (name) => {
    await session.open(at("/forms"), never);
    const refusal = await refusalOf(session.click({ role: "button", name }, never));
    expect(refusal).toMatchObject({ code: "form.action", host: evil });
    expect(refusal.message).toContain("The form sends what it holds to another place");
    expectUntouched();
    expect((await session.click({ role: "button", name: "own" }, never)).page.heading).toBe("Taken");
  });

  it("HOP-13: into a frame is refused, and told beside the page", async () => {
    await session.open(at("/forms"), never);
    const { refused } = await session.click({ role: "button", name: "into a frame" }, never);
    expect(refused.map(({ code }) => code)).toEqual(["form.action"]);
    expectUntouched();
  });
});

describe("a frame from elsewhere", () => {
  it("HOP-14: stays empty, and the page and its own frames are there", async () => {
    const { page: view, refused } = await session.open(at("/frames"), never);
    expect(view.heading).toBe("Frames");
    expect(refused.map(({ code, host }: Refusal) => `${code} ${host}`)).toEqual([`dest.host ${evil}`]);
    expectUntouched();
    expect(stage.hitsOf(cdn)).toEqual(["GET /part"]);
    expect(stage.hitsOf(app)).toContain("GET /next");
  });
});

describe("a grant that is taken back", () => {
  it("HOP-18: ends what an open page asks for within a second, and its live connections", async () => {
    await session.open(at("/poll"), never);
    expect(await until(() => (stage.bodies.get(app) ?? "").length > 10)).toBe(true);
    session.setDestinations([]);
    const revokedAt = Date.now();
    expect(await until(() => stage.hitsOf(app).includes("CLOSED"))).toBe(true);
    expect(Date.now() - revokedAt).toBeLessThan(1_000);
    const before = stage.hitsOf(app).length;
    expect((await session.wait(600, never)).page.text).toContain("off");
    expect(stage.hitsOf(app).length).toBe(before);
    expect(await codeOf(session.open(at("/"), never))).toBe("grant.revoked");
    session.setDestinations(granted);
    expect((await session.open(at("/"), never)).page.heading).toBe("App");
  });
});

describe("a name", () => {
  it("DNS-01, DNS-02, DNS-05: that leads into a private network, to nothing or nowhere is not contacted", async () => {
    const answers: Record<string, readonly string[]> = { "two.test": ["93.184.215.10", "10.0.0.5"], "inner.test": ["127.0.0.1"], "none.test": [] };
    const own = await openNetStage({ [app]: pages }, { resolve: async (host) => answers[host] ?? Promise.reject(new Error("SERVFAIL")) });
    const names = [...Object.keys(answers), "failing.test"];
    const on = await own.launch({ destinations: names.map((name) => grant(name)) });
    const codes: string[] = [];
    for (const name of names) codes.push(await codeOf(on.open(`https://${name}/`, never)));
    expect(codes).toEqual(["dest.ip", "dest.ip", "dns.error", "dns.error"]);
    expect([own.dialled, own.hits]).toEqual([[], []]);
    await own.close();
  });
});

describe("a proxy that is gone", () => {
  it("DNS-08: ends the browser, which goes nowhere by itself, not even where it could", async () => {
    let hits = 0;
    const server = createServer((socket) => {
      hits += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const local = { scheme: "http", host: "127.0.0.1", port, use: "navigate", allowPrivate: true } as const;
    const start = createEgress();
    const own = await stage.launch({ destinations: [local, grant(app)] }, { startEgress: async (destinations) => (egress = await start(destinations)) });
    expect(await codeOf(own.open(`http://127.0.0.1:${port}/`, never))).toBe("browser.unreachable");
    expect(hits).toBeGreaterThan(0);
    const reached = hits;
    await egress.close();
    for (const url of [`http://127.0.0.1:${port}/`, at("/")]) expect(await codeOf(own.open(url, never))).toBe("proxy.down");
    expect(hits).toBe(reached);
    server.close();
  });

  it("DNS-08: while a page is open stops that page too", async () => {
    const own = await stage.launch({ destinations: granted });
    await own.open(at("/poll"), never);
    await stage.egress().close();
    stage.clear();
    expect(await codeOf(own.wait(2_000, never))).toBe("proxy.down");
    expect(await codeOf(own.view(never))).toBe("proxy.down");
    expect(stage.hits.filter((hit) => !hit.endsWith("CLOSED"))).toEqual([]);
  });
});

let egress: Awaited<ReturnType<ReturnType<typeof createEgress>>>;
