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
