import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findBrowser } from "#adapters/browser/index.ts";
import { type ScriptedModel, scriptedEmbedder, scriptedModel } from "#adapters/scripted/index.ts";
import { createAgent } from "#app/create-agent.ts";
import { builtPage } from "#shells/web/built-page.ts";
import { startWebServer, type WebServer } from "#shells/web/web-server.ts";
import { says } from "../fixtures/makers/stage.ts";
import { env, lacks } from "./stage.ts";

const root = join(import.meta.dirname, "../..");

/** The page in a real browser over the web shell, with a model that says what its script says. */
describe.skipIf(lacks("browser") !== null)("the chat page", () => {
  let folder: string;
  let agent: Awaited<ReturnType<typeof createAgent>>;
  let server: WebServer;
  let browser: Browser;
  let page: Page;
  const model: ScriptedModel = scriptedModel();
  /** The model answers once this has come. */
  let isFree: Promise<void> = Promise.resolve();
  const wrong: string[] = [];
  const asked: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "knack-chat-page-"));
    const built = await builtPage(root, () => undefined);
    const embedder = scriptedEmbedder();
    agent = await createAgent({
      dataFolder: join(folder, "home"),
      cacheFolder: join(folder, "cache"),
      env: { ...process.env, ...env },
      maintenance: false,
      models: {
        chat: async () => ({ ...model, generate: (request, signal) => isFree.then(() => model.generate(request, signal)) }),
        embedder: async () => embedder,
      },
    });
    server = await startWebServer(agent, built, 0);
    browser = await chromium.launch({ executablePath: findBrowser() ?? "", chromiumSandbox: process.getuid?.() !== 0 });
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, permissions: ["clipboard-read", "clipboard-write"] });
    page = await context.newPage();
    page.on("pageerror", (error) => wrong.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") wrong.push(message.text());
    });
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(server.url);
    await page.getByRole("textbox", { name: "Message" }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await agent?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  const box = () => page.getByRole("textbox", { name: "Message" });
  const turn = (question: string) => page.getByRole("article", { name: question, exact: true });
  const said = (question: string, answer: string) => turn(question).getByRole("paragraph").filter({ hasText: answer }).waitFor();
  const conversations = () => page.getByRole("region", { name: "Conversations" });

  async function ask(question: string, answer: string): Promise<void> {
    model.say(says(answer));
    await box().fill(question);
    await box().press("Enter");
    await turn(question).last().getByRole("button", { name: "Copy the answer" }).waitFor();
  }

  async function picture(name: string): Promise<void> {
    const kept = process.env.KNACK_PICTURES;
    if (kept !== undefined) await page.screenshot({ path: join(kept, `chat-${name}.png`) });
  }

  it("draws code that can be copied, a table and a formula, with fonts of its own and no address asked elsewhere", async () => {
    const answer =
      "Take $x^2 + y^2$:\\n\\n```js\\nconst a = 1;\\n```\\n\\n| n | square |\\n|---|---|\\n| 2 | 4 |\\n\\n![x](https://elsewhere.example/x.png) and [a link](https://elsewhere.example/)";
    model.say(`{"tool":"reply","args":{"text":"${answer}"}}`);
    await box().fill("Show me squares");
    await box().press("Enter");
    const shown = turn("Show me squares");
    await shown.locator(".katex-html").waitFor();
    await shown.getByRole("button", { name: "Copy this js" }).click();
    await shown.getByText("Copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("const a = 1;");
    await shown.getByRole("region", { name: "Table" }).waitFor();
    await page.evaluate(() => document.fonts.ready);
    expect(asked.some((url) => /KaTeX_[\w-]+\.woff2/u.test(url))).toBe(true);
    expect(asked.filter((url) => !url.startsWith(`http://127.0.0.1:${server.port}/`) && !url.startsWith("blob:") && !url.startsWith("data:"))).toEqual([]);
    await picture("formula");
  });

  it("answers once more in a branch, and both answers are reached from the place where they part", async () => {
    model.say(says("Four, I am sure."));
    await turn("Show me squares").getByRole("button", { name: "Answer this again" }).click();
    await said("Show me squares", "Four, I am sure.");
    const fork = page.getByRole("group", { name: "Branches here" });
    await fork.getByText("2 of 2").waitFor();
    await picture("branch");
    await fork.getByRole("button", { name: "The branch before" }).click();
    await turn("Show me squares").locator(".katex-html").waitFor();
    await fork.getByText("1 of 2").waitFor();
    expect(agent.conversations()).toHaveLength(2);
  });

  it("takes the last message up again with Up, and goes on from it as a branch", async () => {
    await ask("And of three?", "Nine.");
    await box().press("ArrowUp");
    expect(await box().inputValue()).toBe("And of three?");
    model.say(says("Sixteen."));
    await box().fill("And of four?");
    await box().press("Enter");
    await said("And of four?", "Sixteen.");
    expect(await turn("And of three?").count()).toBe(0);
    await turn("Show me squares").waitFor();
    await page.getByRole("group", { name: "Branches here" }).last().getByRole("button", { name: "The branch before" }).click();
    await said("And of three?", "Nine.");
  });

  it("puts what is sent meanwhile into a queue, and answers it next", async () => {
    let free: () => void = () => undefined;
    isFree = new Promise<void>((resolve) => (free = resolve));
    model.say(says("First."), says("Second."));
    await box().fill("One thing");
    await box().press("Enter");
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
    await box().fill("Another thing");
    await box().press("Enter");
    await page.getByRole("region", { name: "Waiting messages" }).getByText("Another thing").waitFor();
    await picture("queue");
    free();
    await said("Another thing", "Second.");
    await said("One thing", "First.");
    expect(await page.getByRole("region", { name: "Waiting messages" }).count()).toBe(0);
  });

  it("finds a message in any conversation by keyboard alone, and goes to the place", async () => {
    await page.keyboard.press("Control+Shift+F");
    await page.keyboard.type("sixteen");
    const found = page.getByRole("list", { name: "Messages found" });
    expect(await found.locator("mark").first().textContent()).toBe("Sixteen");
    await picture("search");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await turn("And of four?").waitFor();
    await page.getByRole("button", { name: "Clear the search" }).click();
  });

  it("keeps conversations in folders, and loses none with a folder", async () => {
    await conversations().getByRole("button", { name: "New folder" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Numbers");
    await page.getByRole("button", { name: "Make it" }).click();
    const row = conversations().getByRole("listitem").filter({ hasText: "Show me squares" }).first();
    await row.hover();
    await row.getByRole("button", { name: /^More for/u }).click();
    await page.getByRole("menuitem", { name: "Move to a folder" }).click();
    await page.getByText("Numbers", { exact: true }).last().click();
    await page.getByRole("button", { name: "Move", exact: true }).click();
    await conversations()
      .getByRole("button", { name: /^Numbers\s*1/u })
      .waitFor();
    await picture("folder");
    await conversations().getByRole("button", { name: "More for the folder “Numbers”" }).click();
    await page.getByRole("menuitem", { name: "Remove the folder" }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await conversations()
      .getByRole("button", { name: /^Numbers/u })
      .waitFor({ state: "detached" });
    expect(agent.conversations()).toHaveLength(3);
  });

  it("attaches a text file with a notice of how much is read, and refuses one of another kind", async () => {
    const text = join(folder, "notes.txt");
    const binary = join(folder, "photo.png");
    writeFileSync(
      text,
      `The code word is heliotrope.\n${"Nothing of note happened on this day.\n".repeat(60_000)}The cellar key hangs behind the barometer.\n`,
    );
    writeFileSync(binary, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]));
    await page.getByTestId("attach").setInputFiles(binary);
    await page.getByText("is no text file").waitFor();
    await page.getByTestId("attach").setInputFiles(text);
    await page.getByRole("list", { name: "Attached files" }).getByText("notes.txt").waitFor();
    await ask("Where does the cellar key hang?", "Behind the barometer.");
    await turn("Where does the cellar key hang?")
      .getByText(/^first [\d,]+ of [\d,]+ characters, the rest searched$/u)
      .waitFor();
    const read = model.requests.at(-1)?.messages.at(-1)?.text ?? "";
    expect(read).toContain("The code word is heliotrope.");
    expect(read).toContain("The cellar key hangs behind the barometer.");
    expect(read).toMatch(/File "notes\.txt" of the user, the first [\d,]+ of [\d,]+ characters, data only <</u);
    await picture("file");
  });

  it("exports a conversation as JSON that it takes in again, and says of another file why it does not", async () => {
    const row = conversations().getByRole("listitem").filter({ hasText: "Show me squares" }).first();
    await row.hover();
    await row.getByRole("button", { name: /^More for/u }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: "Export as JSON" }).click()]);
    const file = join(folder, download.suggestedFilename());
    await download.saveAs(file);
    expect(JSON.parse(readFileSync(file, "utf8")).format).toBe("knack-conversation");
    const before = agent.conversations().length;
    writeFileSync(join(folder, "other.json"), JSON.stringify({ mapping: {} }));
    await conversations().getByRole("button", { name: "Import a conversation" }).click();
    await page.getByTestId("import").setInputFiles(join(folder, "other.json"));
    await page.getByText("This is no conversation that Knack exported.").waitFor();
    expect(agent.conversations()).toHaveLength(before);
    await page.getByTestId("import").setInputFiles(file);
    await page.getByText("Imported. Knack learns nothing from it.").waitFor();
    expect(agent.conversations()).toHaveLength(before + 1);
    await picture("imported");
  });

  it("keeps nothing of a temporary chat once another conversation is looked at", async () => {
    await page.keyboard.press("Alt+T");
    await page.getByText("Temporary chat", { exact: true }).waitFor();
    await ask("The secret word is xylophone", "Understood.");
    await page.getByText("Temporary: Knack learns nothing from it").waitFor();
    await picture("temporary");
    const id = new URL(page.url()).hash.split("/").at(-1) ?? "";
    expect(agent.conversation(id).messages).toHaveLength(2);
    await page.getByRole("button", { name: "New conversation" }).click();
    await expect.poll(() => agent.searchMessages("xylophone").length).toBe(0);
    await expect.poll(() => isThere(id)).toBe(false);
    expect(readFileSync(join(folder, "home/knack.db")).includes("xylophone")).toBe(false);
  });

  it("opens a long conversation at its end, reads earlier turns as they come near, and goes to one that is sought", async () => {
    const [source] = agent.conversations();
    const file = JSON.parse(agent.exportConversation(source?.id ?? "", "json").text);
    const [turn, episode, question, reply] = [file.turns[0], file.episodes[0], file.messages[0], file.messages[1]];
    const each = <One>(make: (n: number) => One): One[] => Array.from({ length: 200 }, (_, n) => make(n));
    const long = agent.importConversation(
      JSON.stringify({
        ...file,
        conversation: { ...file.conversation, title: "A long one" },
        turns: each((n) => ({ ...turn, id: `t${n}`, episodeId: `e${n}`, startedAt: n })),
        episodes: each((n) => ({ ...episode, id: `e${n}`, createdAt: n })),
        messages: each((n) => [
          { ...question, id: `q${n}`, turnId: `t${n}`, text: `Question number ${n}`, createdAt: n, attachments: undefined },
          { ...reply, id: `a${n}`, turnId: `t${n}`, text: `Answer ${n}. ${"It goes on. ".repeat(n % 40)}`, createdAt: n },
        ]).flat(),
        steps: [],
        attachments: [],
        results: [],
        compactions: [],
      }),
    );
    await page.goto(`${new URL(page.url()).origin}/#/chat/${long.id}`);
    await page.getByRole("article", { name: "Question number 199", exact: true }).waitFor();
    const isAtEnd = () =>
      page.evaluate(() => {
        const scroller = document.querySelector("section[aria-label=Messages]")?.parentElement?.parentElement;
        return scroller ? scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 4 : null;
      });
    await expect.poll(isAtEnd).toBe(true);
    expect(await page.getByRole("article").count()).toBeLessThan(20);
    await page.mouse.move(700, 300);
    const first = page.getByRole("article", { name: "Question number 0", exact: true });
    for (let turns = 0; turns < 400 && (await first.count()) === 0; turns += 1) await page.mouse.wheel(0, -1500);
    await first.waitFor();
    expect(await page.getByRole("article").count()).toBeLessThan(20);
    const sought = agent.conversation(long.id).messages.find(({ text }) => text === "Question number 50");
    await page.goto(`${new URL(page.url()).origin}/#/chat`);
    await page.reload();
    await page.goto(`${new URL(page.url()).origin}/#/chat/${long.id}/${sought?.id}`);
    const found = page.getByRole("article", { name: "Question number 50", exact: true });
    await found.waitFor();
    await expect
      .poll(() => found.evaluate((element) => element.getBoundingClientRect().top > 0 && element.getBoundingClientRect().top < innerHeight))
      .toBe(true);
  });

  it("reads well in the dark and at 400 pixels, with nothing wrong said on the way", async () => {
    await agent.changeSettings({ theme: "dark" });
    await page.reload();
    await page.setViewportSize({ width: 400, height: 800 });
    const [latest] = agent.conversations();
    await page.goto(`${new URL(page.url()).origin}/#/chat/${latest?.id}`);
    await page.getByRole("article").first().waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(400);
    await picture("narrow-dark");
    expect(wrong).toEqual([]);
  });

  function isThere(id: string): boolean {
    try {
      agent.conversation(id);
      return true;
    } catch {
      return false;
    }
  }
});
