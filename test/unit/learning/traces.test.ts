import { describe, expect, it } from "vitest";
import type { ShownAction } from "#contract/learning/schema.ts";
import { type Generalised, generalise } from "#core/learning/index.ts";
import { choose, clickOn, openSite, typeIn } from "../../fixtures/makers/shown-run.ts";

const made = (goal: string, ...actions: ShownAction[]): Generalised =>
  generalise(goal, [openSite(), ...actions, clickOn("button", "Go on")], new Date(Date.UTC(2027, 0, 10)));
const written = (goal: string, ...actions: ShownAction[]): unknown[] =>
  made(goal, ...actions)
    .steps.slice(1, -1)
    .map(({ call }) => call?.args["text"] ?? call?.args["option"] ?? (call?.args["target"] as { name: string } | undefined)?.name);

describe("an option the goal names in part", () => {
  const projects = ["Alpha (internal)", "Beta (client)", "Gamma"];
  it.each([
    ["Log 7.5 hours on Beta", "Beta (client)", projects],
    ["Log this on gamma", "Gamma", projects],
    ["Report a broken lamp", "Lamp or sign that is damaged", ["Pothole", "Lamp or sign that is damaged", "Litter"]],
  ])("SHO-04: %s is an input with the choices", (goal, option, options) => {
    const run = made(goal, choose("Kind", option, options));
    expect([run.steps[1]?.call?.args["option"], run.inputs["kind"]?.choices, run.notes]).toEqual(["{{kind}}", options, []]);
  });
  it("SHO-04: one the goal does not name is constant, and the note says so", () => {
    const run = made("Log this on Beta", choose("Rate", "Standard (day)", ["Standard (day)", "Night"]));
    expect([run.steps[1]?.call?.args["option"], run.notes]).toEqual([
      "Standard (day)",
      ['"Standard (day)" in Rate is kept as it is: the goal does not name it.'],
    ]);
  });
});

describe("a part of another value is no trace", () => {
  it.each([
    ["a day of the same month", "Book it from 3 March 2027", typeIn("Until", "2027-03-05"), "2027-03-05"],
    ["the same, written out", "Book it from 3 March 2027", typeIn("Until", "5 March 2027"), "5 March 2027"],
    ["the same day of another month", "Book it from 3 March 2027", typeIn("Until", "03/04/2027"), "03/04/2027"],
    ["a number that is the day's", "Book it on 3 March 2027", typeIn("Guests", "3"), "3"],
    ["a number that is the year's", "Book it on 3 March 2027", typeIn("Places", "2027"), "2027"],
    ["a number within a longer one", "Pay 150 pounds", typeIn("Fee", "150.50"), "150.50"],
    ["the word of a month within a day", "Book it on 3 March 2027", typeIn("Note", "March outing"), "March outing"],
    ["a number within a time", "Book it at 10:30", typeIn("Guests", "10"), "10"],
    ["a button with another day of the month", "Open the plan of 3 March 2027", clickOn("button", "5 March 2027"), "5 March 2027"],
    ["a month within another day", "Send the March 2027 report", typeIn("Sent on", "2027-03-17"), "2027-03-17"],
  ])("SHO-04: %s", (_what, goal, action, wanted) => expect(written(goal, action)).toEqual([wanted]));
  it.each([
    ["the day itself", "Book it on 3 March 2027", typeIn("Day", "2027-03-03"), "{{day|YYYY-MM-DD}}"],
    ["a number beside the day", "Book it on 3 March 2027 for 4 guests", typeIn("Guests", "4"), "{{guests}}"],
    ["the first of a month", "Send the report since March 2027", typeIn("From", "2027-03-01"), "{{from|YYYY-MM}}-01"],
    ["a day in what is chosen", "Book the week of 10 May 2027", choose("Week", "Week of 10 May 2027", ["Week of 10 May 2027"]), "Week of {{week|D MMMM YYYY}}"],
  ])("SHO-04: but %s is one", (_what, goal, action, wanted) => expect(written(goal, action)).toEqual([wanted]));
  it.each(["Rent May", "Trip on 3 March 2027", "Invoice 2027"])("SHO-04: what the goal quotes as a whole is one value: %s", (text) => {
    const run = made(`Pay 40 pounds with the reference "${text}"`, typeIn("Reference", text));
    expect([run.steps[1]?.call?.args["text"], run.inputs["reference"]?.kind]).toEqual(["{{reference}}", "text"]);
  });
});

describe("a day in several fields", () => {
  const days = Array.from({ length: 31 }, (_, day) => String(day + 1));
  const months = ["January", "February", "March", "April"];
  const years = ["2026", "2027", "2028"];
  it("SHO-01: day, month and year in lists are one date", () => {
    const run = made("Report me absent on 14 February 2027", choose("Day", "14", days), choose("Month", "February", months), choose("Year", "2027", years));
    expect(run.steps.slice(1, 4).map(({ call }) => call?.args["option"])).toEqual(["{{date|D}}", "{{date|MMMM}}", "{{date|YYYY}}"]);
    expect([Object.keys(run.inputs), run.values]).toEqual([["date"], { date: "2027-02-14" }]);
  });
  it("SHO-01: in any order and any form", () =>
    expect(written("It was on 4 February 2027", choose("Month", "02", ["01", "02"]), typeIn("Day", "04"), typeIn("Year", "27"))).toEqual([
      "{{date|MM}}",
      "{{date|DD}}",
      "{{date|YY}}",
    ]));
  it("SHO-01: a month and its year as well", () =>
    expect(written("Show April 2027", choose("Month", "April", months), choose("Year", "2027", years))).toEqual(["{{month|MMMM}}", "{{month|YYYY}}"]));
  it.each([
    ["years", "Download the November 2026 statement", choose("Year", "2026", ["2027", "2026", "2025"]), "{{month|YYYY}}"],
    ["years after a first entry", "Book a visit on 3 March 2027", choose("Year", "2027", ["Choose", "2027", "2026"]), "{{date|YYYY}}"],
    ["months", "Book a visit on 3 March 2027", choose("Month", "Mar", ["Jan", "Feb", "Mar"]), "{{date|MMM}}"],
  ])("SHO-01: a list of %s alone is a part of the date", (_what, goal, action, wanted) => expect(written(goal, action)).toEqual([wanted]));
  it("SHO-04: a list of months beside one of days is a part of that day", () =>
    expect(written("Book it on 3 March 2027", choose("Day", "5", days), choose("Month", "March", months))).toEqual(["5", "March"]));
  it("SHO-04: a list of numbers alone is not", () => expect(written("Book it on 3 March 2027", choose("Guests", "3", ["1", "2", "3"]))).toEqual(["3"]));
  it("SHO-01: where the goal names the day without its year, the year stays", () =>
    expect(written("Report me absent on 14 February", choose("Day", "14", days), choose("Month", "February", months), choose("Year", "2027", years))).toEqual([
      "{{date|D}}",
      "{{date|MMMM}}",
      "2027",
    ]));
  it("SHO-01: another day than the goal's is none of it", () =>
    expect(written("Report me absent on 14 February 2027", choose("Day", "15", days), choose("Month", "March", months), choose("Year", "2027", years))).toEqual(
      ["15", "March", "2027"],
    ));
});
