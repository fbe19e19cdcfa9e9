import { describe, expect, it } from "vitest";
import type { BrowserSession, PageTable, PageView } from "#core/ports/index.ts";
import { type Tool, type ToolContext, toolForm, toolRegistry } from "#core/tools/index.ts";
import { button, field, page } from "../../fixtures/makers/page.ts";

const bills: PageTable = {
  kind: "table",
  name: "Bills",
  header: ["Month", "Amount"],
  rows: [
    ["May", "£10"],
    ["June", "£12 | late"],
  ],
  leftOut: 0,
};
const items: PageTable = { kind: "list", name: "To bring", header: [], rows: [["Tent"], ["- Pegs"]], leftOut: 3 };
const shown = page("Account", [button("Pay"), button("Close"), field("Name", { value: "Mira" }), field("Code", { secret: true })], {
  lines: ["Account", "Two bills are open.", "Name: Mira"],
  tables: [bills, items],
  url: "https://portal.example/account?tab=2",
});

/** Shows each page in turn, the last one from then on. */
function contextOf(...pages: readonly PageView[]): ToolContext & { readonly looks: () => number } {
  let looks = 0;
  const view = (): PageView => pages[Math.min(looks++, pages.length - 1)] as PageView;
  const session = { view: async () => view(), wait: async () => ({ page: view(), downloads: [], refused: [] }) } as unknown as BrowserSession;
  return {
    browser: async () => session,
    workspace: null,
    memory: null,
    skills: null,
    now: () => 0,
    makeId: () => "id",
    signal: new AbortController().signal,
    looks: () => looks,
  };
}

const toolOf = (id: string): Tool => toolRegistry.get(id) as Tool;

async function run(id: string, args: Record<string, unknown>, context = contextOf(shown)) {
  const tool = toolOf(id);
  return tool.run(tool.args.parse(args), context);
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "none",
    (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
  );

describe("browser_extract", () => {
  it("gives a table's rows to the model as lines and to the screen as cells", async () => {
    const { text, value, details } = await run("browser_extract", { from: "bills" });
    expect([text, value]).toEqual(["Read 2 of 2 rows. Bills\nMonth | Amount\nMay | £10\nJune | £12 / late", "Month | Amount\nMay | £10\nJune | £12 / late"]);
    expect(details?.table).toEqual({ name: "Bills", kind: "table", header: ["Month", "Amount"], rows: bills.rows, leftOut: 0 });
  });

  it("gives only the rows that mention something, and says what is left out", async () => {
    expect((await run("browser_extract", { from: "Bills", about: "the June bill" })).value).toBe("Month | Amount\nJune | £12 / late");
    expect((await run("browser_extract", { from: "To bring" })).text).toBe(
      "Read 2 of 5 items. To bring\nTent\n- Pegs\n… 3 more are not given; ask about some of them",
    );
    expect((await run("browser_extract", { from: "Bills", about: "gas" })).text).toBe('Read 0 of 2 rows. "Bills" mentions no gas.');
  });

  it("names the tables there are where one is missing, and where none is named", async () => {
    expect(await codeOf(run("browser_extract", { from: "Loans" }))).toBe(
      'browser.table-missing: This page has no table or list "Loans". There is: Bills, To bring.',
    );
    expect((await run("browser_extract", {})).value).toBe("Bills (table, 2)\nTo bring (list, 5)");
    expect((await run("browser_extract", { about: "open bills" })).value).toBe("Two bills are open.");
  });
});

describe("browser_expect", () => {
  it.each([
    [{ text: "two bills" }],
    [{ text: "two * open" }],
    [{ text: "Three bills", is: "gone" }],
    [{ what: "heading", text: "account" }],
    [{ what: "heading", text: "Sign in", is: "gone" }],
    [{ what: "address", text: "/account" }],
    [{ what: "address", text: "https://portal.example/account?tab=2" }],
    [{ what: "value", of: "textbox Name", text: "mira" }],
    [{ what: "value", of: "Name", text: "M*" }],
    [{ what: "count", of: "Bills", text: "2" }],
    [{ what: "count", of: "To bring", text: "at least 5" }],
    [{ what: "count", of: "buttons", text: "at most 2" }],
    [{ what: "count", of: "links", text: "0" }],
  ])("%j holds, and counts as verified", async (args) => {
    const { details } = await run("browser_expect", args);
    expect(details?.verified).toBe(true);
  });

  it.each([
    [{ text: "Mira" }, 'Expected "Mira" on the page, saw "Account".'],
    [{ text: "Two bills", is: "gone" }, 'Expected "Two bills" on the page to be gone, and it is there.'],
    [{ what: "heading", text: "Sign in" }, 'Expected the heading "Sign in", saw "Account".'],
    [{ what: "address", text: "/account/*" }, "Expected the address /account/*, saw https://portal.example/account?tab=2."],
    [{ what: "value", of: "Name", text: "Kim" }, 'Expected "Kim" in the field "Name", saw "Mira".'],
    [{ what: "value", of: "Code", text: "*" }, 'Expected "*" in the field "Code", saw a field whose value is not told.'],
    [{ what: "value", of: "Street", text: "x" }, 'Expected "x" in the field "Street", saw no such field.'],
    [{ what: "count", of: "Bills", text: "3" }, 'Expected 3 of "Bills", saw 2.'],
  ])("%j fails with what was expected and what was seen", async (args, message) => {
    expect(await codeOf(run("browser_expect", { ...args, seconds: 0 }))).toBe(`browser.expectation: ${message}`);
  });

  it("looks again until it holds, and no longer than it was told to", async () => {
    const late = contextOf(page("Wait"), page("Wait"), page("Done"));
    expect((await run("browser_expect", { what: "heading", text: "Done" }, late)).details?.verified).toBe(true);
    expect(late.looks()).toBe(3);
    const never = contextOf(page("Wait"));
    expect(await codeOf(run("browser_expect", { what: "heading", text: "Done", seconds: "1" }, never))).toContain("browser.expectation");
    expect(never.looks()).toBe(5);
  });

  it.each([
    [{ what: "value", text: "x" }, "say which field"],
    [{ what: "count", of: "Bills", text: "many" }, 'say how many: "3", "at least 3" or "at most 3"'],
    [{ text: " " }, "say what is expected"],
  ])("%j is bad input", (args, message) => {
    expect(
      toolOf("browser_expect")
        .args.safeParse(args)
        .error?.issues.map((issue) => issue.message),
    ).toEqual([message]);
  });

  it("can be written in a step", () => {
    expect(toolForm(toolOf("browser_expect"))).toEqual({ tool: "browser_expect", args: [["text", { kind: "text" }]] });
    expect(toolForm(toolOf("browser_extract"), { from: "Bills" })).toEqual({
      tool: "browser_extract",
      args: [["from", { kind: "choice", choices: ["Bills"] }]],
    });
  });
});
