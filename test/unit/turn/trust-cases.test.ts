import { describe, expect, it } from "vitest";
import { detailOf, matchGoal, revertSkill, reviseSkill, skillNamed, summaryOf } from "#app/skills.ts";
import type { Skill } from "#contract/skills/schema.ts";
import { writeStep } from "#core/turn/step-text.ts";
import { billGoal, billRun, wording } from "../../fixtures/makers/bill-runs.ts";
import { clickStep, procedure } from "../../fixtures/makers/content.ts";
import { type End, endRuns } from "../../fixtures/makers/ended-runs.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { type Stage, says, stage } from "../../fixtures/makers/stage.ts";

const { signal } = new AbortController();
const day = 86_400_000;
const goal = "Show my bills";
const bad = (finding: string): End => ["failure", finding];
const good: End = ["success"];

async function withSkill(): Promise<{ on: Stage; skill: Skill }> {
  const on = stage(billsSite());
  return { on, skill: await on.addSkill("show-bills", procedure(goal)) };
}
const trust = (on: Stage): number => summaryOf(on.skillWorld, skillNamed(on.skillWorld, "show-bills")).trust.trust;

/** What the model is told when the skill is in charge of a turn it was recalled for. */
async function guidance(on: Stage): Promise<string> {
  const before = on.model.requests.length;
  const { turn } = await on.turn(goal, [writeStep("skill_leave", { reason: "only looking" }), says("Well.")]);
  expect(turn.skillId).not.toBeNull();
  return on.model.requests[before]?.messages.at(-1)?.text ?? "";
}

describe("trust in use", () => {
  it('TRU-01: 3 of 6 is recalled, and the model is told "3 of 6" and to verify each step', async () => {
    const { on, skill } = await withSkill();
    expect(await guidance(on)).not.toContain("This worked");
    endRuns(on, skill, [good, bad("a"), good, bad("b"), good, bad("c")]);
    expect(await guidance(on)).toContain("This worked 3 of 6 times. Verify each step.");
  });

  it("TRU-02: a new skill whose first run failed is still recalled, with its caveat", async () => {
    const { on, skill } = await withSkill();
    endRuns(on, skill, [bad("not found")]);
    expect((await matchGoal(on.skillWorld, goal, signal)).verdict).toBe("matched");
    expect(await guidance(on)).toContain("This worked 0 of 1 times. Verify each step.");
  });

  it("TRU-04: the same record is trusted less a year on, and one fresh success does not bring its old weight back", async () => {
    const { on, skill } = await withSkill();
    endRuns(
      on,
      skill,
      Array.from({ length: 9 }, () => good),
    );
    const fresh = trust(on);
    on.setClock(on.world.clock() + 365 * day);
    const old = trust(on);
    endRuns(on, skill, [good]);
    expect([fresh > 0.9, old < 0.7, trust(on) > old, trust(on) < fresh]).toEqual([true, true, true, true]);
  });

  it("TRU-04: each run has an age of its own: the old failures of a skill that does well now weigh little", async () => {
    const { on, skill } = await withSkill();
    endRuns(on, skill, [bad("a"), bad("b"), good, bad("c")]);
    on.setClock(on.world.clock() + 365 * day);
    endRuns(on, skill, [good, good, good]);
    expect(trust(on)).toBeGreaterThan(0.7);
  });

  it("the floor hides a skill only after three runs, not for ever: what is old weighs less", async () => {
    const { on, skill } = await withSkill();
    const verdict = async () => (await matchGoal(on.skillWorld, goal, signal)).verdict;
    endRuns(on, skill, [bad("a"), bad("b")]);
    expect(await verdict()).toBe("matched");
    const run = { id: "third", skillId: skill.id, revision: 1, episodeId: "e", turnId: "t", mode: "advisory" as const, inputs: {}, finding: "c" };
    on.stores.skills.addRun({ ...run, outcome: "failure", startedAt: on.world.clock(), endedAt: on.world.clock() });
    expect(await verdict()).toBe("blocked");
    on.setClock(on.world.clock() + 365 * day);
    expect(await verdict()).toBe("matched");
  });
});

describe("going back", () => {
  it("TRU-08: to a revision that declares a revoked grant works and grants nothing; its use is refused, naming the grant", async () => {
    const { on, skill } = await withSkill();
    const elsewhere = procedure(goal, { capabilities: { primitives: ["browser"], vault: [], destinations: ["https://old.example"] } });
    const granted = on.world.grantDestination("https://old.example", "user");
    const made = { author: "human:Kim", evidence: [], reason: "" };
    await reviseSkill(on.skillWorld, skill, { ...made, content: elsewhere }, signal);
    await reviseSkill(on.skillWorld, skill, { ...made, content: procedure(goal, { steps: [clickStep("Messages")] }) }, signal);
    on.stores.grants.remove(granted.id);
    const grants = on.stores.grants.list();
    await revertSkill(on.skillWorld, skill.name, 2, "human:Kim", signal);
    expect([skillNamed(on.skillWorld, skill.name).activeRevision, on.stores.grants.list()]).toEqual([2, grants]);
    const { message } = await on.turn(goal, [], { skill: skill.name });
    expect([message?.text, on.calls(), on.stores.skills.runs(skill.id)]).toEqual([expect.stringContaining("destination https://old.example"), [], []]);
  });
});

describe("evidence that is gone", () => {
  it("TRU-12: a skill works without the conversations it was learned from, and says that they are gone", async () => {
    const on = stage(billsSite());
    for (const month of ["December", "November", "October"]) await billRun(on, month);
    on.model.say(wording);
    await on.learn();
    for (const { id } of on.stores.conversations.list()) on.stores.conversations.delete(id);
    const { evidence, skill } = detailOf(on.skillWorld, "download-bill");
    expect([evidence.length, evidence.every(({ goal: of, conversationId }) => of === null && conversationId === null)]).toEqual([3, true]);
    const { episode } = await on.turn(billGoal("December"), [], { skill: skill.name, mode: "strict" });
    expect(episode.outcome).toBe("success");
  });
});
