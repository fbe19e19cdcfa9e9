import { describe, expect, it } from "vitest";
import { setPinned } from "#app/skills.ts";
import { lookAfterSkills } from "#app/upkeep.ts";
import { clickStep, procedure } from "../../fixtures/makers/content.ts";
import { endRuns } from "../../fixtures/makers/ended-runs.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { type Stage, stage } from "../../fixtures/makers/stage.ts";

const { signal } = new AbortController();
const day = 86_400_000;
const look = (on: Stage) => lookAfterSkills(on.skillWorld, signal);
const details = (on: Stage): string[] => on.stores.alerts.list().map(({ detail }) => detail);

async function withSkills(count: number): Promise<Stage> {
  const on = stage(billsSite());
  for (let number = 1; number <= count; number++)
    await on.addSkill(`skill-${number}`, procedure(`Open page ${number}`, { steps: [clickStep(`Page ${number}`)] }), { status: "active" });
  return on;
}

describe("too many skills", () => {
  it("thirty are not, one more is said once, with the pairs that mean nearly the same, and nothing is merged", async () => {
    const on = await withSkills(29);
    await on.addSkill("open-twice", procedure("Open page 1 again", { steps: [clickStep("Page 1")] }), { status: "active" });
    expect(await look(on)).toEqual([]);
    await on.addSkill("one-more", procedure("Open the last page", { steps: [clickStep("Last")] }), { status: "active" });
    const before = on.stores.skills.list({ all: true });
    expect(await look(on)).toMatchObject([{ kind: "notice", skillId: null, revertTo: null }]);
    expect(await look(on)).toEqual([]);
    expect(details(on)).toEqual([
      "31 are in use; above 30 the right one is found less surely. These mean nearly the same, so one of each may go: open-twice and skill-1.",
    ]);
    expect(on.stores.skills.list({ all: true })).toEqual(before);
  });

  it("skills of packs, and those that are off, do not count", async () => {
    const on = await withSkills(29);
    await on.addSkill("of-pack", procedure("Open a", { steps: [clickStep("a")] }), { author: "authored:bank", status: "active" });
    await on.addSkill("off", procedure("Open b", { steps: [clickStep("b")] }), { status: "disabled" });
    expect(await look(on)).toEqual([]);
  });

  it("newer facts take the place of a notice nobody has looked at; what was looked at is left for a month", async () => {
    const on = await withSkills(31);
    await look(on);
    await on.addSkill("one-more", procedure("Open the last page", { steps: [clickStep("Last")] }), { status: "active" });
    await look(on);
    expect(details(on)).toEqual([expect.stringContaining("32 are in use")]);
    on.stores.alerts.resolve(on.stores.alerts.list()[0]?.id ?? "", "seen", on.world.clock());
    expect(await look(on)).toEqual([]);
    on.setClock(on.world.clock() + 31 * day);
    expect((await look(on)).length).toBe(1);
  });
});

describe("idle skills", () => {
  it("are suggested for putting away after ninety days without a use, not before, never when pinned, and are not put away", async () => {
    const on = await withSkills(3);
    setPinned(on.skillWorld, "skill-2", true, "human:Kim");
    on.setClock(on.world.clock() + 89 * day);
    endRuns(on, on.stores.skills.byName("skill-3") ?? { id: "" }, [["success"]]);
    expect(await look(on)).toEqual([]);
    on.setClock(on.world.clock() + 2 * day);
    await look(on);
    expect(details(on)).toEqual(["Not used for 90 days or more: skill-1. Retire those you no longer need, or pin those to keep."]);
    expect(on.stores.skills.list().length).toBe(3);
  });
});
