import { describe, expect, it } from "vitest";
import type { Call, SkillStep } from "#contract/skills/schema.ts";
import type { PageView } from "#core/ports/index.ts";
import { type Bindings, type Follower, follow } from "#core/replay/index.ts";
import { clickStep } from "../../fixtures/makers/content.ts";
import { link, page } from "../../fixtures/makers/page.ts";

const none: Bindings = { inputs: { type: "object", properties: {}, required: [] }, values: {}, goal: "", named: new Set() };
const press = (name: string): Call => ({ tool: "browser_click", args: { target: { role: "link", name } } });
const start = (steps: SkillStep[]): Follower => follow(steps, none);

/** Lets the follower see that a call went well and led from one page to another. */
function took(follower: Follower, call: Call, before: PageView, after: PageView) {
  return follower.took(call, follower.look(before), { before, page: after, downloads: [], resultText: "" });
}

const home = page("Home", [link("Bills"), link("Help")]);
const bills = page("Bills", [link("March")]);
const march = page("March");

describe("the place in a routine", () => {
  it("moves on with each step that was due, and its check is evaluated", () => {
    const follower = start([clickStep("Bills"), clickStep("March")]);
    expect(took(follower, press("Bills"), home, bills)).toEqual({ held: true, finding: "heading 'Bills'", step: 1 });
    expect(took(follower, press("March"), bills, march)).toMatchObject({ held: true, step: 2 });
    expect([follower.look(march).kind, follower.standing(march)]).toEqual(["done", "done"]);
  });
  it("moves on over a step that is left to judgement when one call was made", () => {
    const follower = start([clickStep("Bills"), { do: "Decide which to press", onFail: "" }, clickStep("March")]);
    took(follower, press("Bills"), home, bills);
    expect(follower.look(bills).kind).toBe("judge");
    took(follower, press("Help"), bills, bills);
    expect(follower.look(bills)).toMatchObject({ kind: "call", at: 2 });
  });
  it("stays where another step was taken that led nowhere", () => {
    const follower = start([clickStep("Bills"), clickStep("March")]);
    expect(took(follower, press("Help"), home, home)).toBeNull();
    expect(follower.look(home)).toMatchObject({ kind: "call", at: 0 });
    expect(follower.standing(home)).toBe("unfinished");
  });
  it("moves on where another way led to the same page", () => {
    const follower = start([clickStep("Bills"), clickStep("March")]);
    expect(took(follower, press("Help"), home, bills)).toMatchObject({ held: true, step: 1 });
    expect(follower.look(bills)).toMatchObject({ kind: "call", at: 1 });
  });
  it("a check that did not hold is kept until the next one", () => {
    const follower = start([clickStep("Bills"), clickStep("March")]);
    const wrong = page("Sign in", [link("March")]);
    took(follower, press("Bills"), home, wrong);
    expect(follower.lastCheck).toMatchObject({ held: false, step: 1, finding: "expected heading 'Bills', saw 'Sign in'" });
    took(follower, press("March"), wrong, march);
    expect(follower.lastCheck).toMatchObject({ held: true, step: 2 });
  });
  it("a judgement at the end leaves it judged, one before the end unfinished", () => {
    const judge: SkillStep = { do: "Read the page", onFail: "" };
    const atEnd = start([clickStep("Bills"), judge]);
    took(atEnd, press("Bills"), home, bills);
    expect(atEnd.standing(bills)).toBe("judged");
    const before = start([judge, clickStep("Bills")]);
    expect(before.standing(home)).toBe("unfinished");
  });
  it("IND-17: a step that is repeated stays until the next one's target is there", () => {
    const older = { ...clickStep("Older"), repeatUntilNext: true };
    const follower = start([older, clickStep("March")]);
    const first = page("Bills", [link("May"), link("Older")], { lines: ["May"] });
    const second = page("Bills", [link("April"), link("Older")], { lines: ["April"] });
    const third = page("Bills", [link("March"), link("Older")], { lines: ["March"] });
    expect(took(follower, press("Older"), first, second)).toBeNull();
    expect(follower.look(second)).toMatchObject({ kind: "call", at: 0 });
    took(follower, press("Older"), second, third);
    expect(follower.look(third)).toMatchObject({ kind: "call", at: 1 });
  });
});

describe("searching for a target", () => {
  const listed = (number: number, names: string[]): PageView => page("Bills", [...names.map((name) => link(name)), link("Next")], { lines: [`${number}`] });

  it("goes by what shows more of the list, and ends", () => {
    const follower = start([clickStep("March")]);
    const due = follower.look(listed(1, ["May"]));
    expect(due).toMatchObject({ kind: "search", wanted: "link March", ways: [{ name: "Next" }] });
    if (due.kind !== "search") return;
    expect(Array.from({ length: 61 }, () => follower.searchedTooOften(due))).toEqual([...Array.from({ length: 60 }, () => false), true]);
  });
  it("with no way to look further it is too often after four", () => {
    const follower = start([clickStep("March")]);
    const due = follower.look(page("Bills", [link("May")]));
    if (due.kind !== "search") throw new Error("it is not searched for");
    expect(Array.from({ length: 5 }, () => follower.searchedTooOften(due))).toEqual([false, false, false, false, true]);
  });
  it("does not search a page it saw before again", () => {
    const follower = start([clickStep("March")]);
    const first = listed(1, ["May"]);
    took(follower, press("Next"), first, first);
    expect(follower.look(first)).toMatchObject({ kind: "search", ways: [] });
  });
});
