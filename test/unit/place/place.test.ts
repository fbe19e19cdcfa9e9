import { describe, expect, it } from "vitest";
import type { RevisionContent, SkillStep } from "#contract/skills/schema.ts";
import { generalise } from "#core/learning/index.ts";
import type { PageView } from "#core/ports/index.ts";
import { bindInputs } from "#core/recall/index.ts";
import { advance, type Bindings, type Guidance, look, type Place, startPlace } from "#core/replay/index.ts";
import { offeredForms, stepChoices } from "#core/tools/index.ts";
import { input } from "../../fixtures/makers/content.ts";
import { billsSite, permitSite } from "../../fixtures/makers/made-site.ts";
import { link, list, page } from "../../fixtures/makers/page.ts";
import { clickOn } from "../../fixtures/makers/shown-run.ts";
import { shownOn, taught } from "../../fixtures/makers/taught.ts";

const site = billsSite();
const nothing = new Map<string, string>();
const at = (path: string): PageView => site.view(path, nothing);
const home = "https://portal.example/";

const paged = (): Promise<RevisionContent> =>
  taught(site, `Download the August 2026 bill from ${home}`, [
    ["open", home],
    ["click", "link", "Bills"],
    ["click", "link", "Older"],
    ["click", "button", "Download August 2026 bill"],
  ]);
const unpaged = (): Promise<RevisionContent> =>
  taught(site, `Download the November 2026 bill from ${home}`, [
    ["open", home],
    ["click", "link", "Bills"],
    ["click", "button", "Download November 2026 bill"],
  ]);

async function bound(content: RevisionContent, goal: string): Promise<Bindings> {
  const { values, named } = await bindInputs(content, goal, { now: shownOn, model: null, signal: new AbortController().signal });
  return { inputs: content.inputs, values, goal, named: new Set(named) };
}

/** Guidance as one line a person could read. */
function told(guidance: Guidance): string {
  switch (guidance.kind) {
    case "call":
      return `${guidance.at + 1}: ${guidance.call.tool} ${guidance.element?.name ?? String(guidance.call.args["url"] ?? "")}`.trim();
    case "search":
      return `${guidance.at + 1}: look for ${guidance.wanted} by ${guidance.ways.map((way) => way.name).join(", ") || "nothing"}`;
    case "judge":
      return `${guidance.at + 1}: judge`;
    default:
      return "done";
  }
}

describe("keeping the place", () => {
  it("begins with the first step, also without a page", async () => {
    const content = await paged();
    expect(told(look(content.steps, startPlace, null, await bound(content, "the May bill")))).toBe(`1: browser_open ${home}`);
  });

  it("moves on only when the call was the one due", async () => {
    const content = await paged();
    const bindings = await bound(content, "the May bill");
    const place: Place = { at: 1, searched: [] };
    const due = look(content.steps, place, at("/"), bindings);
    const target = (name: string) => ({ tool: "browser_click", args: { target: { role: "link", name } } });
    expect(advance(place, due, target("Messages"), at("/"))).toEqual(place);
    expect(advance(place, due, { tool: "browser_press", args: { key: "Enter" } }, at("/"))).toEqual(place);
    expect(advance(place, due, target("Bills"), at("/"))).toEqual({ at: 2, searched: [] });
  });

  it("a value typed must be the value due", async () => {
    const form = permitSite();
    const content = await taught(form, "Request a visitor permit for KX27 ABC on 14 February 2027 in the Old Town from https://council.example/", [
      ["open", "https://council.example/"],
      ["click", "link", "Visitor permit"],
      ["fill", "Registration", "KX27 ABC"],
      ["fill", "Day", "2027-02-14"],
      ["select", "Zone", "Old Town"],
      ["click", "button", "Request permit"],
    ]);
    const bindings = await bound(content, "Request a visitor permit for AB12 CDE on 3 March 2027 in the North from https://council.example/");
    const place: Place = { at: 3, searched: [] };
    const due = look(content.steps, place, form.view("/permit", nothing), bindings);
    const target = { role: "textbox", name: "Day" };
    expect(due.kind === "call" && due.call.args).toEqual({ target, text: "2027-03-03" });
    expect(advance(place, due, { tool: "browser_fill", args: { target, text: "2027-02-14" } }, null).at).toBe(3);
    expect(advance(place, due, { tool: "browser_fill", args: { target, text: "2027-03-03" } }, null).at).toBe(4);
  });

  it("ends after the last step", async () => {
    const content = await paged();
    expect(told(look(content.steps, { at: content.steps.length, searched: [] }, at("/bills/1"), await bound(content, "the May bill")))).toBe("done");
  });

  it("a step without a call is for the model", () => {
    const steps: SkillStep[] = [{ do: "Read the price and say it", onFail: "" }];
    expect(told(look(steps, startPlace, at("/"), { inputs: { type: "object", properties: {}, required: [] }, values: {}, goal: "", named: new Set() }))).toBe(
      "1: judge",
    );
  });
});

describe("a step that is repeated until the next target is there", () => {
  it("is decided by looking at the page: pressed while it is not there, left once it is", async () => {
    const content = await paged();
    const bindings = await bound(content, "the March 2026 bill");
    const place: Place = { at: 2, searched: [] };
    expect(["/bills/1", "/bills/2", "/bills/3"].map((path) => told(look(content.steps, place, at(path), bindings)))).toEqual([
      "3: browser_click Older",
      "3: browser_click Older",
      "4: browser_click Download March 2026 bill",
    ]);
  });

  it("keeps the place while it is pressed", async () => {
    const content = await paged();
    const place: Place = { at: 2, searched: [] };
    const due = look(content.steps, place, at("/bills/1"), await bound(content, "the March 2026 bill"));
    expect(due.kind === "call" && advance(place, due, due.call, at("/bills/1"))).toEqual(place);
  });

  it("is over where the pager is gone: then the next step's target is looked for", async () => {
    const content = await paged();
    expect(told(look(content.steps, { at: 2, searched: [] }, at("/bills/3"), await bound(content, "the March 2025 bill")))).toBe(
      "4: look for button Download March 2025 bill by Newer",
    );
  });
});

describe("looking for a target that is not in sight", () => {
  it("SHO-08: goes by what shows more of the list, forward first, though no paging was shown", async () => {
    const content = await unpaged();
    const bindings = await bound(content, "the March 2026 bill");
    expect(told(look(content.steps, { at: 2, searched: [] }, at("/bills/2"), bindings))).toBe("3: look for button Download March 2026 bill by Older, Newer");
    expect(told(look(content.steps, { at: 2, searched: [] }, at("/bills/3"), bindings))).toBe("3: browser_click Download March 2026 bill");
  });

  it("keeps the place, and ends on a page that was seen before", async () => {
    const content = await unpaged();
    const bindings = await bound(content, "the March 2025 bill");
    const place: Place = { at: 2, searched: [] };
    const due = look(content.steps, place, at("/bills/1"), bindings);
    const after = advance(place, due, { tool: "browser_click", args: { target: { role: "link", name: "Older" } } }, at("/bills/1"));
    expect(after.at).toBe(2);
    expect(told(look(content.steps, after, at("/bills/2"), bindings))).toContain("by Older, Newer");
    expect(told(look(content.steps, after, at("/bills/1"), bindings))).toContain("by nothing");
  });

  it("SHO-09: wrong siblings are never among the steps that may be written", async () => {
    const content = await unpaged();
    const view = at("/bills/1");
    const due = look(content.steps, { at: 2, searched: [] }, view, await bound(content, "the March 2026 bill"));
    if (due.kind !== "search") throw new Error(told(due));
    const offer = {
      page: view,
      without: new Set(due.siblings),
      urls: [],
      texts: () => [],
      mayPress: false,
      mayReply: false,
      mayLeave: true,
      mayAct: true,
      hasWorkspace: false,
      memory: null,
      skills: null,
    };
    expect(stepChoices(offeredForms(offer)).filter((choice) => choice.text.includes("Download"))).toEqual([]);
  });

  it("SHO-09: nor are they once the target is there", async () => {
    const content = await unpaged();
    const due = look(content.steps, { at: 2, searched: [] }, at("/bills/1"), await bound(content, "the November 2026 bill"));
    expect(due.kind === "call" && due.siblings.map((one) => one.name)).toEqual([
      "Download December 2026 bill",
      "Download October 2026 bill",
      "Download September 2026 bill",
    ]);
  });

  it("an option that the list does not have is told, and the list is left alone", () => {
    const steps: SkillStep[] = [
      { do: "Choose", call: { tool: "browser_select", args: { target: { role: "combobox", name: "Zone" }, option: "West" } }, onFail: "" },
    ];
    const due = look(steps, startPlace, page("Form", [list("Zone", ["North", "South"])]), {
      inputs: { type: "object", properties: {}, required: [] },
      values: {},
      goal: "",
      named: new Set(),
    });
    expect(due).toMatchObject({ kind: "search", wanted: "option West in Zone", siblings: [{ name: "Zone" }], ways: [] });
  });
});

describe("skipping ahead", () => {
  const click = (name: string): SkillStep => ({ do: `Press ${name}`, call: { tool: "browser_click", args: { target: { role: "link", name } } }, onFail: "" });
  const unbound: Bindings = {
    inputs: { type: "object", properties: { item: { type: "string", kind: "text", description: "item", examples: [] } }, required: [] },
    values: { item: "x" },
    goal: "x",
    named: new Set(["item"]),
  };
  const steps = ["One", "Two", "Three", "Four"].map(click);

  it("passes over one or two steps whose targets are gone when a later one is in plain sight", () => {
    expect(["Two", "Three"].map((name) => told(look(steps, startPlace, page("P", [link(name)]), unbound)))).toEqual([
      "2: browser_click Two",
      "3: browser_click Three",
    ]);
  });
  it("but not over three", () => expect(told(look(steps, startPlace, page("P", [link("Four")]), unbound))).toContain("1: look for"));
  it("nor over a step that carries a value", () =>
    expect(told(look([click("{{item}}"), click("Two")], startPlace, page("P", [link("Two")]), unbound))).toContain("1: look for"));
  it("nor over a field", () => {
    const fill: SkillStep = { do: "Fill", call: { tool: "browser_fill", args: { target: { role: "textbox", name: "Day" }, text: "x" } }, onFail: "" };
    expect(told(look([fill, click("Two")], startPlace, page("P", [link("Two")]), unbound))).toContain("1: look for");
  });
});

describe("what a list of its own or an index decides", () => {
  const step = (call: SkillStep["call"]): SkillStep => ({ do: "", ...(call ? { call } : {}), onFail: "" });
  const bindings = (goal: string, properties: Bindings["inputs"]["properties"], values: Record<string, string> = {}): Bindings => ({
    inputs: { type: "object", properties, required: Object.keys(properties) },
    values,
    goal,
    named: new Set(Object.keys(values)),
  });
  const pick = step({ tool: "browser_click", args: { target: { role: "link", name: "{{item}}" } } });

  it("of an index only letters that the goal's words begin with are tried, names first, none twice", () => {
    const index = page(
      "Medicines A to Z",
      ["A", "B", "L", "M", "N", "P"].map((letter) => link(letter)),
    );
    const due = look([pick], startPlace, index, bindings("the leaflet of Metformin", { item: input("text") }));
    expect(due.kind === "search" ? due.ways.map(({ name }) => name) : due.kind).toEqual(["M", "L"]);
    const call = { tool: "browser_click", args: { target: { role: "link", name: "M" } } };
    const place = advance(startPlace, due, call, index);
    const then = look([pick], place, page("Medicines with M", index.elements), bindings("the leaflet of Metformin", { item: input("text") }));
    expect(then.kind === "search" ? then.ways.map(({ name }) => name) : then.kind).toEqual(["L"]);
  });

  it("a letter that was pressed on the way to a value is no step", () => {
    const letters = ["A", "L", "M", "N", "P", "R"];
    const way = [clickOn("link", "N", { siblings: letters }), clickOn("link", "Naproxen gel", { siblings: ["Nicorandil tablets", "Naproxen gel"] })];
    const { steps } = generalise("Download the leaflet for Naproxen gel", way, shownOn);
    expect(steps.map(({ call }) => call?.args.target)).toMatchObject([{ name: "{{item}}" }]);
  });

  it("an option that only the page knows is chosen there, or asked about by the list's own options", () => {
    const weeks = list("Week", ["8 to 12 June 2026", "22 to 26 June 2026"]);
    const choose = step({ tool: "browser_select", args: { target: { role: "combobox", name: "Week" }, option: "{{week}}" } });
    const properties = { week: { ...input("text"), choices: ["1 to 5 June 2026"] } };
    const due = look([choose], startPlace, page("Case", [weeks]), bindings("deliver 22 to 26 June 2026", properties));
    expect(due.kind === "call" ? due.call.args.option : due.kind).toBe("22 to 26 June 2026");
    const asked = look([choose], startPlace, page("Case", [weeks]), bindings("deliver soon", properties));
    expect(asked.kind === "several" ? asked.among.map(({ name }) => name) : asked.kind).toEqual(["8 to 12 June 2026", "22 to 26 June 2026"]);
  });

  it("a choice that no goal named gives way to one that this goal names in full, and is checked by that", () => {
    const titles = list("Zone", ["Old Town", "New Town", "Dr"]);
    const target = { role: "combobox", name: "Zone" };
    const choose = { ...step({ tool: "browser_select", args: { target, option: "Old Town" } }), check: { result: { equals: "Old Town" } } };
    const picked = (goal: string, change: Partial<Bindings> = {}) => {
      const due = look([choose], startPlace, page("Case", [titles]), { ...bindings(goal, { visitor: input("text") }), ...change });
      return due.kind === "call" ? [due.call.args.option, due.step.check] : due.kind;
    };
    expect(picked("a permit in New Town")).toEqual(["New Town", { result: { equals: "New Town" } }]);
    expect(picked("a permit, please")).toEqual(["Old Town", { result: { equals: "Old Town" } }]);
    expect(picked("a permit for Dr Patel", { values: { visitor: "Dr Patel" } })).toEqual(["Old Town", { result: { equals: "Old Town" } }]);
  });

  it("which of a few is asked where the goal leaves it open", () => {
    const due = look([pick], startPlace, page("Help", [link("Refunds"), link("Delays")]), bindings("get my money back", { item: input("text") }));
    expect(due.kind === "several" ? due.among.map(({ name }) => name) : due.kind).toEqual(["Refunds", "Delays"]);
  });

  it("what only by its name shows more is tried for want of better", () => {
    const shows = page("What's on", [link("Ten Pianos"), link("Later shows")]);
    const due = look([pick], startPlace, shows, bindings("seats for Swan Lake", { item: input("text") }));
    expect(due.kind === "search" ? due.ways.map(({ name }) => name) : due.kind).toEqual(["Later shows"]);
  });
});
