import { describe, expect, it } from "vitest";
import type { RevisionContent, SkillStep } from "#contract/skills/schema.ts";
import { follow } from "#core/replay/index.ts";
import { billGoal, portal } from "../../fixtures/makers/bill-runs.ts";
import { billsSite, type MadeSite, permitSite } from "../../fixtures/makers/made-site.ts";
import { opens, presses, type Stage, stage } from "../../fixtures/makers/stage.ts";
import { taught } from "../../fixtures/makers/taught.ts";

const skill = "download-bill";
const bill = (): Promise<RevisionContent> =>
  taught(billsSite(), billGoal("December"), [
    ["open", portal],
    ["click", "link", "Bills"],
    ["click", "button", "Download December 2026 bill"],
  ]);
const past = `Download the March 2025 bill from ${portal}`;
const outcomes = (on: Stage): unknown[] => on.stores.skills.runs(on.stores.skills.byName(skill)?.id ?? "").map(({ outcome, finding }) => [outcome, finding]);

describe("what was asked for is not there", () => {
  it("three times over: it is said with the names that are there, counts neither way, and the skill stays on", async () => {
    const on = stage(billsSite());
    await on.addSkill(skill, await bill());
    for (let times = 0; times < 3; times++) {
      const { message, turn } = await on.turn(past, [], { skill, mode: "strict" });
      expect(message?.text).toMatch(
        /^March 2025 is not there: .*There is: Download December 2026 bill; .*Download \w+ 2026 bill.* say which one you mean instead\.$/u,
      );
      expect(turn.status).toBe("done");
    }
    expect(outcomes(on)).toEqual(Array(3).fill(["abandoned", "Step 3: March 2025 is not there"]));
    expect([on.stores.skills.byName(skill)?.status, on.stores.alerts.list()]).toEqual(["provisional", []]);
    expect((await on.turn(billGoal("May"), [], { skill, mode: "strict" })).episode.outcome).toBe("success");
  });

  it("names of every page that was looked through are told, not those of the last alone", async () => {
    const on = stage(billsSite());
    await on.addSkill(skill, await bill());
    const { message } = await on.turn(past, [], { skill, mode: "strict" });
    for (const month of ["December", "July", "January"]) expect(message?.text).toContain(`Download ${month} 2026 bill`);
  });

  it("an option that a list does not offer is the same, with what it offers", async () => {
    const council = "https://council.example/";
    const content = await taught(permitSite(), `Request a visitor permit for KX27 ABC on 14 February 2027 in the Old Town from ${council}`, [
      ["open", council],
      ["click", "link", "Visitor permit"],
      ["fill", "Registration", "KX27 ABC"],
      ["fill", "Day", "2027-02-14"],
      ["select", "Zone", "Old Town"],
      ["click", "button", "Request permit"],
    ]);
    // The zone is not one any more.
    const site = permitSite();
    const on = stage({
      ...site,
      view(path, typed) {
        const seen = site.view(path, typed);
        return { ...seen, elements: seen.elements.map((one) => (one.name === "Zone" ? { ...one, options: ["North", "South"] } : one)) };
      },
    });
    await on.addSkill(skill, content);
    const goal = `Request a visitor permit for AB12 CDE on 3 March 2027 in the Old Town from ${council}`;
    const { message, episode } = await on.turn(goal, [], { skill, mode: "strict" });
    expect([episode.outcome, message?.text]).toEqual(["abandoned", expect.stringMatching(/^Old Town is not there: .*There is: North; South\./u)]);
  });

  it("with the model at the wheel it is said once it has looked wherever there is a way on", async () => {
    const on = stage(billsSite());
    await on.addSkill(skill, await bill());
    const way = ["Bills", "Older", "Older", "Newer", "Older"].map((name) => presses(`link ${name}`));
    const { message, episode } = await on.turn(past, [opens(portal), ...way], { skill });
    expect([episode.outcome, message?.text]).toEqual(["abandoned", expect.stringMatching(/^March 2025 is not there/u)]);
  });

  it("where a way on was passed over for something else nobody can say so", async () => {
    const { steps, inputs } = await bill();
    const site = billsSite();
    const at = (path: string) => site.view(path, new Map());
    const bindings = { inputs, values: { month: "2025-03", item: "Bills" }, goal: past, named: new Set(["month"]) };
    const press = (name: string) => ({ tool: "browser_click", args: { target: { role: "link", name } } });
    const found = (way: readonly (readonly [name: string, path: string])[]) => {
      const follower = follow(steps.slice(2), bindings);
      let before = at("/bills/1");
      for (const [name, path] of way) {
        const page = at(path);
        follower.took(press(name), follower.look(before), { before, page, downloads: [], resultText: "" });
        before = page;
      }
      const due = follower.look(before);
      return due.kind === "search" ? (follower.absent(due)?.asked ?? null) : due.kind;
    };
    const through = [
      ["Older", "/bills/2"],
      ["Older", "/bills/3"],
      ["Newer", "/bills/2"],
    ] as const;
    expect([found(through), found([["Help", "/help"]]), found([["Older", "/bills/2"]])]).toEqual(["March 2025", null, null]);
  });
});

describe("a page that has changed still counts", () => {
  const without = (name: string, change: Partial<MadeSite> = {}): MadeSite => {
    const site = billsSite();
    return {
      ...site,
      view(path, typed) {
        const seen = site.view(path, typed);
        return { ...seen, elements: seen.elements.filter((element) => !element.name.includes(name)) };
      },
      ...change,
    };
  };

  it("where the step's own control is gone, with nothing of its kind, and switches the skill off", async () => {
    const on = stage(without("2026 bill"));
    await on.addSkill(skill, await bill());
    for (let times = 0; times < 2; times++) await on.turn(billGoal("December"), [], { skill, mode: "strict" });
    expect(outcomes(on).map((one) => (one as [string, string])[0])).toEqual(["failure", "failure"]);
    expect([on.stores.skills.byName(skill)?.status, on.stores.alerts.list().length]).toEqual(["disabled", 1]);
  });

  it("where a link on the way is gone", async () => {
    const on = stage(without("Bills"));
    await on.addSkill(skill, await bill());
    await on.turn(billGoal("December"), [], { skill, mode: "strict" });
    expect(outcomes(on)).toEqual([["failure", expect.stringContaining("Step 2: expected link Bills")]]);
  });

  it("where what was shown, and nobody asked for, is gone", async () => {
    const content = await bill();
    const [first, second, third] = content.steps as [SkillStep, SkillStep, SkillStep];
    const fixed: SkillStep = {
      ...third,
      do: "Press",
      call: { tool: "browser_click", args: { target: { role: "button", name: "Download {{month|MMMM YYYY}} bill" } } },
    };
    const month = content.inputs.properties["month"];
    if (!month) throw new Error("no month");
    const on = stage(without("Download December"));
    await on.addSkill(skill, {
      ...content,
      steps: [first, second, fixed],
      inputs: { ...content.inputs, properties: { month: { ...month, default: "2026-12" } }, required: [] },
    });
    await on.turn(`Download my bill from ${portal}`, [], { skill, mode: "strict" });
    expect(outcomes(on).map((one) => (one as [string, string])[0])).toEqual(["failure"]);
  });
});
