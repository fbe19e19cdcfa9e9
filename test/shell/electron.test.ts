import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { _electron, type ElectronApplication, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildApp, buildUtilityApp } from "./electron/build-app.ts";
import { display, standInElectron } from "./electron/stand-in.ts";

const electron = await standInElectron();
const screen = "binary" in electron ? await display() : null;
const missing = "missing" in electron ? electron.missing : screen === null ? "there is no display and no Xvfb" : null;
if (missing !== null) console.log(`The Electron shell is not tested here: ${missing}.`);

/** Needed by root alone, as in a container. */
const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

describe.skipIf(missing !== null)("the app", () => {
  let folder: string;
  let app: ElectronApplication;
  let page: Page;
  let elsewhere: Server;
  let hits = 0;

  const env = () => ({
    ...(process.env as Record<string, string>),
    DISPLAY: screen?.name ?? "",
    KNACK_HOME: join(folder, "data"),
    KNACK_CACHE: join(folder, "cache"),
  });
  const start = async () => {
    const args = [...asRoot, "--disable-gpu", join(folder, "app")];
    app = await _electron.launch({ executablePath: (electron as { binary: string }).binary, args, env: env(), timeout: 60_000 });
    page = await app.firstWindow();
  };
  /** Ports handed to the page so far, once there are `count`. */
  const handed = async (count: number) => {
    await page.waitForFunction((n) => window.knack?.handed.length >= n, count, { timeout: 30_000 });
    return page.evaluate(() => window.knack.handed);
  };
  const send = (text: string) =>
    page.evaluate(async (goal) => {
      const told: string[] = [];
      for await (const event of await window.knack.client!.chat.send({ text: goal })) told.push(event.type === "text-delta" ? event.text : event.type);
      return told;
    }, text);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "knack-app-"));
    elsewhere = createServer((_, response) => {
      hits++;
      response.end("elsewhere");
    }).listen(0, "127.0.0.1");
    await buildApp(join(folder, "app"));
    await start();
  });
  afterAll(async () => {
    const impatience = setTimeout(() => app?.process().kill("SIGKILL"), 5000);
    await app?.close();
    clearTimeout(impatience);
    elsewhere.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("hands the page one port, over which it speaks to the host", async () => {
    expect(await handed(1)).toEqual([{ type: "knack-port", restarted: null }]);
    expect(page.url()).toBe("knack://app/");
    expect(await send("count 3")).toEqual(["turn-started", "1 ", "2 ", "3 ", "turn-finished"]);
  });

  test("keeps the page in its sandbox", async () => {
    expect(await page.evaluate(() => [typeof (globalThis as { require?: unknown }).require, typeof (globalThis as { process?: unknown }).process])).toEqual([
      "undefined",
      "undefined",
    ]);
    const preferences = await app.evaluate(({ BrowserWindow }) =>
      (BrowserWindow.getAllWindows()[0]!.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> }).getLastWebPreferences(),
    );
    expect(preferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false });
  });

  test("goes nowhere, opens nothing, and reaches nothing but its page", async () => {
    const address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
    await page.evaluate(async (url) => {
      window.open(url);
      window.location.href = url;
      await new Promise((resolve) => setTimeout(resolve, 300));
      document.body.append(Object.assign(new Image(), { src: url }));
      document.body.append(Object.assign(document.createElement("iframe"), { src: url }));
      await fetch(url, { mode: "no-cors" }).catch(() => {});
      navigator.sendBeacon(url, "x");
      await new Promise((resolve) => setTimeout(resolve, 300));
    }, address);
    expect(hits).toBe(0);
    expect(app.windows()).toHaveLength(1);
    expect(page.url()).toBe("knack://app/");
  });

  test("reaches nothing either when the page's policy is not in the way", async () => {
    const address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
    const reached = await app.evaluate(async ({ net, session }, url) => {
      const ask = net.request({ url, session: session.defaultSession });
      return new Promise<boolean>((resolve) => {
        ask.on("response", () => resolve(true));
        ask.on("error", () => resolve(false));
        ask.end();
      });
    }, address);
    expect([reached, hits]).toEqual([false, 0]);
  });

  test("serves no file outside of the page's folder", async () => {
    const answers = await page.evaluate(() =>
      Promise.all(
        ["/%2e%2e/%2e%2e/package.json", "/..%2f..%2fpackage.json", "/../../package.json", "//other/index.html"].map((path) =>
          fetch(path).then(
            (answer) => answer.status,
            () => "refused",
          ),
        ),
      ),
    );
    expect(answers.every((answer) => answer === 404 || answer === "refused")).toBe(true);
  });

  test("grants no permission", async () => {
    const states = await page.evaluate(() =>
      Promise.all(
        (["geolocation", "notifications", "camera", "microphone"] as PermissionName[]).map(async (name) => (await navigator.permissions.query({ name })).state),
      ),
    );
    expect(states.every((state) => state !== "granted")).toBe(true);
    expect(
      await page.evaluate(() =>
        navigator.mediaDevices.getUserMedia({ audio: true }).then(
          () => "granted",
          () => "denied",
        ),
      ),
    ).toBe("denied");
  });

  test("gives a port to nobody but its page", async () => {
    const given = await app.evaluate(({ BrowserWindow, ipcMain }) => {
      const [window] = BrowserWindow.getAllWindows();
      const { webContents } = window!;
      const before: string[] = [];
      const post = webContents.postMessage;
      webContents.postMessage = (channel: string) => void before.push(channel);
      const ask = (event: object) => ipcMain.emit("knack:page-ready", { sender: webContents, ...event });
      ask({ senderFrame: { url: "https://evil.test/", parent: null } });
      ask({ senderFrame: { url: "knack://app.evil/", parent: null } });
      ask({ senderFrame: { url: "knack://app/", parent: {} } });
      ask({ senderFrame: null });
      ask({ sender: {}, senderFrame: { url: "knack://app/", parent: null } });
      webContents.postMessage = post;
      return before;
    });
    expect(given).toEqual([]);
  });

  test("opens a link where it leads within the page, and nothing else by it", async () => {
    const open = (link: string) => app.evaluate(({ app: running }, given) => void running.emit("second-instance", {}, ["knack", given]), link);
    await open("knack://skills/visitor-permit");
    await page.waitForURL("knack://app/#/skills/visitor-permit");
    await open("knack://app.evil/x");
    await open("https://evil.test/");
    await open("knack://settings/%2e%2e%2f..%2fx?do=it");
    await open("knack://alerts");
    await page.waitForURL("knack://app/#/alerts");
    expect(await send("count 1")).toEqual(["turn-started", "1 ", "turn-finished"]);
  });

  test("gives a reloaded page a port of its own", async () => {
    await page.reload();
    await handed(1);
    expect(await send("count 1")).toEqual(["turn-started", "1 ", "turn-finished"]);
  });

  test("starts a host that died again and says why, at most five times", async () => {
    for (let count = 1; count <= 5; count++) {
      await page.evaluate(() => void window.knack.client!.chat.send({ text: "quit" }).catch(() => {}));
      const restarted = (await handed(count + 1)).at(-1)?.restarted;
      expect(restarted).toMatchObject({ count, reason: "ended with code 7", lines: ["The agent of the tests quits."] });
    }
    expect(await send("count 1")).toEqual(["turn-started", "1 ", "turn-finished"]);

    await app.evaluate(({ dialog }) => {
      const asked = globalThis as { asked?: string };
      dialog.showMessageBox = (async (options: { message: string; detail: string }) => {
        asked.asked = `${options.message}\n${options.detail}`;
        return { response: 0, checkboxChecked: false };
      }) as typeof dialog.showMessageBox;
    });
    await page.evaluate(() => void window.knack.client!.chat.send({ text: "quit" }).catch(() => {}));
    await handed(7);
    const said = await app.evaluate(() => (globalThis as { asked?: string }).asked ?? "");
    expect(said).toContain("has ended 6 times");
    expect(said).toContain("The agent of the tests quits.");
  });

  test("lets its host put things away when it quits, and opens where it was left", async () => {
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.setBounds({ x: 60, y: 50, width: 700, height: 500 }));
    const said: string[] = [];
    app.process().stderr?.on("data", (chunk: Buffer) => said.push(chunk.toString()));
    await app.close();
    expect(said.join("")).toContain("The agent of the tests is closed.");
    const kept = join(folder, "data/app/window.json");
    expect(JSON.parse(await readFile(kept, "utf8"))).toMatchObject({ width: 700, height: 500, isMaximized: false });
    expect((await stat(kept)).mode & 0o077).toBe(0);
    expect((await stat(join(folder, "data"))).mode & 0o077).toBe(0);

    await start();
    await handed(1);
    expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getBounds())).toMatchObject({ width: 700, height: 500 });
  });

  // Last, since Playwright gives up a page that has crashed and holds the new one back.
  test("loads a page again whose process crashed", async () => {
    const isLoading = await app.evaluate(
      ({ BrowserWindow }) =>
        new Promise<boolean>((resolve) => {
          const { webContents } = BrowserWindow.getAllWindows()[0]!;
          webContents.once("did-start-loading", () => resolve(true));
          setTimeout(() => resolve(false), 5000);
          webContents.forcefullyCrashRenderer();
        }),
    );
    expect(isLoading).toBe(true);
  });
});

describe.skipIf(missing !== null)("the host as a utility process", () => {
  test("is handed the port itself, and puts things away when it is told to close", async () => {
    const folder = await mkdtemp(join(tmpdir(), "knack-utility-"));
    await buildUtilityApp(folder);
    const child = spawn((electron as { binary: string }).binary, [...asRoot, "--disable-gpu", `--user-data-dir=${join(folder, "user")}`, folder], {
      env: { ...process.env, DISPLAY: screen?.name },
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const impatience = setTimeout(() => child.kill("SIGKILL"), 60_000);
    await new Promise((resolve) => child.on("close", resolve));
    clearTimeout(impatience);
    await rm(folder, { recursive: true, force: true });
    expect(JSON.parse(said.match(/^SAID (.*)$/mu)?.[1] ?? JSON.stringify(said))).toEqual({
      told: ["turn-started", "1 ", "2 ", "turn-finished"],
      news: ["of the drift"],
      lines: ["The agent of the tests is closed."],
      ended: "ended with code 0",
    });
  });
});

afterAll(() => screen?.close());
