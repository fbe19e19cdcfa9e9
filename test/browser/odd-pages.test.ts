import { describe, expect, it } from "vitest";
import { html, never, useSession } from "./stage.ts";

const host = "odd.knack.test";
const file =
  (body: string, type: string, more: Record<string, string> = {}) =>
  () =>
    new Response(body, { headers: { "content-type": type, ...more } });
const pdf = "%PDF-1.4\n%%EOF";

/**
 * Names of fields that hide a form's own properties from scripts. With some that are missing here (getAttribute, parentElement …) Playwright's
 * own snapshot fails.
 */
const hiding = "id children childNodes textContent parentNode tagName ownerDocument style name querySelectorAll closest nodeName length action".split(" ");

const pages = {
  "/hiding": html(
    `<img name="body" alt="Crest"><h1>Booking</h1>${hiding.map((name) => `<form><p><label>Field ${name} <input name="${name}"></label></p></form>`).join("")}<form name="createRange"><button>Send</button></form>`,
  ),
  "/": html(
    '<h1>Odd</h1><a href="/chart">Chart</a><a href="/bill">Bill</a><a href="/bill" target="_blank">Bill tab</a><button onclick="window.open(\'about:blank\')">Blank</button>' +
      "<button onclick=\"const w=window.open('about:blank');setTimeout(()=>w.location='/tab',400)\">Later</button>",
  ),
  "/tab": html("<h1>In a tab</h1>"),
  "/chart": file('<svg xmlns="http://www.w3.org/2000/svg"><text>Sales 12</text></svg>', "image/svg+xml"),
  "/feed": file("<feed><title>News today</title></feed>", "text/xml"),
  "/bill": file(pdf, "application/pdf", { "content-disposition": 'inline; filename="bill-june.pdf"' }),
  "/plain.pdf": file(pdf, "application/pdf"),
  "/flood": html("<h1>Flood</h1><script>setInterval(()=>alert('again'),1)</script>"),
  "/many": html("<h1>Many</h1><button onclick=\"for(let i=0;i<40;i++)alert('note '+i)\">Say</button>"),
};

const { at, session } = useSession(host, pages);

async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const start = performance.now();
  const result = await work;
  return [result, performance.now() - start];
}

describe("a form whose fields are named like properties", () => {
  it("is read like any other", async () => {
    const { page } = await session().open(at("/hiding"), never);
    expect(page.elements.filter((element) => element.action === "fill").map((element) => element.name)).toEqual(hiding.map((name) => `Field ${name}`));
    expect(page.text).toContain("[button Send]");
    const filled = await session().fill({ role: "textbox", name: "Field children" }, "3", never);
    expect(filled.page.elements.find((element) => element.name === "Field children")?.value).toBe("3");
  });
});

describe("a document that is no page", () => {
  it.each([
    ["/chart", "image/svg+xml", "Sales 12"],
    ["/feed", "text/xml", "News today"],
  ])("%s is told at once for what it is", async (path, type, words) => {
    const [outcome, ms] = await timed(session().open(at(path), never));
    expect(outcome.page.text).toContain(words);
    if (path === "/chart") expect(outcome.page.text).toContain(type);
    expect(ms).toBeLessThan(5_000);
  });

  it("is a file where it is a PDF, under the name the site gave it", async () => {
    expect((await session().open(at("/plain.pdf"), never)).downloads.map((each) => each.name)).toEqual(["plain.pdf"]);
    await session().open(at("/"), never);
    const outcome = await session().click({ role: "link", name: "Bill" }, never);
    expect(outcome.downloads.map((each) => [each.name, each.bytes])).toEqual([["bill-june.pdf", pdf.length]]);
    expect(outcome.page.heading).toBe("Odd");
  });

  it("is said to be a PDF where a new tab shows it", async () => {
    await session().open(at("/"), never);
    const outcome = await session().click({ role: "link", name: "Bill tab" }, never);
    const isKept = outcome.downloads.length === 1;
    expect(isKept || outcome.page.text.includes("This is a PDF file")).toBe(true);
  });
});

describe("a new tab", () => {
  it("that stays blank costs about a second", async () => {
    await session().open(at("/"), never);
    const [outcome, ms] = await timed(session().click({ role: "button", name: "Blank" }, never));
    expect(outcome.page.heading).toBe("Odd");
    expect(ms).toBeLessThan(4_000);
  });

  it("that is blank at first is waited for", async () => {
    await session().open(at("/"), never);
    expect((await session().click({ role: "button", name: "Later" }, never)).page.heading).toBe("In a tab");
  });
});

describe("a page that floods with dialogs", () => {
  it("is quoted a few times and counted", async () => {
    await session().open(at("/many"), never);
    const { page } = await session().click({ role: "button", name: "Say" }, never);
    expect(page.text.match(/note \d/gu)).toHaveLength(6);
    expect(page.text).toContain("The page said 34 more things.");
  });

  it("does not keep the next address from opening", async () => {
    await session().open(at("/flood"), never);
    expect((await session().wait(1_500, never)).page.text.length).toBeLessThan(600);
    const [outcome, ms] = await timed(session().open(at("/tab"), never));
    expect(outcome.page.heading).toBe("In a tab");
    expect(ms).toBeLessThan(6_000);
  });
});
