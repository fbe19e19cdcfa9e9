import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BrowserSession } from "#core/ports/index.ts";
import { codeOf, html, never, openStage, type Stage } from "./stage.ts";

const host = "swap.knack.test";
const at = (path: string): string => `https://${host}${path}`;

/** A form whose parts the page changes a moment after it was shown. */
const form = (change: string): string =>
  html(`<h1>Details</h1>
    <form id="own" action="/sent-own"><label>Name <input name="who"></label><button>Save</button></form>
    <form id="other" action="/sent-other"><span id="slot"></span></form>
    <script>setTimeout(() => { const button = document.querySelector("#own button"), field = document.querySelector("#own input"); ${change} }, 700)</script>`);

const pages = {
  "/kept": form('document.querySelector("h1").textContent = "Other words"; button.className = "new"'),
  "/twin": form("button.replaceWith(button.cloneNode(true))"),
  "/other-node": form('const trap = document.createElement("button"); trap.textContent = "Save"; slot.replaceWith(trap); button.remove()'),
  "/other-form": form("slot.replaceWith(button)"),
  "/other-way": form('own.action = "/sent-other"'),
  "/form-attribute": form('button.setAttribute("form", "other")'),
  "/field": form("field.replaceWith(Object.assign(document.createElement('input'), { name: 'who' }))"),
  "/list": html(`<h1>List</h1><label>Zone <select id="z"><option>North</option><option>South</option></select></label>
    <script>setTimeout(() => z.replaceWith(z.cloneNode(true)), 700)</script>`),
  "/renamed": form('button.textContent = "Send"; button.textContent = "Save"'),
  "/later": html(
    '<h1>Later</h1><script>setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<form action=/sent-own><button>Save</button></form>"), 700)</script>',
  ),
  "/again": html(
    `<h1>Again</h1><form action="/sent-own"><button>Save</button></form><script>setTimeout(() => location.reload(), sessionStorage.n ? 1e6 : 700); sessionStorage.n = 1</script>`,
  ),
  "/sent-own": html("<h1>Saved</h1>"),
  "/sent-other": html("<h1>Trapped</h1>"),
};

let stage: Stage;
let session: BrowserSession;
beforeAll(async () => {
  stage = await openStage({ [host]: pages });
  session = await stage.launch();
});
afterAll(() => stage.close());

const save = { role: "button", name: "Save" };
const forms = (): readonly string[] => stage.asked(host).filter((line) => line.startsWith("GET /sent-"));

/** Opens a page and lets it change, unseen by whoever was shown it. */
async function shownThenChanged(path: string): Promise<void> {
  await session.open(at(path), never);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}

describe("an element is the node that was shown", () => {
  it.each(["/twin", "/other-node", "/other-form", "/other-way", "/form-attribute", "/again"])(
    "CRED-09: %s: another node or another form under its name is stale, and nothing is done",
    async (path) => {
      const before = forms().length;
      await shownThenChanged(path);
      expect(await codeOf(session.click(save, never))).toBe("ref.stale");
      expect(forms().length).toBe(before);
    },
  );

  it("a field or list in its place is stale as well, and holds nothing of what was to be typed or chosen", async () => {
    await shownThenChanged("/field");
    expect(await codeOf(session.fill({ role: "textbox", name: "Name" }, "Mira", never))).toBe("ref.stale");
    expect((await session.view(never)).elements.find(({ name }) => name === "Name")?.value).toBe("");
    await shownThenChanged("/list");
    expect(await codeOf(session.select({ role: "combobox", name: "Zone" }, "South", never))).toBe("ref.stale");
    expect((await session.view(never)).elements.find(({ name }) => name === "Zone")?.value).toBe("North");
  });

  it.each(["/kept", "/renamed", "/later"])("%s: a page that only changed around it, and one where it came later, is acted on", async (path) => {
    await shownThenChanged(path);
    const { page } = await session.click(save, never);
    expect([page.heading, forms().at(-1)]).toEqual(["Saved", path === "/later" ? "GET /sent-own" : "GET /sent-own?who="]);
  });

  it("is acted on once it was shown where it is now", async () => {
    await shownThenChanged("/other-node");
    expect(await codeOf(session.click(save, never))).toBe("ref.stale");
    await session.view(never);
    expect((await session.click(save, never)).page.heading).toBe("Trapped");
  });
});
