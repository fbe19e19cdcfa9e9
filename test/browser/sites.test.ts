import { existsSync, readdirSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/**
 * Every goal of every site is done by a real browser, by the goal's own `show`, and judged by its own `done`.
 * The sites are served over plain http on loopback: this is about the sites, the way out has its own tests.
 */

interface Evidence {
  readonly log: readonly unknown[];
  readonly downloads: readonly string[];
  readonly reply: string;
}

interface Goal {
  readonly id: string;
  readonly text: string;
  readonly hint: string;
  readonly show: readonly (readonly string[])[];
  readonly done: (evidence: Evidence) => boolean;
}

interface Site {
  readonly name: string;
  readonly host: string;
  readonly start: () => { readonly log: readonly unknown[]; readonly fetch: (request: Request) => Promise<Response> };
  readonly goals: readonly Goal[];
  /** Of a site behind a login. */
  readonly account?: { readonly entry: string; readonly example: Readonly<Record<string, string>> };
}

/** Where the answer to a question stands once its `show` has been done: the row or paragraph with this text. */
const answers: Record<string, string | RegExp> = {
  "bins-mill": "Garden waste",
  "bins-castle": "Recycling",
  "bins-quay": "General waste",
  ...Object.fromEntries(["2041", "2014", "3120", "1998", "4410", "2077", "2140"].map((number) => [`arrival-${number}`, "Expected arrival"])),
  ...Object.fromEntries(["58290", "58144", "58031"].map((number) => [`total-${number}`, /^Total/])),
  "notice-gala": "The gala is",
  "notice-concert": "the recorders play",
  "notice-museum": "The coach leaves",
  "notice-photographs": "The photographer comes",
  "notice-sports": "We run, jump and throw",
  "notice-cakes": "sells cakes",
  "notice-evening": "Teachers are in their rooms",
};

const folder = join(import.meta.dirname, "../fixtures/sites");
const sites: Site[] = [];
for (const file of readdirSync(folder).filter((name) => name.endsWith(".mjs"))) {
  sites.push(((await import(pathToFileURL(join(folder, file)).href)) as { default: Site }).default);
}

function kindOf(goal: Goal): string {
  return goal.id.slice(0, goal.id.lastIndexOf("-"));
}

describe("the sites as they are written down", () => {
  test("there are nine, each with its own name and host", () => {
    expect(sites.length).toBeGreaterThanOrEqual(9);
    expect(new Set(sites.map((site) => site.name)).size).toBe(sites.length);
    expect(new Set(sites.map((site) => site.host)).size).toBe(sites.length);
    for (const site of sites) expect(site.host).toBe(`${site.name}.knack.test`);
  });

  test("no two goals share an id or a text, and no kind spans two sites", () => {
    const goals = sites.flatMap((site) => site.goals);
    expect(new Set(goals.map((goal) => goal.id)).size).toBe(goals.length);
    expect(new Set(goals.map((goal) => goal.text)).size).toBe(goals.length);
    const kinds = sites.flatMap((site) => [...new Set(site.goals.map(kindOf))]);
    expect(new Set(kinds).size).toBe(kinds.length);
  });

  test.each(sites)("$name has one kind of seven goals and one of three, or behind a login one of six, each naming the site's address", (site) => {
    const sizes = new Map<string, number>();
    for (const goal of site.goals) sizes.set(kindOf(goal), (sizes.get(kindOf(goal)) ?? 0) + 1);
    expect([...sizes.values()].sort()).toEqual(site.account === undefined ? [3, 7] : [6]);
    for (const goal of site.goals) {
      expect(goal.text).toContain(`https://${site.host}`);
      expect(goal.hint).not.toBe("");
      expect(goal.show[0]).toEqual(["open", `https://${site.host}`]);
      expect(goal.done({ log: [], downloads: [], reply: "" }), goal.id).toBe(false);
    }
  });

  test.each(sites)("$name loads nothing from elsewhere and says so when it has no such page", async (site) => {
    const { fetch } = site.start();
    const start = await fetch(new Request(`https://${site.host}/`));
    expect(start.status).toBe(200);
    expect(await start.text()).not.toMatch(/(?:src|href|action)="(?:https?:)?\/\//);
    expect((await fetch(new Request(`https://${site.host}/no/such/page`))).status).toBe(404);
  });

  test.each(sites)("$name has no link that leads nowhere", async (site) => {
    const { fetch } = site.start();
    const seen = new Set<string>();
    const ahead = ["/"];
    for (let path = ahead.pop(); path !== undefined; path = ahead.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const response = await fetch(new Request(`https://${site.host}${path}`));
      expect(response.status, path).toBeLessThan(400);
      if (!response.headers.get("content-type")?.startsWith("text/html")) continue;
      const text = await response.text();
      for (const [, link] of text.matchAll(/href="(\/[^"]*)"/g)) ahead.push(link!.replaceAll("&amp;", "&"));
    }
    // Of a site behind a login this sees what is before it.
    expect(seen.size).toBeGreaterThan(site.account === undefined ? 15 : 4);
  });
});

/** Forms that check what they are given, and a page the form is on. */
const forms: [site: string, path: string][] = [
  ["portal", "/usage/reading"],
  ["council", "/residents/parking/visitors/apply"],
  ["library", "/catalogue/the-glass-ferry/reserve"],
  ["parcels", "/receive/KX-2041/change"],
  ["timesheet", "/timesheet/entries/add"],
  ["shop", "/account/orders/58213/return"],
  ["school", "/parents/absence"],
  ["board", "/mine/post"],
];

test.each(forms)("%s sends an empty form at %s back with what is wrong, and keeps nothing", async (name, path) => {
  const site = sites.find((entry) => entry.name === name)!;
  const state = site.start();
  const response = await state.fetch(new Request(`https://${site.host}${path}`, { method: "POST", body: new URLSearchParams() }));
  expect(response.status).toBe(422);
  const text = await response.text();
  expect(text).toContain("There is a problem");
  expect(text).toContain('class="error"');
  expect(state.log).toEqual([]);
});

describe("what a reply is taken to say", async () => {
  const judge = (await import(pathToFileURL(join(folder, "support/judge.mjs")).href)) as Record<
    "says" | "saysDay" | "saysAmount",
    (reply: string, fact: string) => boolean
  >;

  test.each(["12 March 2027", "Friday, March 12, 2027", "the 12th of March", "2027-03-12", "12/3/2027", "12.03.2027", "12 Mar"])(
    "%s is 12 March 2027",
    (reply) => {
      expect(judge.saysDay(`It comes on ${reply}.`, "2027-03-12")).toBe(true);
    },
  );

  test.each(["2 March 2027", "12 March 2026", "12 May 2027", "March 1", "2027-03-11", "112/3/2027", "12"])("%s is not", (reply) => {
    expect(judge.saysDay(`It comes on ${reply}.`, "2027-03-12")).toBe(false);
  });

  test("an amount is not found within another amount", () => {
    expect(judge.saysAmount("It came to £17.90.", "17.90")).toBe(true);
    expect(judge.saysAmount("It came to £1,217.90 or 17.901", "17.90")).toBe(false);
    expect(judge.saysAmount("It came to 117.90", "17.90")).toBe(false);
  });
});

describe("the sites in a browser", () => {
  let server: Server;
  let browser: Browser;
  const running = new Map<string, ReturnType<Site["start"]>>();

  beforeAll(async () => {
    server = createServer(async (incoming, outgoing) => {
      const host = incoming.headers.host ?? "";
      const body: Buffer[] = [];
      for await (const chunk of incoming) body.push(chunk as Buffer);
      const headers = new Headers({ "content-type": incoming.headers["content-type"] ?? "", cookie: incoming.headers.cookie ?? "" });
      const init = { method: incoming.method ?? "GET", headers, ...(body.length > 0 ? { body: new Uint8Array(Buffer.concat(body)) } : {}) };
      const response = await running.get(host)?.fetch(new Request(`https://${host}${incoming.url}`, init));
      outgoing.writeHead(response?.status ?? 502, Object.fromEntries(response?.headers ?? []));
      outgoing.end(response ? new Uint8Array(await response.arrayBuffer()) : "");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const port = (server.address() as AddressInfo).port;
    browser = await chromium.launch({
      executablePath: installedBrowser(),
      args: [`--host-resolver-rules=MAP *.knack.test 127.0.0.1:${port}`, ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
    });
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  });

  for (const site of sites) {
    describe(site.name, () => {
      // One page for all goals of a site: a site keeps nothing in the browser, so a fresh start of the site is a fresh start.
      let page: Page;
      let downloads: string[] = [];

      beforeAll(async () => {
        page = await (await browser.newContext({ acceptDownloads: true })).newPage();
        page.setDefaultTimeout(15_000);
        page.on("download", (download) => downloads.push(download.suggestedFilename()));
      });

      afterAll(async () => {
        await page?.context().close();
      });

      test.each(site.goals)("$id is done by its show and by no other goal's", { timeout: 60_000 }, async (goal) => {
        const state = site.start();
        running.set(site.host, state);
        downloads = [];
        const answer = answers[goal.id];
        const before = { log: state.log, downloads, reply: "" };
        expect(goal.done(before)).toBe(false);
        for (const action of goal.show) await perform(page, action);
        // biome-ignore lint/performance/useDomNodeTextContent: an answer is read as it stands on the screen.
        const reply = answer === undefined ? "" : await page.locator("main :is(tr, p, li, dl > div)").filter({ hasText: answer }).first().innerText();
        await expect.poll(() => goal.done({ log: state.log, downloads, reply }), { timeout: 15_000 }).toBe(true);
        for (const other of site.goals.filter((entry) => entry !== goal)) {
          expect(other.done({ log: state.log, downloads, reply }), `${other.id} after ${goal.id}`).toBe(false);
        }
      });
    });
  }
});

/** One action of a `show`. Where several elements have the name, the first in the document is meant. */
async function perform(page: Page, [kind, first, second]: readonly string[]): Promise<void> {
  if (kind === "open") await page.goto(first!.replace("https:", "http:"));
  else if (kind === "click")
    await page
      .getByRole(first as "link", { name: second!, exact: true })
      .first()
      .click();
  else if (kind === "fill") await page.getByLabel(first!, { exact: true }).first().fill(second!);
  else if (kind === "select") await page.getByRole("combobox", { name: first!, exact: true }).first().selectOption({ label: second! });
  else throw new Error(`no such action: ${kind}`);
}

function installedBrowser(): string {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"];
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/bin", "/usr/local/bin", "/snap/bin"];
  const usual = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"];
  const found = [...folders.flatMap((place) => names.map((name) => join(place, name))), ...usual].find((path) => existsSync(path));
  if (found === undefined) throw new Error("No Chromium, Chrome or Edge was found; install one to run the browser tests.");
  return found;
}
