import { chromium } from "playwright-core";
import { expect, it } from "vitest";
import { findBrowser } from "#adapters/browser/index.ts";
import { loginLinkOf } from "#adapters/browser/login-link.ts";
import type { LoginLook } from "#adapters/browser/login-script.ts";
import { canaries } from "../fixtures/makers/vault.ts";

/** Documents that go elsewhere at once, so often. */
const frames = 25;
const rounds = 40;
const app = "https://app.test";
const form = (script: string): string =>
  `<!doctype html><form method="post" action="/in"><input name="user" autocomplete="username"><input type="password" name="pass"><button>Go</button></form><script>${script}</script>`;
/** Says once over its own line that it was given something. */
const telling = `let told = false; const tell = () => { if (!told && [...document.querySelectorAll("input")].some((field) => field.value)) { told = true; new Image().src = "/got"; } };
  document.addEventListener("input", tell, true); setInterval(tell, 25);`;

/**
 * A document goes to another site in the moment of filling in, a thousand times: what was looked at was https://app.test. The network is answered by the test
 * itself, so that a try takes milliseconds; the documents, their processes and the way values go in are real.
 */
it("CRED-11: a page that goes elsewhere between the look and the filling in never gets a value there", { timeout: 240_000 }, async () => {
  const browser = await chromium.launch({ executablePath: findBrowser() ?? "", args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
  const got: Record<string, number> = { "app.test": 0, "evil.test": 0 };
  const ends: Record<string, number> = {};
  const next: (() => void)[] = [];
  let patience = 0;
  try {
    const context = await browser.newContext();
    await context.route("**", async (route) => {
      const { hostname, pathname } = new URL(route.request().url());
      if (pathname === "/got") got[hostname] = (got[hostname] ?? 0) + 1;
      const around = `<!doctype html>${Array.from({ length: frames }, () => '<iframe src="/form" width="300" height="60"></iframe>').join("")}`;
      await route.fulfill({ contentType: "text/html", body: pathname === "/got" ? "" : pathname === "/around" ? around : form(telling) });
      if (hostname === "evil.test" && pathname === "/form") next.shift()?.();
    });
    const values = { username: canaries.user, password: canaries.password };
    const page = await context.newPage();
    for (let round = 0; round < rounds; round += 1) {
      await page.goto(`${app}/around`, { waitUntil: "load" });
      const documents = (await (await loginLinkOf(page)).documents()).filter(({ isMain }) => !isMain);
      const looks = await Promise.all(documents.map((document) => document.call("look", {}, ["username", "password"])));
      expect(looks.filter((look) => (JSON.parse(look) as LoginLook).problem === null).length).toBe(frames);
      const filled = documents.map(async (document) => {
        await new Promise<void>((resolve) => void next.push(resolve));
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, patience)));
        const end = await document.call("fill", values, [app]).catch(() => "gone");
        // Later where it was early, and earlier where it was late: so most of them are about the moment in which the document changes.
        patience += end === "" ? 4 : -4;
        ends[end || "filled in"] = (ends[end || "filled in"] ?? 0) + 1;
      });
      await page.evaluate("for (const frame of document.querySelectorAll('iframe')) frame.src = 'https://evil.test/form'");
      await Promise.all(filled);
    }
    // What reached the wrong place would be told within its first millisecond.
    await new Promise((resolve) => setTimeout(resolve, 200));
  } finally {
    await browser.close();
  }
  const tries = frames * rounds;
  console.info(`${tries} tries:`, JSON.stringify({ ends, got }));
  expect(got["evil.test"]).toBe(0);
  // Both ways of the race were taken, and where it was won the value was there.
  expect([ends["filled in"] ?? 0, tries - (ends["filled in"] ?? 0)].every((count) => count > 20)).toBe(true);
  expect(got["app.test"]).toBeGreaterThan(0);
});
