import { describe, expect, it } from "vitest";
import type { ShownAction } from "#contract/learning/schema.ts";
import { tidyShowing } from "#core/learning/index.ts";
import { clickOn, fileCame, openSite, pressKey, typeIn } from "../../fixtures/makers/shown-run.ts";

const told = (actions: readonly ShownAction[]): string[] =>
  tidyShowing(actions).kept.map(({ kind, target, value }) => [target?.name ?? kind, ...(kind === "fill" ? [value] : [])].join(" "));
const loans = { heading: "Loans", path: "/loans", text: "Loans\nThe Salt Road\nMoss" };
const form = { heading: "Form", path: "/form", text: "Form" };
const start = { heading: "Start", path: "/", text: "Start\nNews" };

describe("what a routine is for is never a detour", () => {
  it("a button in a row and its confirmation, which come back to the same page", () =>
    expect(
      told([openSite(), clickOn("link", "Loans", loans), clickOn("button", "Renew", { within: "Moss", heading: "Sure?" }), clickOn("button", "Yes", loans)]),
    ).toEqual(["open", "Loans", "Renew", "Yes"]));
  it("a button that is followed by a link back", () =>
    expect(
      told([openSite(), clickOn("link", "Loans", loans), clickOn("button", "Return", { within: "Moss" }), clickOn("link", "Back to loans", loans)]),
    ).toContain("Return"));
  it.each(["Cancel", "Cancel booking"])("a %s that is what the routine is for", (name) => {
    const all = { heading: "Bookings", path: "/b", text: "Bookings" };
    expect(told([openSite(all), clickOn("link", "Yoga"), clickOn("button", name, all)])).toEqual(["open", "Yoga", name]);
    expect(told([openSite(all), clickOn("button", "Manage"), clickOn("button", name, { ...all, within: "Yoga" })])).toEqual(["open", "Manage", name]);
  });
  it("what brings a file and leaves the page as it was before the last look around", () => {
    const hire = { heading: "Hire", path: "/hire", text: "Hire\nDetails" };
    const way = [openSite(start), clickOn("link", "Hire", hire), clickOn("tab", "Documents", { ...hire, text: "Hire\nInvoice" })];
    expect(told([...way, clickOn("link", "Invoice", hire), fileCame("invoice.pdf")])).toEqual(["open", "Hire", "Documents", "Invoice", "download"]);
  });
  it("a button whose dialog is closed once it is done", () =>
    expect(told([openSite(start), clickOn("button", "Renew", { heading: "Done" }), clickOn("button", "Close", start), clickOn("link", "Loans")])).toContain(
      "Renew",
    ));
  it("Enter in a form that empties itself", () =>
    expect(told([openSite(start), typeIn("Note", "Milk", start), pressKey("Enter", { heading: "Saved" }), clickOn("link", "Home", start)])).toEqual([
      "open",
      "Note Milk",
      "press",
      "Home",
    ]));
  it("two things added one after the other on one page", () =>
    expect(
      told([
        openSite(form),
        typeIn("Item", "Milk", form),
        clickOn("button", "Add", { ...form, text: "Form\nMilk" }),
        typeIn("Item", "Bread", { ...form, text: "Form\nMilk" }),
        clickOn("button", "Add", { ...form, text: "Form\nMilk\nBread" }),
      ]),
    ).toEqual(["open", "Item Milk", "Add", "Item Bread", "Add"]));
});

describe("what a person would not want repeated", () => {
  it("a dialog that was opened and cancelled", () =>
    expect(told([openSite(start), clickOn("button", "Delete", { heading: "Sure?" }), clickOn("button", "Cancel", start), clickOn("link", "Loans")])).toEqual([
      "open",
      "Loans",
    ]));
  it("a typo corrected after a tick", () =>
    expect(
      told([openSite(form), typeIn("Name", "Aann", form), clickOn("checkbox", "By post", form), typeIn("Name", "Ann", form), clickOn("button", "Send")]),
    ).toEqual(["open", "By post", "Name Ann", "Send"]));
  it("a tick that was taken back", () =>
    expect(
      told([
        openSite(form),
        clickOn("checkbox", "By post", form),
        typeIn("Name", "Ann", form),
        clickOn("checkbox", "By post", form),
        clickOn("button", "Send"),
      ]),
    ).toEqual(["open", "Name Ann", "Send"]));
  it.each(["This field is required", "The date must be in the future", "Please enter a day"])("a sending the page refused: %s", (problem) => {
    const refused = { ...form, text: `Form\n${problem}` };
    expect(
      told([
        openSite(form),
        typeIn("Name", "Ann", form),
        typeIn("Day", "x", form),
        clickOn("button", "Send", refused),
        typeIn("Day", "2027-03-03", refused),
        clickOn("button", "Send", { heading: "Sent" }),
      ]),
    ).toEqual(["open", "Name Ann", "Day 2027-03-03", "Send"]);
  });
  it.each([
    ["a clock", "Start\nIt is 10:40", "Start\nIt is 10:41"],
    ["a counter", "Start\nMessages (3)", "Start\nMessages (2)"],
  ])("a way back to a page on which only %s went on", (_what, before, text) => {
    const first = { ...start, text: before };
    expect(told([openSite(first), clickOn("link", "Messages"), clickOn("link", "Home", { ...start, text }), clickOn("link", "Loans")])).toEqual([
      "open",
      "Loans",
    ]);
  });
  it("a form half filled, left and opened again", () =>
    expect(
      told([
        openSite(start),
        clickOn("link", "Form", form),
        typeIn("Name", "Ann", form),
        clickOn("link", "Home", start),
        clickOn("link", "Form", form),
        typeIn("Name", "Ann", form),
        typeIn("Day", "2027-03-03", form),
        clickOn("button", "Send"),
      ]),
    ).toEqual(["open", "Form", "Name Ann", "Day 2027-03-03", "Send"]));
  it.each([
    ["and left by the way back", clickOn("link", "Home", start)],
    ["and left by the navigation", clickOn("link", "Loans", { landmark: "navigation" })],
  ])("a search that was given up %s", (_what, left) =>
    expect(
      told([openSite(start), typeIn("Search", "renew", start), clickOn("button", "Search", { heading: "Nothing found" }), left, clickOn("link", "Renew it")]),
    ).toEqual(left.landmark === "navigation" ? ["open", "Loans", "Renew it"] : ["open", "Renew it"]),
  );
  it("but not a search whose result was taken", () =>
    expect(told([openSite(start), typeIn("Search", "Moss", start), clickOn("button", "Search", { heading: "Found" }), clickOn("link", "Moss")])).toEqual([
      "open",
      "Search Moss",
      "Search",
      "Moss",
    ]));
});
