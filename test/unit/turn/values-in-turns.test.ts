import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "#core/tools/index.ts";
import { billGoal, portal } from "../../fixtures/makers/bill-runs.ts";
import { input, procedure } from "../../fixtures/makers/content.ts";
import { billsSite, type MadeSite, permitSite } from "../../fixtures/makers/made-site.ts";
import { button, field, link, page } from "../../fixtures/makers/page.ts";
import { type Finished, type Stage, stage } from "../../fixtures/makers/stage.ts";
import { taught } from "../../fixtures/makers/taught.ts";

const council = "https://council.example/";
const inn = "https://inn.example/";

/** Rooms from a day to another one. */
const innSite: MadeSite = {
  origin: "https://inn.example",
  view(path, typed) {
    const told = (name: string): { value: string } => ({ value: typed.get(name) ?? "" });
    if (path === "/rooms")
      return page("Rooms", [field("Arrival", told("Arrival")), field("Departure", told("Departure")), button("Book")], { url: `${inn}rooms` });
    return page(path === "/" ? "Inn" : "Booked", [link("Rooms")], { url: inn.slice(0, -1) + path });
  },
  press: (_path, { name }) => ({ to: name === "Book" ? "/booked" : "/rooms" }),
};

async function withSkill(site: MadeSite, goal: string, way: Parameters<typeof taught>[2]): Promise<Stage> {
  const on = stage(site);
  await on.addSkill("taught", await taught(site, goal, way));
  return on;
}
const run = (on: Stage, goal: string, conversationId = on.world.makeId()): Promise<Finished> =>
  on.turn(goal, [], { skill: "taught", mode: "strict", conversationId });

const permits = (): Promise<Stage> =>
  withSkill(permitSite(), `Request a visitor permit for KX27 ABC on 14 February 2027 in the Old Town from ${council}`, [
    ["open", council],
    ["click", "link", "Visitor permit"],
    ["fill", "Registration", "KX27 ABC"],
    ["fill", "Day", "2027-02-14"],
    ["select", "Zone", "Old Town"],
    ["click", "button", "Request permit"],
  ]);
const billing = (): Promise<Stage> =>
  withSkill(billsSite(), billGoal("December"), [
    ["open", portal],
    ["click", "link", "Bills"],
    ["click", "button", "Download December 2026 bill"],
  ]);
const rooms = (): Promise<Stage> =>
  withSkill(innSite, `Book a room from 1 March 2027 to 5 March 2027 at ${inn}`, [
    ["open", inn],
    ["click", "link", "Rooms"],
    ["fill", "Arrival", "2027-03-01"],
    ["fill", "Departure", "2027-03-05"],
    ["click", "button", "Book"],
  ]);
const typedIn = (on: Stage): readonly string[] => on.calls().filter((call) => call.startsWith("fill"));

describe("values of a goal, in a turn", () => {
  it.each([
    ["on 14 Feb 2027", "2027-02-14"],
    ["on 12.01.2027", "2027-01-12"],
    ["for tomorrow", "2027-01-11"],
    ["on 2027-02-14", "2027-02-14"],
    ["on Feb 14th, 2027", "2027-02-14"],
    ["the day after tomorrow", "2027-01-12"],
  ])("INP-01: a day said %s is typed as the shown one was", async (said, day) => {
    const on = await permits();
    const { episode } = await run(on, `Request a visitor permit for AB12 CDE ${said} in the North from ${council}`);
    expect([typedIn(on), episode.outcome]).toEqual([["fill Registration: AB12 CDE", `fill Day: ${day}`], "success"]);
  });

  it("INP-01: tomorrow is the day after the turn's, whatever day the skill was shown on", async () => {
    const on = await permits();
    on.setClock(Date.UTC(2028, 1, 28, 12));
    await run(on, `Request a visitor permit for AB12 CDE for tomorrow in the North from ${council}`);
    expect(typedIn(on)).toContain("fill Day: 2028-02-29");
  });

  it("INP-01: last October is the October before the turn", async () => {
    const on = await billing();
    const { episode } = await run(on, `Download the bill of last October from ${portal}`);
    expect([on.calls().at(-1), episode.outcome]).toEqual(["click button Download October 2026 bill", "success"]);
    const later = await billing();
    later.setClock(Date.UTC(2027, 11, 10, 12));
    const { message } = await run(later, `Download the bill of last October from ${portal}`);
    expect([later.calls().filter((call) => call.includes("Download")), message?.text]).toEqual([
      [],
      expect.stringContaining("Download October 2027 bill") as string,
    ]);
  });

  it.each([
    ["Make the report of May", "May 2027"],
    ["Make the report of last October", "October 2026"],
    ["Make the report of March 2025", "March 2025"],
  ])("INP-01: %s: a tool that is no page gets the year that is meant", async (goal, month) => {
    const got: unknown[] = [];
    const run = async (args: unknown) => {
      got.push(args);
      return { text: "made" };
    };
    const args = z.record(z.string(), z.unknown());
    const on = stage(billsSite(), { tools: [defineTool({ id: "make_report", primitive: null, author: "mcp:made", description: "", args, run })] });
    const call = { tool: "make_report", args: { of: { month: "{{month|MMMM YYYY}}" } } };
    await on.addSkill(
      "make-report",
      procedure("Make the report of June 2026", {
        inputs: { type: "object", properties: { month: input("month", { examples: ["June 2026"] }) }, required: ["month"] },
        bindings: [{ goal: "Make the report of June 2026", inputs: { month: "2026-06" } }],
        steps: [{ do: "Make it", call, check: { result: { matches: "*made*" } }, onFail: "Stop." }],
        toolsRequired: ["make_report"],
        capabilities: { primitives: [], vault: [], destinations: [] },
      }),
    );
    await on.turn(goal, [], { skill: "make-report", mode: "strict" });
    expect(got).toEqual([{ of: { month } }]);
  });

  it.each(["Download my bill", "Download my bill please, the usual one", "Download the last bill", "Download the bill of 1 of them"])(
    "INP-02: %s: the month is asked for and nothing is done",
    async (said) => {
      const on = await billing();
      const { message, episode } = await run(on, `${said} from ${portal}`, "talk");
      expect([message?.text, on.calls(), on.model.requests, episode.open]).toEqual([
        expect.stringContaining("you did not say the month") as string,
        [],
        [],
        true,
      ]);
      await on.turn("November 2026", [], { conversationId: "talk", mode: "strict" });
      expect(on.calls().at(-1)).toBe("click button Download November 2026 bill");
    },
  );

  it.each([
    ["to 9 April 2027 from 2 April 2027", "2027-04-02", "2027-04-09"],
    ["from 2 April 2027 to 9 April 2027", "2027-04-02", "2027-04-09"],
    ["from tomorrow to 3 February 2027", "2027-01-11", "2027-02-03"],
  ])("INP-03: a room %s", async (said, arrival, departure) => {
    const on = await rooms();
    await run(on, `Book a room ${said} at ${inn}`);
    expect(typedIn(on)).toEqual([`fill Arrival: ${arrival}`, `fill Departure: ${departure}`]);
  });

  it.each([
    ["to 9 April 2027", /you did not say the arrival/iu],
    ["from 2 April 2027", /you did not say the departure/iu],
    ["on 2 April 2027", /you did not say/u],
    ["on 2 April 2027 or 9 April 2027 or 11 April 2027", /you did not say/u],
  ])("INP-03: a room %s: what is not told apart is asked for, and nothing is typed", async (said, asked) => {
    const on = await rooms();
    const { message } = await run(on, `Book a room ${said} at ${inn}`);
    expect([on.calls(), message?.text]).toEqual([[], expect.stringMatching(asked)]);
  });
});
