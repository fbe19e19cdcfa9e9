import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SkillInput, SkillInputs, ValueKind } from "#contract/skills/schema.ts";
import { taskText } from "#core/skills/index.ts";
import { anyDay, findValues } from "#core/skills/values/index.ts";
import labelled from "#models/calibration/goals.json" with { type: "json" };

const input = (kind: ValueKind, example: string, change: Partial<SkillInput> = {}): SkillInput => ({
  type: "string",
  kind,
  description: kind,
  examples: [example],
  ...change,
});
const inputs = (...all: readonly SkillInput[]): SkillInputs => ({
  type: "object",
  properties: Object.fromEntries(all.map((one, index) => [`input-${index}`, one])),
  required: [],
});
/** Every value that can be told in a goal as an input. */
const told = (goal: string): string => taskText(goal, inputs(...findValues(goal, anyDay).map(({ kind, text }) => input(kind, text))));

describe("what a taught skill does, told for people", () => {
  it.each([
    ["Download the January 2027 bill from https://portal.example/", "Download the bill of a month"],
    ["Please get me the invoice for January 2026 from https://portal.example/", "Please get me the invoice for a month"],
    ["Cancel my 3 March 2027 booking at https://gym.example/", "Cancel my booking of a day"],
    ["Book a 10:00 slot on 3 March 2027 at https://gym.example/", "Book a slot at a time on a day"],
    ["Book a room from 3 March 2027 to 5 March 2027", "Book a room from a day to another day"],
    ["Change the price of my Oak desk to 95 pounds on https://market.example", "Change the price of my Oak desk to an amount"],
    ["Add 7.5 hours on 9 March 2027 to my timesheet", "Add a number of hours on a day to my timesheet"],
    ["Track parcel KX-2041 at https://parcels.example", "Track a parcel by its number"],
    ["Write to ada@example.com about the party", "Write to an e-mail address about the party"],
  ])("%s", (goal, wanted) => expect(told(goal)).toBe(wanted));

  it("an input is called by its name where that says what it is", () =>
    expect(taskText("Send the report to Ada", inputs(input("text", "Ada", { description: "recipient" })))).toBe("Send the report to a recipient"));

  it.each([
    ["Renew The Salt Road", inputs(input("text", "The Salt Road", { description: "item" })), 'Renew The Salt Road (for example "The Salt Road")'],
    [
      "October 2025 invoice, please download it",
      inputs(input("month", "October 2025")),
      'October 2025 invoice, please download it (month, for example "October 2025")',
    ],
    ["Read page 3 of the report", inputs(input("number", "3")), 'Read page 3 of the report (for example "3")'],
  ])("in doubt the goal keeps its own words, with the example: %s", (goal, with_, wanted) => expect(taskText(goal, with_)).toBe(wanted));

  it("what rests on a default stays as it was said, and so does what is no input", () => {
    const month = input("month", "May 2026");
    expect(taskText("Send the May 2026 bill as PDF", inputs(month, input("text", "PDF", { default: "PDF" })))).toBe("Send the bill of a month as PDF");
    expect(taskText("Order 3 boxes for May 2026", inputs(month))).toBe("Order 3 boxes for a month");
  });

  it("does not depend on the day, or on where in the sentence the site stands", () => {
    expect(told("On https://portal.example/ there is my March 2026 invoice, download it")).toBe("On the site there is my invoice of a month, download it");
    expect(told("When is the gala? Look at https://school.example/")).toBe("When is the gala? Look at the site");
  });

  it("stays a sentence for every goal of the sites and of the labelled ones", async () => {
    const folder = join(import.meta.dirname, "../../fixtures/sites");
    const sites = await Promise.all(
      readdirSync(folder)
        .filter((name) => name.endsWith(".mjs"))
        .map(async (name) => ((await import(join(folder, name))) as { default: { goals: readonly { text: string }[] } }).default),
    );
    const goals = [...sites.flatMap((site) => site.goals.map(({ text }) => text)), ...labelled.kinds.flatMap((kind) => kind.goals)];
    expect(goals.length).toBeGreaterThan(300);
    /** Two articles in a row, a stand-in before the very thing it stands apart from, an address, a placeholder, or an end in the middle. */
    const broken = [
      /\b(?:the|my|our|an?) (?:an?|the) \p{L}/iu,
      /\ban? (?:month|day|time|amount) (?!(?:as|and|or|is|are|was|were|has|have|had|will|for|of|on|at|in|from|to|by|via|with|please|so|there|then|about|under|into|if|when|until|till|before|after|since)\b)\p{Ll}/u,
      /https?:|\{\{|\u00b6|\bthat (?:month|day|time|amount|number)\b/u,
      /\b(?:the|my|an?|from|of)$/u,
    ];
    const wrong = goals
      .map((goal) => [goal, told(goal)] as const)
      .filter(([goal, text]) => text === "" || broken.some((one) => one.test(text) && !one.test(goal)));
    expect(wrong).toEqual([]);
  });
});
