import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findBrowser } from "#adapters/browser/index.ts";
import { cacheFolder, env, lacks } from "./stage.ts";

const main = join(import.meta.dirname, "../../src-main/shells/web/main.ts");
const question = "Do not open anything, just reply. Name three fruits in a sentence of ten words or more.";
/** A conversation is called by the beginning of its first message. */
const title = /^Do not open anything, just reply\. Name three fruits/u;

describe.skipIf(lacks("chat", "embedder", "browser") !== null)("a chat in the web shell, on the real model", () => {
  let folder: string;
  let shell: ChildProcess;
  let browser: Browser;
  let page: Page;
  const said = { out: "", err: "" };
  const wrong: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "knack-web-chat-"));
    shell = spawn(process.execPath, [main], { env: { ...process.env, ...env, KNACK_HOME: join(folder, "home"), KNACK_CACHE: cacheFolder } });
    shell.stdout?.on("data", (chunk: Buffer) => (said.out += chunk.toString()));
    shell.stderr?.on("data", (chunk: Buffer) => (said.err += chunk.toString()));
    browser = await chromium.launch({ executablePath: findBrowser() ?? "", chromiumSandbox: process.getuid?.() !== 0 });
    page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    page.on("pageerror", (error) => wrong.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") wrong.push(message.text());
    });
    await page.goto(await address());
  });
  afterAll(async () => {
    await browser?.close();
    if (shell !== undefined && shell.exitCode === null) {
      const ended = new Promise((resolve) => shell.on("close", resolve));
      shell.kill("SIGTERM");
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  });

  it("sends a message, shows the answer while it is written, takes the user's word on it, and lists the conversation", async () => {
    await page.getByRole("textbox", { name: "Message" }).fill(question);
    await page.evaluate(listen);
    await page.getByRole("button", { name: "Send" }).click();
    const turn = page.getByRole("article", { name: question });
    await turn.waitFor({ timeout: 30_000 });
    await page.locator('article[aria-busy="false"]').waitFor({ timeout: 100_000 });

    const lengths = await page.evaluate(() => (window as unknown as { knackLengths: number[] }).knackLengths);
    expect(lengths.length, "the answer came in one piece").toBeGreaterThan(2);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(await turn.textContent()).toMatch(/apple|banana|orange|pear|grape|mango|cherr|berr/iu);

    await turn.getByRole("button", { name: "That worked" }).click();
    await turn.getByText("Counted as success").waitFor();
    expect(await turn.getByRole("button", { name: "That worked" }).getAttribute("aria-pressed")).toBe("true");
    await page.getByRole("region", { name: "Conversations" }).getByRole("link", { name: title }).waitFor();
    await picture("after the answer");
    expect(wrong).toEqual([]);
  });

  it("has it all again after the page is loaded afresh", async () => {
    await page.reload();
    await page.getByRole("region", { name: "Conversations" }).getByRole("link", { name: title }).click();
    const turn = page.getByRole("article", { name: question });
    await turn.getByText("Counted as success").waitFor();
    expect(await turn.getByRole("button", { name: "That worked" }).getAttribute("aria-pressed")).toBe("true");
    expect(wrong).toEqual([]);
  });

  /** What the shell prints once it can be opened; an end before that is an error with what it said. */
  function address(): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const url = /http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/u.exec(said.out)?.[0];
        if (url !== undefined) resolve(url);
      };
      look();
      shell.stdout?.on("data", look);
      shell.on("close", (code) => reject(new Error(`The shell ended with ${code}: ${said.err}`)));
    });
  }

  /** Kept when KNACK_PICTURES names a folder. */
  async function picture(name: string): Promise<void> {
    const kept = process.env.KNACK_PICTURES ?? folder;
    await page.screenshot({ path: join(kept, `${name.replaceAll(" ", "-")}.png`) });
  }
});

/** In the page: notes how long the answer was each time it grew while the turn was under way. */
function listen(): void {
  const lengths: number[] = [];
  (window as unknown as { knackLengths: number[] }).knackLengths = lengths;
  new MutationObserver(() => {
    const length = document.querySelector('article[aria-busy="true"] [class*="answer"]')?.textContent?.length ?? 0;
    if (length > (lengths.at(-1) ?? 0)) lengths.push(length);
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}
