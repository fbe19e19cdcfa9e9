import { describe, expect, it } from "vitest";
import type { Target } from "#contract/skills/schema.ts";
import type { PageElement } from "#core/ports/index.ts";
import { type Bindings, findTarget } from "#core/replay/index.ts";
import { input } from "../../fixtures/makers/content.ts";
import { button, inRows, link, page } from "../../fixtures/makers/page.ts";

const none: Bindings = { inputs: { type: "object", properties: {}, required: [] }, values: {}, goal: "", named: new Set() };
const monthly: Bindings = {
  inputs: { type: "object", properties: { month: input("month") }, required: ["month"] },
  values: { month: "2026-03" },
  goal: "Download the March 2026 bill",
  named: new Set(["month"]),
};
const seen = (target: Target, elements: PageElement[], bindings: Bindings = none): string => {
  const sight = findTarget(target, page("Page", elements), bindings);
  if (sight.kind === "several") return `several: ${sight.among.map((element) => element.label).join(", ")}`;
  return sight.kind === "found" ? sight.element.label : `missing, siblings: ${sight.siblings.map((element) => element.name).join(", ")}`;
};
const at = (role: string, name: string, within?: string): Target => ({ role, name, ...(within === undefined ? {} : { within }) });

describe("a name that changes by itself is found by its stable part (SHO-05)", () => {
  it.each([
    ["Messages (3)", "Messages (12)"],
    ["Messages (3)", "Messages"],
    ["Messages", "Messages (99+)"],
    ["Basket [2]", "Basket [1]"],
    ["Inbox · 4", "Inbox · 17"],
    ["Basket (2 items, £30.00)", "Basket (1 item, £12.50)"],
    ["Inbox, 3 unread", "Inbox, 11 unread"],
    ["Queue – 3 waiting", "Queue"],
    ["Notes • 1 new", "Notes"],
    ["Alerts: 1", "Alerts: 2"],
    ["Agenda, 30 November 2026", "Agenda, 1 December 2026"],
    ["Bookings on Monday 30 November", "Bookings on Tuesday 1 December"],
    ["Statement of March 2026", "Statement of April 2026"],
  ])("%s as %s", (shown, now) => {
    expect(seen(at("link", shown), [link("Other"), link(now), link("More")])).toBe(`link ${now}`);
  });
  it.each([
    ["Page 2", "Page 3"],
    ["Meter 1", "Meter 2"],
    ["Delete (1)", "Remove (1)"],
    ["(3)", "(4)"],
    ["30 November 2026", "1 December 2026"],
    ["Room 204", "Room 205"],
  ])("%s is not %s", (shown, now) => {
    expect(seen(at("link", shown), [link(now)])).toContain("missing");
  });
  it.each([
    ["Room 12", "Room 14"],
    ["2 bedroom flat", "3 bedroom flat"],
    ["Order 10231", "Order 1025"],
  ])("a number that may say which one is no counter: %s is not %s", (shown, now) => expect(seen(at("link", shown), [link(now)])).toContain("missing"));
  it("two that could be meant are none", () => {
    expect(seen(at("link", "Messages (3)"), [link("Messages (4)"), link("Messages (5)")])).toContain("missing");
  });
  it("the same name as shown stands above one that changed", () => {
    expect(seen(at("link", "Messages (3)"), [link("Messages (4)"), link("Messages (3)")])).toBe("link Messages (3)");
  });
  it("an element of another role is not taken for it", () => {
    expect(seen(at("link", "Messages (3)"), [button("Messages (4)")])).toContain("missing");
  });
  it("a value of the goal is no counter: its siblings stay untouched", () => {
    expect(seen(at("button", "Bill of {{month|MMMM YYYY}}"), [button("Bill of April 2026")], monthly)).toBe("missing, siblings: Bill of April 2026");
  });
});

describe("a value of the goal in a name", () => {
  it.each(["Download March 2026 bill", "Download 03/2026 bill", "Download Mar 2026 bill", "Download 2026-03 bill"])("is found as %s", (name) => {
    const others = [button("Download April 2026 bill"), button(name)];
    expect(seen(at("button", "Download {{month|MMMM YYYY}} bill"), others, monthly)).toBe(`button ${name}`);
  });
  it("SHO-09: is missing where only siblings are there, and they are named", () => {
    const others = [button("Download April 2026 bill"), button("Download May 2026 bill"), button("Help")];
    expect(seen(at("button", "Download {{month|MMMM YYYY}} bill"), others, monthly)).toBe(
      "missing, siblings: Download April 2026 bill, Download May 2026 bill",
    );
  });
  it("a control that is switched off is not there", () => {
    const off = button("Download March 2026 bill", { disabled: true });
    expect(seen(at("button", "Download {{month|MMMM YYYY}} bill"), [off], monthly)).toContain("missing");
  });
});

describe("equal names in rows", () => {
  const rows = inRows("button", "Renew", [
    ["Dune", "due 3 May"],
    ["Emma", "due 4 May"],
  ]);
  it("are told apart by the row", () => expect(seen(at("button", "Renew", "Emma"), rows)).toBe("button Renew (Emma)"));
  it("no row of that name is none of them", () => expect(seen(at("button", "Renew", "Ulysses"), rows)).toContain("missing"));
  it("where the name stands alone the row may be gone", () => expect(seen(at("button", "Renew", "Emma"), [button("Renew")])).toBe("button Renew"));
  it("but not a row that carries a value of the goal", () => {
    const titled: Bindings = {
      inputs: { type: "object", properties: { book: input("text") }, required: ["book"] },
      values: { book: "Ulysses" },
      goal: "Renew Ulysses",
      named: new Set(["book"]),
    };
    expect(seen(at("button", "Renew", "{{book}}"), [button("Renew")], titled)).toContain("missing");
  });
});

describe("names and rows of several values", () => {
  const bound = (properties: Bindings["inputs"]["properties"], values: Record<string, string>, goal: string): Bindings => ({
    inputs: { type: "object", properties, required: Object.keys(properties) },
    values,
    goal,
    named: new Set(Object.keys(values)),
  });
  it("the words beside a typed value are taken from the page", () => {
    const target = at("button", "Book {{item}} at {{time|HH:mm}}");
    const buttons = [button("Book Spin at 06:45"), button("Book Pump at 18:30"), button("Book Spin at 18:30")];
    expect(seen(target, buttons, bound({ item: input("text"), time: input("time") }, { time: "18:30" }, "get me into Spin at 18:30"))).toBe(
      "button Book Spin at 18:30",
    );
  });
  it("a narrower name that the goal speaks of as well is asked about", () => {
    const seats = [link("Swan Lake"), link("Swan Lake for Children")];
    const swan = (goal: string): string => seen(at("link", "{{item}}"), seats, bound({ item: input("text") }, {}, goal));
    expect(swan("two seats for Swan Lake")).toBe("link Swan Lake");
    expect(swan("two seats for the children's Swan Lake")).toBe("several: link Swan Lake, link Swan Lake for Children");
  });
  it("a range of figures is told by all of it, a lone figure is not", () => {
    const target = at("link", "Worksheet, ages {{item}}");
    const links = [link("Worksheet, ages 5 to 7"), link("Worksheet, ages 7 to 9")];
    expect(seen(target, links, bound({ item: input("text") }, {}, "the sheet for ages 7 to 9"))).toBe("link Worksheet, ages 7 to 9");
    expect(seen(at("link", "Sheet {{item}}"), [link("Sheet 7"), link("Sheet 9")], bound({ item: input("text") }, {}, "the sheet for 9 children"))).toContain(
      "missing",
    );
  });
  const journeys = [
    ["TV-1", "3 March 2027 | Alder to Birch"],
    ["TV-2", "3 March 2027 | Birch to Alder"],
    ["TV-3", "9 March 2027 | Alder to Birch"],
  ].map(([name = "", context = ""]) => link(name, { context }));
  const journey = { day: input("date"), item: input("text") };
  const inRowOf = at("link", "TV-*", "{{day|D MMMM YYYY}}*{{item}}");
  it("a row is found by all that is known of it", () =>
    expect(seen(inRowOf, journeys, bound(journey, { day: "2027-03-03" }, "my journey Birch to Alder on 3 March 2027"))).toBe("link TV-2"));
  it("where a part of it is not known, the rows that may be meant are asked about", () => {
    expect(seen(inRowOf, journeys, bound(journey, { day: "2027-03-09" }, "the one of 9 March 2027"))).toBe("several: link TV-3");
    expect(seen(inRowOf, journeys, bound(journey, { day: "2027-03-09" }, "the trip to birch from alder, 9 March 2027"))).toBe("link TV-3");
    expect(seen(inRowOf, journeys, bound(journey, { day: "2027-03-03" }, "the one of 3 March 2027"))).toBe("several: link TV-1, link TV-2");
  });
  it("a link that the goal names half is taken as it was shown, unless another one is named as much", () => {
    const item = { ...input("text"), examples: ["Delay Repay"] };
    const links = [link("Refund a ticket"), link("Delay Repay"), link("Other delays and refunds")];
    const others = { day: input("date"), price: input("amount") };
    const half = (goal: string, values: Record<string, string> = { day: "2027-03-03", price: "9" }): string =>
      seen(at("link", "{{item}}"), links, bound({ item, ...others }, values, goal));
    expect(half("put in a claim for the delay")).toBe("link Delay Repay");
    expect(half("get my money back")).toContain("missing");
    expect(half("put in a refund for the delay")).toContain("missing");
    // Nothing else says that it is this routine's goal, or it names something else.
    expect(half("put in a claim for the delay", {})).toContain("missing");
    expect(half("put in a Seat Claim for the delay")).toContain("missing");
  });

  it("what was shown stands in for what the goal does not name, but not in a list that goes on", () => {
    const item = { ...input("text"), default: "Beetroot", examples: ["beetroot"] };
    const crops = [link("Beetroot"), link("Carrot")];
    const sow = (goal: string, more: PageElement[] = []): string =>
      seen(at("link", "{{item}}"), [...crops, ...more], { ...bound({ item }, { item: "Beetroot" }, goal), named: new Set() });
    expect(sow("sow in bed 3")).toBe("link Beetroot");
    expect(sow("sow rocket in bed 3", [link("Next page")])).toContain("missing");
    expect(sow("sow beetroot in bed 3", [link("Next page")])).toBe("link Beetroot");
    expect(sow("sow carrot in bed 3", [link("Next page")])).toBe("link Carrot");
    const wines = { ...bound({ item: { ...input("text"), default: "Red" } }, { item: "Red" }, "4 bottles from the sparkling wines"), named: new Set<string>() };
    expect(seen(at("link", "{{item}} wines"), [link("Red wines"), link("Sparkling wines")], wines)).toBe("link Sparkling wines");
  });
});
