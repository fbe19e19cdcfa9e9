import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { promisify } from "node:util";
import { constants, createGzip } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { processFolder } from "#app/process-folder.ts";
import type { BrowserSession } from "#core/ports/index.ts";
import { codeOf, html, never } from "../browser/stage.ts";
import { type Answer, browserProcesses, type NetStage, openNetStage, processes, until } from "./net-stage.ts";

const app = "app.test";
const at = (path: string): string => `https://${app}${path}`;
/** Much less than usual, so that each limit is met soon. */
const limits = { answerMs: 3_000, hangMs: 2_000, memoryBytes: 900 * 1024 ** 2, nodes: 60_000 };

/** Writes the same again and again for as long as somebody takes it. */
function pour(response: ServerResponse, chunk: Buffer | string): void {
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more);
  more();
}

const button = (name: string, script: string): string => `<button onclick="${script}">${name}</button>`;
const pages: Readonly<Record<string, string | Answer>> = {
  "/": html("<h1>App</h1>"),
  "/silent": () => undefined,
  "/drip": (_request, response) => {
    const timer = setInterval(() => response.socket?.write("H"), 1_000);
    response.socket?.once("close", () => clearInterval(timer));
  },
  "/head-only": (_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.flushHeaders();
  },
  "/drip-body": (_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).write("<!doctype html><title>Drip</title><h1>Dripping</h1>".padEnd(2_000));
    const timer = setInterval(() => response.write("."), 1_000);
    response.once("close", () => clearInterval(timer));
  },
  "/endless": (_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    pour(response, `<!-- ${"x".repeat(65_000)} -->`);
  },
  "/endless-part": html(`<h1>Part</h1><script>fetch("/endless").then(r=>r.arrayBuffer())</script>`),
  "/bomb": (_request, response) => {
    response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" });
    const pack = createGzip({ level: 9, flush: constants.Z_SYNC_FLUSH });
    pack.pipe(response);
    response.once("close", () => pack.destroy());
    const zeros = Buffer.alloc(1024 ** 2, "<b>");
    let left = 4_096;
    const more = (): void => {
      while (left > 0 && !pack.destroyed) {
        left -= 1;
        if (!pack.write(zeros)) return void pack.once("drain", more);
      }
      pack.end();
    };
    more();
  },
  "/hang": html("<h1>Hang</h1><script>while(true);</script>"),
  "/hang-later": html(`<h1>Later</h1>${button("Spin", "while(true);")}${button("Fine", "document.title='fine'")}`),
  "/hang-in-getter": html(`<h1>Getter</h1><script>
    for(const [p,n] of [[Document.prototype,"title"],[Node.prototype,"childNodes"],[Node.prototype,"textContent"],[Element.prototype,"attributes"],[HTMLElement.prototype,"innerText"]])
      Object.defineProperty(p,n,{get(){while(true);}});
    Element.prototype.getAttribute=Element.prototype.getBoundingClientRect=()=>{while(true);};</script>`),
  "/hang-soon": html(`<h1>Soon</h1><script>setTimeout(()=>{while(true);},1500)</script>`),
  "/tabs": html(
    `<h1>Tabs</h1>${button("Many", "for(let i=0;i<1000;i++)window.open('/tabs-more?'+i)")}${button("Quiet", "for(let i=0;i<1000;i++)window.open('/tabs-more','_blank','noopener')")}`,
  ),
  "/tabs-more": html(
    `<h1>More</h1><script>for(let i=0;i<20;i++){window.open(location.href);const a=document.createElement("a");a.href=location.href;a.target="_blank";document.body.append(a);a.click()}</script>`,
  ),
  "/reload": html("<h1>Reload</h1><script>location.reload()</script>"),
  "/refresh": html('<meta http-equiv="refresh" content="0"><h1>Refresh</h1>'),
  "/round": html(`<h1>Round</h1><script>location.replace("/round?"+Math.random())</script>`),
  "/states": html(`<h1>States</h1><script>let n=0;setInterval(()=>{for(let i=0;i<20;i++)history.pushState({},"","/state/"+n++)},5)</script>`),
  "/hashes": html(`<h1>Hashes</h1><script>let n=0;setInterval(()=>{for(let i=0;i<20;i++)location.hash="h"+n++},5)</script>`),
  "/steps": html(
    `<h1>Steps</h1><script>const n=Number(location.search.slice(1)||0);if(n<6)location.replace("/steps?"+(n+1));for(let i=0;i<20;i++)history.replaceState({},"",location.href)</script>`,
  ),
  "/array": html(
    `<h1>Array</h1>${button("Go", "setTimeout(()=>{const all=[];setInterval(()=>{for(let i=0;i<8;i++)all.push(new Float64Array(2e6).fill(i))},10)})")}`,
  ),
  "/objects": html(`<h1>Objects</h1><script>const all=[];setInterval(()=>{for(let i=0;i<1e5;i++)all.push({i,a:[i,i,i,i]})},10)</script>`),
  "/one-array": html("<h1>One</h1><script>Array(1e9).fill({})</script>"),
  "/wasm": html(
    `<h1>Wasm</h1><script>const m=new WebAssembly.Memory({initial:1,maximum:65536});setInterval(()=>{const at=m.buffer.byteLength;try{m.grow(800)}catch{};new Uint8Array(m.buffer,at).fill(7)},20)</script>`,
  ),
  "/canvas": html(
    `<h1>Canvas</h1><script>const all=[];setInterval(()=>{const c=document.createElement("canvas");c.width=c.height=8000;const x=c.getContext("2d",{willReadFrequently:true});x.fillStyle="red";x.fillRect(0,0,8000,8000);all.push(c)},20)</script>`,
  ),
  "/textures": html(`<h1>Textures</h1><script>const all=[];setInterval(()=>{const g=document.createElement("canvas").getContext("webgl");if(!g)return;
    for(let i=0;i<8;i++){const t=g.createTexture();g.bindTexture(g.TEXTURE_2D,t);g.texImage2D(g.TEXTURE_2D,0,g.RGBA,4096,4096,0,g.RGBA,g.UNSIGNED_BYTE,new Uint8Array(67108864).fill(9));all.push([g,t])}},20)</script>`),
  "/workers": html(`<h1>Workers</h1><script>for(let i=0;i<200;i++)new Worker("/worker.js")</script>`),
  "/worker.js": (_request, response) =>
    response.writeHead(200, { "content-type": "text/javascript" }).end("const all=[];setInterval(()=>{all.push(new Uint8Array(4e6).fill(1))},20)"),
  "/nodes": html(
    `<h1>Nodes</h1><script>const d=document.createElement("div");for(let i=0;i<50000;i++)d.append(document.createElement("b"),"x");document.body.append(d)</script>`,
  ),
  "/big": html(
    `<h1>Big</h1><script>const d=document.createElement("div");for(let i=0;i<5000;i++)d.append("x",document.createElement("b"));document.body.append(d);window.kept=new Uint8Array(1e8).fill(1)</script>`,
  ),
};

let stage: NetStage;
let session: BrowserSession;

beforeAll(async () => {
  stage = await openNetStage({ [app]: pages }, { caps: { bytesReceived: 24 * 1024 ** 2 } });
  session = await stage.launch({}, { limits });
}, 60_000);
afterAll(() => stage.close());
afterEach(async () => {
  // Whatever it was, the next page works, in this browser or in the one that took its place.
  expect((await session.open(at("/"), never)).page.heading).toBe("App");
});

describe("a site that takes its time", () => {
  it.each([
    ["/silent", "App"],
    ["/drip", "App"],
    ["/head-only", ""],
  ])("RES-01: %s ends within its time, and %j is what there is to read", async (path, heading) => {
    await session.open(at("/"), never);
    const start = performance.now();
    expect(await codeOf(session.open(at(path), never))).toBe("browser.timeout");
    expect(performance.now() - start).toBeLessThan(limits.answerMs + 3_000);
    expect((await session.view(never)).heading).toBe(heading);
  });

  it("RES-01: /drip-body is read as far as it came", async () => {
    expect((await session.open(at("/drip-body"), never)).page.heading).toBe("Dripping");
  });
});

describe("a site that sends without end", () => {
  it.each(["/endless", "/endless-part"])("RES-02: %s ends at the proxy's cap, and the host takes none of it in", async (path) => {
    const own = await stage.launch({}, { limits });
    const before = process.memoryUsage().rss;
    expect(await codeOf(own.open(at(path), never))).toBe("stop.bytes");
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2);
    const received = stage.egress().decisions.reduce((sum, each) => sum + each.received, 0);
    expect(received).toBeLessThan(26 * 1024 ** 2);
    await own.close();
  });

  it("RES-02: a few bytes that unpack to gigabytes end as well", async () => {
    const own = await stage.launch({}, { limits });
    const before = process.memoryUsage().rss;
    expect(await codeOf(own.open(at("/bomb"), never))).toMatch(/^stop\.(?:nodes|memory|hang|bytes)$/u);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 ** 2);
    await own.close();
  });
});

describe("a page that hangs", () => {
  async function renderersAtWork(): Promise<number> {
    const all = await browserProcesses(stage.egress().port);
    return all.filter(({ args }) => args.includes("--type=renderer")).length;
  }

  it("RES-04: on load is closed", async () => {
    const start = performance.now();
    expect(await codeOf(session.open(at("/hang"), never))).toBe("stop.hang");
    expect(performance.now() - start).toBeLessThan(limits.hangMs + 5_000);
  });

  it("RES-04: on a click is closed, and its process is gone", async () => {
    await session.open(at("/hang-later"), never);
    expect(await codeOf(session.click({ role: "button", name: "Spin" }, never))).toBe("stop.hang");
    if (process.platform === "linux") expect(await until(async () => (await renderersAtWork()) <= 2)).toBe(true);
    await session.open(at("/hang-later"), never);
    expect((await session.click({ role: "button", name: "Fine" }, never)).page.title).toBe("fine");
  });

  it("RES-04: when it is read is closed, or is read without running what it set up", async () => {
    const code = await codeOf(session.open(at("/hang-in-getter"), never));
    expect(["none", "stop.hang"]).toContain(code);
  });

  it("RES-04: between two actions is closed at the next", async () => {
    await session.open(at("/hang-soon"), never);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await codeOf(session.view(never))).toBe("stop.hang");
  });
});

describe("a page that opens tabs", () => {
  it.each(["Many", "Quiet"])("RES-06: a thousand by one click (%s) get one at most", async (name) => {
    await session.open(at("/tabs"), never);
    const before = stage.hits.length;
    const outcome = await session.click({ role: "button", name }, never);
    expect(["Tabs", "More"]).toContain(outcome.page.heading);
    expect(stage.hits.length - before).toBeLessThanOrEqual(2);
  });

  it("RES-06: more than an action may open end the browser", async () => {
    const own = await stage.launch({}, { limits: { ...limits, popups: 0 } });
    await own.open(at("/tabs"), never);
    expect(await codeOf(own.click({ role: "button", name: "Many" }, never))).toBe("stop.popup");
    expect((await own.open(at("/"), never)).page.heading).toBe("App");
    await own.close();
  });
});

describe("a page that never stays", () => {
  it.each(["/reload", "/refresh", "/round", "/states", "/hashes"])("RES-10: %s ends with nav.limit", async (path) => {
    stage.clear();
    const code = await codeOf(session.open(at(path), never));
    expect(code === "none" ? await codeOf(session.wait(2_000, never)) : code).toBe("nav.limit");
    expect(stage.hitsOf(app).length).toBeLessThanOrEqual(23);
  });

  it("RES-10: one that moves on a few times arrives", async () => {
    expect((await session.open(at("/steps"), never)).page.url).toBe(at("/steps?6"));
  });
});

describe("a page that asks for more than there is", () => {
  it.each(["/one-array", "/textures"])("RES-08: %s does not get it, and the host answers all the while", async (path) => {
    const delay = monitorEventLoopDelay({ resolution: 20 });
    delay.enable();
    let code = await codeOf(session.open(at(path), never));
    for (let tries = 0; code === "none" && tries < 3; tries += 1) code = await codeOf(session.wait(1_000, never));
    delay.disable();
    expect(code).toMatch(/^(?:none|stop\.memory|stop\.hang|browser\.crashed|browser\.timeout)$/u);
    expect(delay.max / 1e6).toBeLessThan(1_000);
  });
});

describe("a page that takes much", () => {
  // On a machine that is busy such a page is slow before it is large.
  beforeAll(async () => {
    session = await stage.launch({}, { limits: { ...limits, hangMs: 15_000, answerMs: 15_000 } });
  });

  it("a page of more parts than are read of one says so, and a large one is read", async () => {
    expect(await codeOf(session.open(at("/nodes"), never))).toBe("stop.nodes");
    expect((await session.open(at("/big"), never)).page.heading).toBe("Big");
  });

  it.each(["/array", "/objects", "/wasm", "/canvas", "/workers"])(
    "RES-08: %s is stopped, and the host answers all the while",
    async (path) => {
      const delay = monitorEventLoopDelay({ resolution: 20 });
      delay.enable();
      let code = await codeOf(session.open(at(path), never));
      if (path === "/array" && code === "none") code = await codeOf(session.click({ role: "button", name: "Go" }, never));
      for (let tries = 0; code === "none" && tries < 8; tries += 1) code = await codeOf(session.wait(1_000, never));
      delay.disable();
      expect(code).toBe("stop.memory");
      expect(delay.max / 1e6).toBeLessThan(1_000);
    },
    60_000,
  );
});

describe.skipIf(process.platform !== "linux")("a process that ends", () => {
  const run = promisify(execFile);

  it("RES-11: of a page is an error, and the next page opens in a fresh one", async () => {
    const own = await stage.launch({}, { limits });
    await own.open(at("/hang-later"), never);
    const renderers = (await browserProcesses(stage.egress().port)).filter(({ args }) => args.includes("--type=renderer"));
    for (const { pid } of renderers) process.kill(pid, "SIGKILL");
    expect(await codeOf(own.click({ role: "button", name: "Fine" }, never))).toBe("browser.crashed");
    expect((await own.open(at("/"), never)).page.heading).toBe("App");
    await own.close();
  });

  it("RES-11: of the browser itself is an error, and the next page opens in a fresh one", async () => {
    const own = await stage.launch({}, { limits });
    await own.open(at("/hang-later"), never);
    const [main] = await browserProcesses(stage.egress().port);
    process.kill(main?.pid ?? 0, "SIGKILL");
    expect(await codeOf(own.click({ role: "button", name: "Fine" }, never))).toBe("browser.crashed");
    expect((await own.open(at("/"), never)).page.heading).toBe("App");
    await own.close();
  });

  it("RES-13: leaves no browser and no proxy when the host is killed, and the next start clears its folder", async () => {
    const parent = await mkdtemp(join(tmpdir(), "knack-killed-"));
    const script = new URL("./killed-host.ts", import.meta.url).pathname;
    const { stdout } = await run(process.execPath, [script, parent]).catch((error: { stdout: string }) => error);
    const { port, pid } = JSON.parse(stdout) as { port: number; pid: number };
    expect(port).toBeGreaterThan(0);
    expect(await until(async () => (await browserProcesses(port)).length === 0)).toBe(true);
    const named = async () => (await processes()).filter(({ args }) => args.some((each) => each.includes(parent)));
    expect(await until(async () => (await named()).length === 0)).toBe(true);
    expect(readdirSync(join(parent, String(pid))).length).toBeGreaterThan(0);
    expect(processFolder(parent)).toBe(join(parent, String(process.pid)));
    expect(existsSync(join(parent, String(pid)))).toBe(false);
    await rm(parent, { recursive: true });
  });
});
