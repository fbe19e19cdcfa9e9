import { describe, expect, it } from "vitest";
import type { RevisionContent, SkillStatus, SkillStep } from "#contract/skills/schema.ts";
import { canonicalValue } from "#core/recall/index.ts";
import { expandSkill, type PinnedSkill } from "#core/replay/index.ts";
import { makeRevision } from "#core/skills/index.ts";
import { clickStep, input, procedure } from "../../fixtures/makers/content.ts";
import { digest } from "../../fixtures/makers/stage.ts";

const pinned = (name: string, change: Partial<RevisionContent> = {}, status: SkillStatus = "active"): PinnedSkill => ({
  skill: { name, status },
  revision: makeRevision(procedure(name, change), { skillId: name, number: 1, author: "human:Kim", evidence: [], createdAt: 0 }, digest),
});
const uses = (name: string, args: Record<string, unknown> = {}, change: Partial<SkillStep> = {}): SkillStep => ({
  do: `Use ${name}`,
  call: { tool: `skill:${name}`, args },
  onFail: "Stop.",
  ...change,
});
const withMonth = { type: "object" as const, properties: { month: input("month", { examples: ["2026-03"] }) }, required: ["month"] };
const expand = (outer: PinnedSkill, ...inner: readonly PinnedSkill[]) =>
  expandSkill(outer, {
    find: (name) => inner.find(({ skill }) => skill.name === name),
    canonical: (kind, text) => canonicalValue(kind, text, new Date(2027, 0, 10)),
  });
const told = (steps: readonly SkillStep[]): string[] => steps.map((step) => step.do);

describe("a skill inside a skill", () => {
  it("has its steps in the place of the step that uses it", () => {
    const outer = pinned("outer", { steps: [clickStep("Home"), uses("bills"), clickStep("Help")] });
    expect(told(expand(outer, pinned("bills", { steps: [clickStep("Bills"), clickStep("Older")] })).steps)).toEqual([
      "Press Home",
      "Press Bills",
      "Press Older",
      "Press Help",
    ]);
  });

  it("is found by its name in any spelling", () =>
    expect(told(expand(pinned("outer", { steps: [uses("Order_Groceries")] }), pinned("order-groceries")).steps)).toEqual(["Press Bills"]));

  it("is one thing with a tool of its name: only the skill is taken apart", () => {
    const step: SkillStep = { do: "Call it", call: { tool: "bills", args: {} }, onFail: "Stop." };
    expect(told(expand(pinned("outer", { steps: [step, { ...step, call: { tool: "tool:bills", args: {} } }] }), pinned("bills")).steps)).toEqual([
      "Call it",
      "Call it",
    ]);
  });

  it("takes a value in every form that its steps ask for", () => {
    const inner = pinned("bills", {
      inputs: withMonth,
      steps: [clickStep("Download {{month|MMMM}} bill", { check: { file: { exists: "{{month|YYYY-MM}}.pdf" } } })],
    });
    const [step] = expand(pinned("outer", { steps: [uses("bills", { month: "March 2026" })] }), inner).steps;
    expect([step?.call?.args.target, step?.check]).toEqual([{ role: "link", name: "Download March bill" }, { file: { exists: "2026-03.pdf" } }]);
  });

  it("takes an input of the outer skill with the form that its own steps ask for", () => {
    const inner = pinned("bills", { inputs: withMonth, steps: [clickStep("Download {{month|MMMM}} bill"), clickStep("{{month}}")] });
    const { steps } = expand(pinned("outer", { steps: [uses("bills", { month: "{{billing-month}}" })] }), inner);
    expect(told(steps)).toEqual(["Press Download {{billing-month|MMMM}} bill", "Press {{billing-month}}"]);
  });

  it("keeps what is left open apart from inputs of the outer skill", () => {
    const inner = pinned("bills", { inputs: { ...withMonth, required: [] }, steps: [clickStep("Download {{month|MMMM}} bill")] });
    const outer = pinned("outer", { inputs: withMonth, steps: [clickStep("{{month}}"), uses("bills")] });
    expect(told(expand(outer, inner).steps)).toEqual(["Press {{month}}", "Press Download {{bills-month|MMMM}} bill"]);
  });

  it("falls back to its own default", () => {
    const inner = pinned("bills", {
      inputs: { ...withMonth, properties: { month: input("month", { default: "2026-04" }) } },
      steps: [clickStep("{{month|MMMM}}")],
    });
    expect(told(expand(pinned("outer", { steps: [uses("bills")] }), inner).steps)).toEqual(["Press April"]);
  });

  it("ends with what the outer step expects as well as what its own last step does", () => {
    const inner = pinned("bills", { steps: [clickStep("Bills")] });
    const [page] = expand(pinned("outer", { steps: [uses("bills", {}, { check: { page: { text: "12 bills" } } })] }), inner).steps;
    expect(page?.check).toEqual({ page: { heading: "Bills", text: "12 bills" } });
    const [prose] = expand(pinned("outer", { steps: [uses("bills", {}, { check: { prose: "it looks right" } })] }), inner).steps;
    expect(prose?.check).toEqual({ page: { heading: "Bills" } });
  });

  it("may do what both declare, and no more", () => {
    const inner = pinned("bills", {
      capabilities: { primitives: ["browser", "workspace"], vault: ["bank"], destinations: ["https://portal.example", "https://other.example"] },
      toolsRequired: ["browser_click", "publish"],
    });
    const outer = pinned("outer", {
      steps: [clickStep("Home"), uses("bills")],
      capabilities: { primitives: ["browser"], vault: ["mail"], destinations: ["https://portal.example", "https://third.example"] },
      toolsRequired: ["browser_click", "browser_open"],
    });
    const { scopes } = expand(outer, inner);
    expect(scopes.map(({ capabilities, toolsRequired }) => [capabilities, toolsRequired])).toEqual([
      [outer.revision.capabilities, outer.revision.toolsRequired],
      [{ primitives: ["browser"], vault: [], destinations: ["https://portal.example"] }, ["browser_click"]],
    ]);
  });

  it("three deep may do what all of them declare", () => {
    const reach = (...destinations: readonly string[]) => ({ capabilities: { primitives: ["browser"], vault: [], destinations: [...destinations] } });
    const { scopes } = expand(
      pinned("a", { steps: [uses("b")], ...reach("https://one.example", "https://two.example") }),
      pinned("b", { steps: [uses("c")], ...reach("https://two.example", "https://three.example") }),
      pinned("c", reach("https://one.example", "https://two.example", "https://three.example")),
    );
    expect(scopes.map(({ capabilities }) => capabilities.destinations)).toEqual([["https://two.example"]]);
  });

  it("brings the tools it names where the outer skill names it", () => {
    const outer = pinned("outer", { steps: [uses("post")], toolsRequired: ["skill:post"] });
    expect(expand(outer, pinned("post", { toolsRequired: ["publish"] })).scopes[0]?.toolsRequired).toEqual(["publish"]);
  });

  const chain = (...names: readonly string[]) =>
    names.map((name, index) => pinned(name, index === names.length - 1 ? {} : { steps: [uses(names[index + 1] ?? "")] }));
  it("goes three deep and no deeper", () => {
    const [a, ...inner] = chain("a", "b", "c", "d");
    expect(told(expand(a as PinnedSkill, ...inner).steps)).toEqual(["Press Bills"]);
    const [b, ...deeper] = chain("a", "b", "c", "d", "e");
    expect(() => expand(b as PinnedSkill, ...deeper)).toThrow(/more than 3 deep: a → b → c → d → e/u);
  });

  it.each([
    ["uses itself", ["a", "a"], /goes round in a circle: a → a/u],
    ["goes round over another", ["a", "b", "a"], /goes round in a circle: a → b → a/u],
  ] as const)("that %s is an error that names the way", (_what, [first, ...rest], message) => {
    const named = [first, ...rest].map((name, index, all) => pinned(name, { steps: [uses(all[index + 1] ?? "a")] }));
    expect(() => expand(named[0] as PinnedSkill, ...named.slice(1))).toThrow(message);
  });

  it.each(["disabled", "retired"] as const)("that is %s is an error that names it", (status) =>
    expect(() => expand(pinned("outer", { steps: [uses("bills")] }), pinned("bills", {}, status))).toThrow(
      new RegExp(`uses the skill "bills", which is ${status}`, "u"),
    ),
  );

  it.each([
    ["that is not there", uses("nothing"), /uses the skill "nothing", which is not there/u],
    ["with an input it has not", uses("bills", { year: "2026" }), /"bills" has no input "year"; it has: month/u],
    ["without an input it needs", uses("bills"), /"bills" needs its input "month"/u],
    ["with a value of another kind", uses("bills", { month: "soon" }), /"soon" is no month for the input "month" of "bills"/u],
    ["in a step that repeats", uses("bills", { month: "May 2026" }, { repeatUntilNext: true }), /repeats the skill "bills"/u],
  ] as const)("%s is an error that says so", (_what, step, message) =>
    expect(() => expand(pinned("outer", { steps: [step] }), pinned("bills", { inputs: withMonth }))).toThrow(message),
  );

  it("that grows beyond 200 steps is an error", () => {
    const many = (name: string) => Array.from({ length: 15 }, () => uses(name));
    expect(() => expand(pinned("a", { steps: many("b") }), pinned("b", { steps: many("c") }), pinned("c"))).toThrow(/more than 200 steps/u);
  });
});
