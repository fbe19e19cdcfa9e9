import { readFile, stat } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { BrowserSession } from "#core/ports/index.ts";
import { codeOf, html, never, openStage, type Stage } from "./stage.ts";

const host = "shop.knack.test";
const at = (path: string): string => `https://${host}${path}`;

const form = html(`<h1>Request</h1><form action="/done" method="get">
  <label>From <input type="date" name="from"></label><label>Name <input name="name"></label>
  <label>Reason <select name="reason"><option value="h">Holiday</option><option value="s">Sick leave</option></select></label>
  <label style="position:relative"><input type="checkbox" name="ok" value="yes" style="opacity:0;position:absolute"><span> I agree</span></label>
  <button>Send</button><button type="button" disabled>Withdraw</button></form>`);

const pages = {
  "/": html(
    '<h1>Start</h1><a href="/list">List</a><a href="/tab" target="_blank">New tab</a><a href="/slow">Slow</a><button onclick="alert(\'Saved for you\')">Save</button><button onclick="document.title = String(confirm(\'Really?\'))">Remove</button>',
  ),
  "/list": html(
    "<h1>List</h1><table><tr><td>May</td><td><button onclick=\"document.querySelector('h1').textContent='May it is'\">Pick</button></td></tr><tr><td>June</td><td><button onclick=\"document.querySelector('h1').textContent='June it is'\">Pick</button></td></tr></table>",
  ),
  "/tab": html("<h1>In a new tab</h1>"),
  "/slow": async () => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    return new Response(html("<h1>Slow but there</h1>"), { headers: { "content-type": "text/html" } });
  },
  "/form": form,
  "/done": (_request: Request, url: URL) =>
    new Response(html(`<h1>Done</h1><p>${url.search.replaceAll("&", " ")}</p>`), { headers: { "content-type": "text/html" } }),
  "/late": html(
    '<h1>Waiting</h1><script>fetch("/data").then(r=>r.text()).then(t=>{document.body.insertAdjacentHTML("beforeend","<p>"+t+"</p><button>Go on</button>")})</script>',
  ),
  "/data": async () => {
    await new Promise((resolve) => setTimeout(resolve, 600));
    return new Response("the data");
  },
  "/files": html(
    '<h1>Files</h1><a href="/bill.pdf">Bill</a><a href="/bill.pdf">Bill again</a><a href="/evil">Odd name</a><a download="made.csv" href="data:text/csv,a,b">Made here</a>',
  ),
  "/bill.pdf": () => new Response("%PDF bill", { headers: { "content-type": "application/pdf", "content-disposition": 'attachment; filename="bill.pdf"' } }),
  "/evil": () => new Response("x", { headers: { "content-type": "application/octet-stream", "content-disposition": 'attachment; filename="../../.bashrc"' } }),
  "/custom":
    html(`<h1>Custom</h1><div role="combobox" aria-label="Town" aria-expanded="false" tabindex="0" onclick="document.getElementById('l').hidden=false">Choose</div>
    <div id="l" role="listbox" hidden><div role="option" onclick="document.querySelector('h1').textContent='Oslo chosen';document.getElementById('l').hidden=true">Oslo</div><div role="option">Rome</div></div>`),
  "/hang": html('<h1>Hang</h1><button onclick="for(;;);">Spin</button>'),
  "/search": html('<h1>Search</h1><form action="/done"><label>Words <input name="q"></label></form>'),
  "/cover": html('<h1>Cover</h1><button>Under</button><div style="position:fixed;inset:0;background:#eee">Cookies?</div>'),
  "/popups": html("<h1>Popups</h1><button onclick=\"for(let i=0;i<9;i++)window.open('/tab?'+i)\">Many</button>"),
};

let stage: Stage;
let session: BrowserSession;
const started: BrowserSession[] = [];

beforeAll(async () => {
  stage = await openStage({ [host]: pages });
  session = await stage.launch();
});
afterEach(async () => {
  for (const each of started.splice(0)) await each.close();
});
afterAll(async () => {
  await stage.close();
});

describe("an action", () => {
  it("follows a link and waits for a slow page", async () => {
    await session.open(at("/"), never);
    const outcome = await session.click({ role: "link", name: "Slow" }, never);
    expect(outcome.page.heading).toBe("Slow but there");
    expect((await session.back(never)).page.heading).toBe("Start");
  });

  it("picks among equal names by the row", async () => {
    await session.open(at("/list"), never);
    expect(await codeOf(session.click({ role: "button", name: "Pick" }, never))).toBe("browser.target-ambiguous");
    expect((await session.click({ role: "button", name: "Pick", within: "June" }, never)).page.heading).toBe("June it is");
    expect((await session.click({ role: "button", name: "pick", within: "may" }, never)).page.heading).toBe("May it is");
  });

  it("fills dates, text and lists, and sends what was filled", async () => {
    await session.open(at("/form"), never);
    await session.fill({ role: "textbox", name: "From" }, "2027-02-14", never);
    await session.fill({ role: "textbox", name: "Name" }, "Mira Quill", never);
    await session.select({ role: "combobox", name: "Reason" }, "sick leave", never);
    const marked = await session.click({ role: "checkbox", name: "I agree" }, never);
    expect(marked.page.text).toContain("[checkbox I agree: checked]");
    const sent = await session.click({ role: "button", name: "Send" }, never);
    expect(sent.page.heading).toBe("Done");
    expect(sent.page.text).toContain("?from=2027-02-14 name=Mira+Quill reason=s ok=yes");
  });

  it.each([
    ["browser.target-missing", (on: BrowserSession) => on.click({ role: "link", name: "Nowhere" }, never)],
    ["browser.target-disabled", (on: BrowserSession) => on.click({ role: "button", name: "Withdraw" }, never)],
    ["browser.option-missing", (on: BrowserSession) => on.select({ role: "combobox", name: "Reason" }, "Strike", never)],
    ["browser.bad-value", (on: BrowserSession) => on.fill({ role: "textbox", name: "From" }, "14.2.2027", never)],
    ["browser.bad-value", (on: BrowserSession) => on.fill({ role: "textbox", name: "From" }, "2027-02-30", never)],
    ["browser.bad-value", (on: BrowserSession) => on.press("Entr", never)],
  ])("that cannot be done ends with %s and leaves the page usable", async (code, action) => {
    await session.open(at("/form"), never);
    expect(await codeOf(action(session))).toBe(code);
    expect((await session.view(never)).heading).toBe("Request");
  });

  it("waits for what a page loads after it is there", async () => {
    const outcome = await session.open(at("/late"), never);
    expect(outcome.page.text).toContain("the data\n[button Go on]");
  });

  it("presses Enter to send a form", async () => {
    await session.open(at("/search"), never);
    await session.fill({ role: "textbox", name: "Words" }, "red shoes", never);
    expect((await session.press("Enter", never)).page.text).toContain("?q=red+shoes");
  });

  it("chooses in a list that is made of boxes", async () => {
    await session.open(at("/custom"), never);
    expect((await session.select({ role: "combobox", name: "Town" }, "Oslo", never)).page.heading).toBe("Oslo chosen");
  });

  it("goes to a new tab when a link opens one", async () => {
    await session.open(at("/"), never);
    expect((await session.click({ role: "link", name: "New tab" }, never)).page.heading).toBe("In a new tab");
  });

  it("reports what a dialog said and answers a question with no", async () => {
    await session.open(at("/"), never);
    expect((await session.click({ role: "button", name: "Save" }, never)).page.text).toContain('The page said: "Saved for you"');
    const asked = await session.click({ role: "button", name: "Remove" }, never);
    expect(asked.page.title).toBe("false");
    expect(asked.page.text).toContain('The page asked: "Really?" It was answered with Cancel.');
  });

  it("says what covers a button", async () => {
    await session.open(at("/cover"), never);
    expect(await codeOf(session.click({ role: "button", name: "Under" }, never))).toBe("browser.target-covered");
  });

  it("does not drown in popups", async () => {
    await session.open(at("/popups"), never);
    const outcome = await session.click({ role: "button", name: "Many" }, never);
    expect(["Popups", "In a new tab"]).toContain(outcome.page.heading);
  });
});

describe("a download", () => {
  it("lands in its folder under a plain name, and never over another", async () => {
    const own = await stage.launch();
    started.push(own);
    await own.open(at("/files"), never);
    const first = await own.click({ role: "link", name: "Bill" }, never);
    await own.click({ role: "link", name: "Bill again" }, never);
    await own.click({ role: "link", name: "Odd name" }, never);
    await own.click({ role: "link", name: "Made here" }, never);
    expect(own.downloads().map((file) => file.name)).toEqual(["bill.pdf", "bill (2).pdf", "_.._.bashrc", "made.csv"]);
    expect(first.downloads.map((file) => file.fromUrl)).toEqual([at("/bill.pdf")]);
    expect(await readFile(first.downloads[0]?.path ?? "", "utf8")).toBe("%PDF bill");
    expect(((await stat(first.downloads[0]?.path ?? "")).mode & 0o777).toString(8)).toBe("600");
    expect(first.page.heading).toBe("Files");
  });

  it("is refused where downloads are not allowed", async () => {
    const own = await stage.launch({ downloadsAllowed: false });
    started.push(own);
    await own.open(at("/files"), never);
    const outcome = await own.click({ role: "link", name: "Bill" }, never);
    expect(outcome.refused.map((refusal) => refusal.code)).toEqual(["download.refused"]);
    expect(own.downloads()).toEqual([]);
  });

  it("can be opened by its address", async () => {
    const own = await stage.launch();
    started.push(own);
    await own.open(at("/"), never);
    expect((await own.open(at("/bill.pdf"), never)).downloads.map((file) => file.bytes)).toEqual([9]);
  });
});

describe("an end that is not the page's", () => {
  it("comes at once when the signal is aborted", async () => {
    await session.open(at("/"), never);
    const stop = new AbortController();
    const start = performance.now();
    setTimeout(() => stop.abort(), 100);
    expect(await codeOf(session.click({ role: "link", name: "Slow" }, stop.signal))).not.toBe("none");
    expect(performance.now() - start).toBeLessThan(500);
    expect((await session.open(at("/"), never)).page.heading).toBe("Start");
  });

  it("is a time limit when a page hangs, and a fresh page works afterwards", async () => {
    const own = await stage.launch();
    started.push(own);
    await own.open(at("/hang"), never);
    expect(await codeOf(own.click({ role: "button", name: "Spin" }, never))).toBe("stop.hang");
    expect((await own.open(at("/"), never)).page.heading).toBe("Start");
  });

  it("is a message when the site is not there", async () => {
    expect(await codeOf(session.open(at("/missing"), never))).toBe("none");
    const own = await stage.launch({ destinations: [{ scheme: "https", host: "nowhere.knack.test", port: 443, use: "navigate", allowPrivate: false }] });
    started.push(own);
    expect(await codeOf(own.open("https://nowhere.knack.test/", never))).toBe("dns.error");
  });
});
