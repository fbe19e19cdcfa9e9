import { describe, expect, it } from "vitest";
import { scriptedEmbedder } from "#adapters/scripted/index.ts";
import { matchGoal } from "#app/skills.ts";
import type { Recall, RevisionContent } from "#contract/skills/schema.ts";
import { procedure } from "../../fixtures/makers/content.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { type Stage, stage } from "../../fixtures/makers/stage.ts";

const never = new AbortController().signal;
const goal = "Fetch what I owe";

/** Skills in the plane: every goal asked lies at 0 degrees, each phrasing where it is said. */
function shelf(degrees: Readonly<Record<string, number>>): Stage {
  const at = (text: string): number => ((degrees[text] ?? 90) * Math.PI) / 180;
  return stage(billsSite(), { embedder: scriptedEmbedder((text, kind) => (kind === "query" ? [1, 0] : [Math.cos(at(text)), Math.sin(at(text))])) });
}
/** A procedure without steps: its form speaks neither for nor against it. */
const asked = (first: string, ...others: string[]): RevisionContent =>
  procedure(first, { phrasings: others, steps: [], toolsRequired: [], capabilities: { primitives: [], vault: [], destinations: [] } });
const match = (on: Stage, text = goal): Promise<Recall> => matchGoal(on.skillWorld, text, never);
const cos = (degrees: number): number => Math.cos((degrees * Math.PI) / 180);

describe("how near a skill is", () => {
  it("is half to its nearest phrasing, half to all of them together: one that lies around the goal comes before one that only touches it", async () => {
    const on = shelf({ "Around left": 25, "Around right": -25, "Touching near": 20, "Touching far": 80 });
    await on.addSkill("around", asked("Around left", "Around right"));
    await on.addSkill("touching", asked("Touching near", "Touching far"));
    const { candidates } = await match(on);
    expect(candidates.map(({ name, score, phrasing }) => [name, score.toFixed(3), phrasing])).toEqual([
      ["around", ((cos(25) + 1) / 2).toFixed(3), expect.stringMatching(/^Around/u)],
      ["touching", ((cos(20) + cos(50)) / 2).toFixed(3), "Touching near"],
    ]);
  });

  it("is all to the nearest one where that is the goal itself, a comma aside", async () => {
    const on = shelf({ "The same": 5, "Something else": 85 });
    await on.addSkill("same", asked("The same", "Something else"));
    expect((await match(on)).score).toBeCloseTo(cos(5), 5);
  });

  it("is to the nearest one alone where the phrasings have no common direction", async () => {
    const on = shelf({ "One way": 60, "The other": -120 });
    await on.addSkill("both", asked("One way", "The other"));
    // No mean leads to it; a word of the goal does.
    expect((await match(on, "Fetch it one way")).score).toBeCloseTo(cos(60), 5);
  });
});

describe("phrasings of two skills, asked which is meant", () => {
  const around = { "Near by chance": 12, "Far left": -40, "Far right": 40 };
  const others = { "Said so": 30, "Or so": 31, "And so": 32 };

  it("leave it to the user where most of the nearest are the second's, however far the first is ahead", async () => {
    const on = shelf({ ...around, ...others });
    await on.addSkill("around", asked("Near by chance", "Far left", "Far right"));
    await on.addSkill("beside", asked("Said so", "Or so", "And so"));
    expect(await match(on)).toMatchObject({ verdict: "suggested", skillName: "around", why: expect.stringContaining("too close") as string });
  });

  it("are as many as the skill with fewer of them could win", async () => {
    const on = shelf({ "Near by chance": 12, ...others });
    await on.addSkill("around", asked("Near by chance"));
    await on.addSkill("beside", asked("Said so", "Or so", "And so"));
    expect(await match(on)).toMatchObject({ verdict: "matched", skillName: "around" });
  });
});

describe("candidates that are equally near", () => {
  it.each([
    ["", 20],
    [", also where both were asked in the very words of the goal", 5],
  ])("come in the same order each time, and are left to the user%s", async (_where, degrees) => {
    const on = shelf({ "First said": degrees, "Then said": -degrees });
    await on.addSkill("first", asked("First said"));
    await on.addSkill("second", asked("Then said"));
    const recalls = [await match(on), await match(on), await match(on)];
    expect(recalls.map(({ candidates }) => candidates.map(({ name }) => name))).toEqual(Array.from({ length: 3 }, () => ["first", "second"]));
    expect(recalls[0]).toMatchObject({ verdict: "suggested", skillName: "first", runnerUp: { name: "second" } });
  });
});

describe("of many", () => {
  it("phrasings one is near by chance: more certainty is asked before the skill is suggested", async () => {
    // From 0.775 for one phrasing, 0.825 for ten; without a next one the lead is full.
    const verdictOf = async (count: number): Promise<string> => {
      const texts = Array.from({ length: count }, (_, at) => `Said ${"so ".repeat(at + 1)}`.trim());
      const on = shelf(Object.fromEntries(texts.map((text) => [text, 44])));
      await on.addSkill("said", asked(texts[0] ?? "", ...texts.slice(1)));
      return (await match(on)).verdict;
    };
    expect([await verdictOf(1), await verdictOf(10)]).toEqual(["suggested", "below-threshold"]);
  });

  it("skills that are off and nearer, the one in use is found none the less", async () => {
    const names = Array.from({ length: 70 }, (_, at) => `Off ${String.fromCodePoint(0x4e00 + at)}`);
    const on = shelf({ ...Object.fromEntries(names.map((name) => [name, 3])), "In use": 5 });
    for (const [at, name] of names.entries()) await on.addSkill(`off-${at}`, asked(name), { status: "disabled" });
    await on.addSkill("in-use", asked("In use"));
    expect(await match(on)).toMatchObject({ verdict: "matched", skillName: "in-use", candidates: { length: 1 } });
  });

  it("skills no more than five are candidates, the nearest", async () => {
    const names = Array.from({ length: 12 }, (_, at) => `Said ${"so ".repeat(at + 1)}`.trim());
    const on = shelf(Object.fromEntries(names.map((name, at) => [name, 10 + at])));
    for (const [at, name] of [...names.entries()].reverse()) await on.addSkill(`said-${at}`, asked(name));
    expect((await match(on)).candidates.map(({ name }) => name)).toEqual(["said-0", "said-1", "said-2", "said-3", "said-4"]);
  });
});
