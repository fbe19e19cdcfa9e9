import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { totpCode } from "#adapters/secrets/index.ts";
import { toolRegistry } from "#core/tools/index.ts";
import { html, type Pages } from "../browser/stage.ts";
import { uses } from "../fixtures/makers/outspoken-model.ts";
import { opens } from "../fixtures/makers/stage.ts";
import { canaries, mask, siteLogin } from "../fixtures/makers/vault.ts";
import { type LoginAgent, loginAgent } from "./login-agent.ts";
import { loginPage } from "./login-stage.ts";

const app = "https://app.test";
const pass = canaries.password;
const escaped = pass.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const inScript = JSON.stringify(pass).replaceAll("<", "\\u003c");
/** What must still be read beside what is masked. */
const beside = "Your balance is 1,204.50";
const login = uses("browser_login", { entry: "site-login" });
const extract = (about: string): string => uses("browser_extract", { about });

/** A page the site shows once it was signed in to, by its path. */
const shown: Readonly<Record<string, string>> = {
  text: `<a href="/found">More</a><p>Welcome, your password is ${escaped}</p>`,
  attributes: `<input type="text" value="${escaped}" aria-label="One"><button aria-label="${escaped}">x</button><div role="slider" aria-label="Two" aria-valuetext="${escaped}" tabindex="0">2</div>
    <input placeholder="${escaped}" aria-label="Three"><a href="/" title="${escaped}">Four</a><img alt="${escaped}" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="9" height="9">
    <textarea aria-label="Five">${escaped}</textarea><div contenteditable aria-label="Six">${escaped}</div><select aria-label="Seven"><option>${escaped}</option></select><output>${escaped}</output>
    <label>Eight <input type="search" id="eight"></label><script>eight.value = ${inScript};</script>`,
  title: `<script>document.title = ${inScript}</script>`,
  console: `<script>console.log(${inScript}); console.table([${inScript}]); setTimeout(() => { throw new Error(${inScript}); }); Promise.reject(new Error(${inScript}));</script>`,
  encoded: `<p>one ${Buffer.from(pass).toString("base64")}</p><p>two ${Buffer.from(pass).toString("base64url")}</p><p>three ${Buffer.from(pass).toString("hex")}</p>
    <p>four ${encodeURIComponent(pass)}</p><p>five ${encodeURIComponent(encodeURIComponent(pass))}</p><p>six ${new URLSearchParams({ v: pass }).toString().slice(2)}</p>
    <p>seven ${JSON.stringify(pass).slice(1, -1).replaceAll("<", "&lt;")}</p><p>eight ${[...pass].map((one) => `&amp;#${one.codePointAt(0)};`).join("")}</p>`,
  split: `<p>${[...pass].map((one) => `<span>${one === " " ? "&nbsp;" : one.replace("&", "&amp;").replace("<", "&lt;")}</span>`).join("")}</p>
    <p><b>${escaped.slice(0, 4)}</b><i>${escaped.slice(4)}</i></p><p>${[...pass].map((one) => one.replace("&", "&amp;").replace("<", "&lt;")).join("&zwj;")}</p>
    <p>${[...pass].map((one) => one.replace("&", "&amp;").replace("<", "&lt;")).join("&shy;")}</p>
    <style>.before::before { content: '${pass.slice(0, 9).replaceAll('"', '\\"')}'; }</style><p class="before">${escaped.slice(escaped.indexOf("&", 9) < 0 ? 9 : escaped.indexOf("amp;") + 4)}</p>
    <div style="column-count:2;width:120px"><p>${escaped.slice(0, 5)}<br>${escaped.slice(5)}</p></div>`,
  data: `<pre id="data"></pre><script>fetch("/me.json").then((answer) => answer.text()).then((text) => { data.textContent = text; })</script>`,
  pictures: `<canvas id="c" width="300" height="40"></canvas><script>c.getContext("2d").fillText(${inScript}, 10, 20)</script><svg width="300" height="40"><text x="10" y="20">${escaped}</text></svg>
    <div style="width:300px;height:40px;background:url('data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg"><text y="20">${escaped}</text></svg>`)}')"></div>`,
};

let searches = 0;
const pages: Record<string, Pages[string]> = {
  "/me.json": () => new Response(JSON.stringify({ name: "Mira", password: pass }), { headers: { "content-type": "application/json" } }),
  "/broken": async (request) =>
    new Response(html(`<h1>Error 500</h1><pre>${(await request.text()).replaceAll("<", "&lt;")}\nat Form.handle (form.js:12)</pre><p>${beside}</p>`), {
      status: 500,
      headers: { "content-type": "text/html; charset=utf-8" },
    }),
  "/at-broken": loginPage({ action: "/broken" }),
  "/flips": loginPage({ more: "" }).replace(
    "</form>",
    '</form><script>f.addEventListener("submit", (event) => { event.preventDefault(); f.pass.type = "text"; f.user.type = "text"; document.querySelector("h1").textContent = "Please wait"; })</script>',
  ),
  "/code": html(
    '<h1>Code</h1><form method="post" action="/code-in"><label>Code from your app <input name="otp" autocomplete="one-time-code"></label><button>Verify</button></form>',
  ),
  "/code-in": async (request) => {
    const code = new URLSearchParams(await request.text()).get("otp") ?? "";
    return new Response(html(`<h1>Order</h1><p>Order number 7${code}001 is on its way.</p><p>You typed ${code} just now.</p>`), {
      headers: { "content-type": "text/html; charset=utf-8" },
    });
  },
  "/search": html('<h1>Search</h1><form method="post" action="/found"><label>Words <input name="q"></label><button>Find</button></form>'),
  // Another page each time: the same one again and again would be a circle.
  "/found": () => new Response(html(`<h1>Nothing was found</h1><p>Search ${(searches += 1)}</p>`), { headers: { "content-type": "text/html" } }),
};
for (const [name, body] of Object.entries(shown)) {
  pages[`/at-${name}`] = loginPage({ action: `/in-${name}` });
  pages[`/in-${name}`] = () => new Response(null, { status: 302, headers: { location: `/${name}` } });
  pages[`/${name}`] = html(`<h1>Account</h1>${body}<p>${beside}</p>`);
}

let on: LoginAgent;
beforeAll(async () => {
  on = await loginAgent({ "app.test": pages });
}, 60_000);
afterAll(() => on?.close());
// The browser is still open, so that its folder is among what is looked through.
afterEach(() => expect(on.leaks()).toEqual([]));

/** Signs in at a page and reads what it shows after, in every way there is. */
async function readAfter(name: string): Promise<{ read: string; steps: readonly { readonly tool: string; readonly status: string; readonly text: string }[] }> {
  const { read, steps, refused } = await on.run([
    opens(`${app}/at-${name}`),
    login,
    uses("browser_snapshot", {}),
    extract("password account balance one two three four five six seven eight"),
  ]);
  expect(refused).toEqual([]);
  expect(new URLSearchParams(on.asked("app.test").findLast(({ line }) => line === `POST /in-${name}`)?.body).get("pass")).toBe(pass);
  return { read, steps };
}

describe("a value that a site shows after it was signed in to", () => {
  it.each([
    ["SEC-01", "text", `your password is ${mask}`],
    ["SEC-03", "attributes", mask],
    ["SEC-04", "title", ""],
    ["SEC-06", "console", ""],
    ["SEC-08", "encoded", mask],
    ["SEC-10", "split", mask],
    ["SEC-20", "data", mask],
    ["SEC-17", "pictures", ""],
  ])("%s: as %s is masked, and what stands beside it is read", async (_row, name, sign) => {
    const { read, steps } = await readAfter(name);
    expect(read).toContain(beside);
    if (sign !== "") expect(read).toContain(sign);
    expect(steps.find(({ tool }) => tool === "browser_extract")?.text).toContain(beside);
  });

  it("SEC-02: in its own field, once the page shows what is typed there", async () => {
    const { read, refused } = await on.run([opens(`${app}/flips`), login, uses("browser_snapshot", {})]);
    expect([refused, read.includes("Please wait"), /\[field Password: not shown\]/u.test(read), /\[field User: not shown\]/u.test(read)]).toEqual([
      [],
      true,
      true,
      true,
    ]);
  });

  it("SEC-12: a code is masked where it stands alone, and no number that holds it is touched", async () => {
    const { read } = await on.run([opens(`${app}/code`), login, uses("browser_snapshot", {})]);
    const [, code = ""] = /otp=(\d{6})/u.exec(on.asked("app.test").findLast(({ line }) => line === "POST /code-in")?.body ?? "") ?? [];
    expect(code).toMatch(/^\d{6}$/u);
    expect(read).toContain(`Order number 7${code}001 is on its way.`);
    expect(read).toContain(`You typed ${mask} just now.`);
    expect(totpCode).toBeTypeOf("function");
  });

  it("SEC-21: in a page that failed and quotes what it was sent", async () => {
    const { read, refused } = await on.run([opens(`${app}/at-broken`), login, uses("browser_snapshot", {})]);
    expect([refused, read.includes("Error 500"), read.includes(mask), read.includes(beside)]).toEqual([[], true, true, true]);
  });
});

describe("ways in which a value could go out", () => {
  it("SEC-25: what looks like a place for one is text like any other", async () => {
    const before = on.agent.credentials.released;
    const texts = ["{{site-login.pass}}", "site-login", "<secret>pass</secret>", "%pass%", "${site-login.password}", mask];
    const { refused } = await on.run(
      texts.flatMap((text) => [
        opens(`${app}/search?from=${encodeURIComponent(text)}`),
        uses("browser_fill", { target: { role: "textbox", name: "Words" }, text }),
        uses("browser_click", { target: { role: "button", name: "Find" } }),
      ]),
    );
    expect(refused).toEqual([]);
    const found = on.asked("app.test").filter(({ line }) => line === "POST /found");
    expect(found.map(({ body }) => new URLSearchParams(body).get("q"))).toEqual(texts);
    const asked = on.asked("app.test").flatMap(({ line }) => /^GET \/search\?from=(.*)$/u.exec(line)?.[1] ?? []);
    expect(asked.map(decodeURIComponent)).toEqual(texts);
    expect(on.agent.credentials.released).toBe(before);
  });

  it("SEC-16, SEC-18, SEC-20: no tool takes a picture of a page, prints it, saves it, or reads what goes over the line; those that read it work", () => {
    const tools = [...toolRegistry.keys()].filter((id) => id.startsWith("browser_") || id.startsWith("web_"));
    expect(tools.filter((id) => /screenshot|picture|pdf|print|save|mhtml|har|trace|video|network|body|console|evaluate|storage|cookie/u.test(id))).toEqual([]);
    expect(tools).toEqual(expect.arrayContaining(["browser_snapshot", "browser_extract", "browser_expect"]));
  });

  it.each([
    ["DEBUG", "pw:protocol"],
    ["DEBUG", "app,pw:*"],
    ["PWDEBUG", "1"],
    ["SSLKEYLOGFILE", "/tmp/keys"],
  ])("SEC-23: with %s=%s, by which what is typed would be written down, nothing is handed out", async (name, value) => {
    const before = on.agent.credentials.released;
    const old = process.env[name];
    process.env[name] = value;
    try {
      const { refused } = await on.run([opens(`${app}/at-text`), login]);
      expect([refused, on.agent.credentials.released]).toEqual([["config.trace"], before]);
    } finally {
      if (old === undefined) delete process.env[name];
      else process.env[name] = old;
    }
  });

  it("SEC-27: a skill that is learned from it has the name of the login and nothing of it", async () => {
    const { conversationId, refused } = await on.run([opens(`${app}/at-text`), login, uses("browser_click", { target: { role: "link", name: "More" } })], {
      text: `Show my account at ${app}/at-text`,
    });
    expect(refused).toEqual([]);
    const draft = await on.agent.learnFrom(conversationId, true, "Kim");
    const { skill } = await on.agent.confirmShowing(draft.showingId, "Kim");
    const { revision } = on.agent.skill(skill.name);
    expect([revision.capabilities.vault, revision.steps.map(({ call }) => call?.tool), revision.steps[1]?.call?.args]).toEqual([
      ["site-login"],
      ["browser_open", "browser_login", "browser_click"],
      { entry: "site-login" },
    ]);
    expect(on.agent.exportSkill(skill.name)).toMatchObject({ text: expect.stringContaining("site-login") as string });
    // It is followed without the model, and what it declares is checked again.
    const again = await on.run([], { text: `Show my account at ${app}/at-text`, noSkills: false, skill: skill.name, mode: "strict" });
    expect(again.steps.map(({ tool, status }) => `${tool} ${status}`)).toEqual(["browser_open ok", "browser_login ok", "browser_click ok"]);
  });

  it("SEC-28: what the model would remember of it is refused or masked", async () => {
    await on.run([opens(`${app}/at-text`), login, uses("remember", { fact: `The password is ${pass}` })], { text: "Remember my password" });
    expect(JSON.stringify(on.agent.facts())).not.toContain(pass);
  });

  it("SEC-30: the browser keeps nothing of it, and its folder goes with it", async () => {
    const { conversationId, refused } = await on.run([opens(`${app}/at-text`), login]);
    expect(refused).toEqual([]);
    const profiles = (): string[] =>
      readdirSync(join(on.folder, "home/browser"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith("Login Data"));
    const before = profiles().length;
    expect(before).toBeGreaterThan(0);
    await on.agent.deleteConversation(conversationId);
    expect(profiles().length).toBeLessThan(before);
  });

  it("SEC-31: what a page of the app may ask of the vault are names", async () => {
    const all = JSON.stringify([await on.agent.vault.status(), on.agent.vault.entries(), on.agent.vault.entry("site-login"), on.agent.vault.audit(1000)]);
    expect(all).toContain("site-login");
    expect([all.includes(pass), all.includes(canaries.user), all.includes(String(siteLogin.values.totp))]).toEqual([false, false, false]);
    expect(Object.keys(on.agent.vault).filter((name) => /value|secret|reveal|password$|read/iu.test(name))).toEqual([]);
  });

  it("SEC-33: one line of the log says which login, where, when, and that it was handed out", () => {
    const lines = on.agent.vault.audit(1000).filter(({ action, decision }) => action === "release" && decision === "ok");
    expect(lines[0]).toEqual({
      seq: expect.any(Number) as number,
      at: expect.any(Number) as number,
      action: "release",
      entry: "site-login",
      origin: app,
      decision: "ok",
      masks: expect.any(Number) as number,
    });
  });

  it("SEC-34: of the seed nothing but codes went out", () => {
    const sent = JSON.stringify(on.asked("app.test"));
    expect([sent.includes(String(siteLogin.values.totp)), /otp=\d{6}/u.test(sent)]).toEqual([false, true]);
  });
});
