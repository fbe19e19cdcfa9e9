import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { BrowserWindow } from "#adapters/browser/browser-window.ts";
import { type ServedSites, serveSites } from "#adapters/sites/index.ts";
import { createAgent, type HostedAgent } from "#app/create-agent.ts";
import { descendantsOf, stillRunning } from "./processes.ts";
import type { ToldToShow } from "./showing-host.ts";
import { env, lacks, never, siteNamed } from "./stage.ts";

const { site, goal } = await siteNamed("portal");
const { text, show } = { show: [] as readonly (readonly string[])[], ...goal("reading-day") };

describe.skipIf(lacks("browser") !== null)("SHO-07: a showing that breaks off", () => {
  let folder: string;
  let served: ServedSites;
  let agent: HostedAgent | undefined;
  /** The windows that were opened, as the adapter has them. */
  const windows: BrowserWindow[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "knack-broken-"));
    served = await serveSites([site]);
    const { open } = BrowserWindow;
    vi.spyOn(BrowserWindow, "open").mockImplementation(async (...given) => {
      const window = await open(...given);
      windows.push(window);
      return window;
    });
  });
  afterEach(async () => {
    await agent?.close();
    agent = undefined;
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await served?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const dataFolder = (): string => join(folder, "data");
  async function opened(): Promise<HostedAgent> {
    agent = await createAgent({
      dataFolder: dataFolder(),
      cacheFolder: join(folder, "cache"),
      env: { ...process.env, ...env },
      maintenance: false,
      sites: { hosts: served.hosts, spki: served.spki },
    });
    return agent;
  }

  /** Starts a host that records, kills it once `lines` of the script were taken down; resolves when it is dead. */
  async function killedAfter(lines: number): Promise<readonly number[]> {
    const told: ToldToShow = {
      dataFolder: dataFolder(),
      cacheFolder: join(folder, "cache"),
      hosts: [...served.hosts],
      spki: served.spki,
      goal: text,
      script: show.slice(0, lines + 1),
    };
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "showing-host.ts"), JSON.stringify(told)], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said = { out: "", err: "" };
    child.stderr.on("data", (chunk: Buffer) => (said.err += chunk.toString()));
    const dead = new Promise<void>((resolve) => child.on("close", () => resolve()));
    await new Promise<void>((resolve) => {
      child.stdout.on("data", (chunk: Buffer) => {
        said.out += chunk.toString();
        if (said.out.split("\n").length > lines + 1) resolve();
      });
      child.on("close", () => resolve());
    });
    const started = descendantsOf(child.pid ?? 0);
    child.kill("SIGKILL");
    await dead;
    expect(child.signalCode, said.err).toBe("SIGKILL");
    return started;
  }

  it("with its host killed in the middle of typing is found as broken with every action, and can be finished", async () => {
    // Opened, two links, a list, and two fields: the last one was typed and nothing came after it.
    const started = await killedAfter(5);
    const host = await opened();
    const [left] = host.showings();
    expect(left).toMatchObject({ status: "broken", goal: text, skillId: null });
    expect(left?.actions.map(({ kind, target, value }) => [kind, target?.name ?? value])).toEqual([
      ["open", "https://portal.knack.test"],
      ["click", "Usage"],
      ["click", "Submit a reading"],
      ["select", "Meter"],
      ["fill", "Reading date"],
      ["fill", "Reading"],
    ]);
    expect(left?.actions.at(-1)?.value).toBe("48732");
    const draft = await host.finishShowing(left?.id ?? "");
    expect(draft.content.steps).toHaveLength(6);
    const { skill } = await host.confirmShowing(left?.id ?? "", "test");
    expect([skill.status, host.showings()[0]?.status]).toEqual(["provisional", "confirmed"]);
    await expect.poll(() => stillRunning(started, "none-has-this-mark"), { timeout: 15_000, interval: 200 }).toEqual([]);
  }, 120_000);

  it("with its host killed can be dropped, and then nothing of it is left and nothing was learned", async () => {
    await killedAfter(2);
    const host = await opened();
    const before = host.skills(true).length;
    const left = host.showings().find(({ status }) => status === "broken");
    await host.dropShowing(left?.id ?? "");
    expect(host.showings().find(({ id }) => id === left?.id)).toMatchObject({ status: "dropped", actions: [] });
    expect(host.skills(true)).toHaveLength(before);
  }, 120_000);

  it("is not called broken while its host lives", async () => {
    const host = await opened();
    const { id } = await host.startShowing(text, show[0]?.[1] ?? "");
    const other = await createAgent({ dataFolder: dataFolder(), cacheFolder: join(folder, "cache"), env: { ...process.env, ...env }, maintenance: false });
    expect(other.showings().find((showing) => showing.id === id)?.status).toBe("recording");
    await other.close();
    await host.dropShowing(id);
  }, 60_000);

  it.each<[string, (window: BrowserWindow) => Promise<unknown>]>([
    ["its window closed", (window) => window.page.close()],
    [
      "its page crashed",
      async (window) => {
        const client = await window.context.newCDPSession(window.page);
        // The answer never comes: the page is gone.
        void client.send("Page.crash").catch(() => undefined);
      },
    ],
  ])(
    "with %s keeps what was shown, frees the window, and can be finished",
    async (_what, breakOff) => {
      const host = await opened();
      const { id } = await host.startShowing(text, show[0]?.[1] ?? "");
      await host.showing.perform(id, show.slice(1, 4), never);
      await breakOff(windows.at(-1) as BrowserWindow);
      await host.showing.ended(id);
      await expect.poll(() => host.showings().find((showing) => showing.id === id)?.status, { timeout: 10_000 }).toBe("broken");
      const next = await host.startShowing(text, show[0]?.[1] ?? "");
      await host.dropShowing(next.id);
      expect((await host.finishShowing(id)).content.steps.map((step) => step.do)).toHaveLength(4);
      await host.dropShowing(id);
    },
    60_000,
  );
});
