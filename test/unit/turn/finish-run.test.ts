import { describe, expect, it } from "vitest";
import { matchGoal, revertSkill, reviseSkill, setStatus } from "#app/skills.ts";
import type { Skill } from "#contract/skills/schema.ts";
import { procedure } from "../../fixtures/makers/content.ts";
import { type End, endRuns, failedAt, times } from "../../fixtures/makers/ended-runs.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { type Stage, stage } from "../../fixtures/makers/stage.ts";

async function skillOn(on: Stage, name = "download-bill"): Promise<Skill> {
  return on.addSkill(name, procedure(`Goal of ${name}`));
}

const status = (on: Stage, skill: Skill): string | undefined => on.stores.skills.get(skill.id)?.status;
const alerts = (on: Stage): string[] => on.stores.alerts.list().map((alert) => `${alert.title}: ${alert.detail}`);
describe("how a run ends", () => {
  it("TRU-11: the first success makes a provisional skill active, a first failure does not change it", async () => {
    const on = stage(billsSite());
    const [good, bad] = [await skillOn(on, "good"), await skillOn(on, "bad")];
    endRuns(on, good, [["success"]]);
    endRuns(on, bad, [["failure", "not found"]]);
    expect([status(on, good), status(on, bad)]).toEqual(["active", "provisional"]);
    expect(on.stores.skills.ledger(good.id).map((entry) => [entry.action, entry.actor])).toEqual([
      ["create", "human:Kim"],
      ["activate", "knack"],
    ]);
  });

  it("TRU-05: runs of an hour yet to come, from a clock that was wrong, are forgiven when it is switched on, and are not the newest", async () => {
    const on = stage(billsSite());
    const skill = await skillOn(on);
    on.setClock(Date.UTC(2040, 0, 1));
    endRuns(on, skill, times(2, failedAt(1, "Sign in")));
    on.setClock(Date.UTC(2027, 5, 1));
    setStatus(on.skillWorld, "download-bill", "active", "human:Kim", "the site is back");
    endRuns(on, skill, [...times(3, ["success"]), failedAt(1, "Sign in")]);
    expect(status(on, skill)).toBe("active");
    endRuns(on, skill, [failedAt(1, "Sign in")]);
    expect(status(on, skill)).toBe("disabled");
  });

  it("TRU-05: after twenty good runs the third failure in a row switches it off", async () => {
    const on = stage(billsSite());
    const skill = await skillOn(on);
    endRuns(on, skill, [...times(20, ["success"]), ["failure", "a"], ["failure", "b"]]);
    expect(status(on, skill)).toBe("active");
    endRuns(on, skill, [["failure", "c"]]);
    expect([status(on, skill), alerts(on)]).toEqual(["disabled", ['"download-bill" switched itself off: Failed 3 times in a row; last: c']]);
  });

  it("TRU-06: the same check failing twice with the same finding is enough, and the alert names step, expected and seen", async () => {
    const on = stage(billsSite());
    const skill = await skillOn(on);
    endRuns(on, skill, [["success"], failedAt(2, "Sign in"), failedAt(2, "Sign in")]);
    expect([status(on, skill), alerts(on)]).toEqual([
      "disabled",
      [`"download-bill" switched itself off: Step 2 failed twice: expected heading 'Bills', saw 'Sign in'`],
    ]);
  });

  it("two failures that saw different things are not", async () => {
    const on = stage(billsSite());
    const skill = await skillOn(on);
    endRuns(on, skill, [["success"], failedAt(2, "Sign in"), failedAt(2, "Maintenance")]);
    expect([status(on, skill), alerts(on)]).toEqual(["active", []]);
  });

  it("four of the last six switch it off", async () => {
    const on = stage(billsSite());
    const skill = await skillOn(on);
    const [bad, good]: End[] = [["failure", "x"], ["success"]];
    endRuns(
      on,
      skill,
      [good, bad, bad, good, bad, good, bad, bad].filter((end) => end !== undefined),
    );
    expect([status(on, skill), alerts(on)[0]]).toEqual(["disabled", expect.stringContaining("Failed 4 of the last 6 times")]);
  });

  it("claims, abandoned runs and runs that were left say nothing", async () => {
    const on = stage(billsSite());
    const skill = await skillOn(on);
    endRuns(on, skill, [["claimed_success"], ["abandoned"], ["left", "other site"], ["failure", "a"], ["abandoned"], ["failure", "b"]]);
    expect([status(on, skill), alerts(on)]).toEqual(["provisional", []]);
  });

  it("TRU-07: only the skill that was in charge is touched", async () => {
    const on = stage(billsSite());
    const [inCharge, other] = [await skillOn(on, "in-charge"), await skillOn(on, "other")];
    endRuns(on, inCharge, times(3, ["failure", "x"]));
    expect([status(on, inCharge), status(on, other), on.stores.skills.runs(other.id)]).toEqual(["disabled", "provisional", []]);
  });

  it("runs belong to a revision: a new one starts fresh, and a revert has its own record again", async () => {
    const on = stage(billsSite());
    const skill = await skillOn(on);
    endRuns(on, skill, [["success"], ["failure", "a"], ["failure", "b"]]);
    const { signal } = new AbortController();
    await reviseSkill(on.skillWorld, skill, { content: procedure("Another goal"), author: "human:Kim", evidence: [], reason: "better" }, signal);
    endRuns(on, skill, [["failure", "c"]]);
    expect(status(on, skill)).toBe("active");
    await revertSkill(on.skillWorld, skill.name, 1, "human:Kim");
    endRuns(on, skill, [["failure", "d"]]);
    expect(status(on, skill)).toBe("disabled");
  });

  it("what failed before a person switched it on again is forgiven", async () => {
    const on = stage(billsSite());
    const skill = await skillOn(on);
    endRuns(on, skill, [...times(8, ["success"]), ...times(3, ["failure", "x"])]);
    setStatus(on.skillWorld, skill.name, "active", "human:Kim", "the site is back");
    endRuns(on, skill, [["failure", "y"]]);
    expect(status(on, skill)).toBe("active");
  });

  it("TRU-03: too little trust after five runs retires it; it stays there and can be revived", async () => {
    const on = stage(billsSite());
    const skill = await skillOn(on);
    endRuns(on, skill, [["success"], ["failure", "a"], ["failure", "b"]]);
    on.setClock(on.world.clock() + 86_400_000);
    setStatus(on.skillWorld, skill.name, "disabled", "human:Kim", "pause");
    setStatus(on.skillWorld, skill.name, "active", "human:Kim", "go on");
    endRuns(on, skill, [["failure", "c"]]);
    setStatus(on.skillWorld, skill.name, "disabled", "human:Kim", "pause");
    setStatus(on.skillWorld, skill.name, "active", "human:Kim", "go on");
    endRuns(on, skill, [["failure", "d"]]);
    expect([status(on, skill), alerts(on)]).toEqual(["retired", ['"download-bill" was retired: It worked 1 of 5 times.']]);
    expect(on.stores.skills.list({ all: true }).map((one) => one.name)).toEqual(["download-bill"]);
    setStatus(on.skillWorld, skill.name, "active", "human:Kim", "once more");
    expect([status(on, skill), on.stores.skills.ledger(skill.id).at(-1)?.action]).toEqual(["active", "revive"]);
  });

  it("a run of a skill that is off changes nothing more", async () => {
    const on = stage(billsSite());
    const skill = await skillOn(on);
    endRuns(on, skill, [...times(3, ["failure", "x"]), ["failure", "x"]]);
    expect([status(on, skill), alerts(on).length]).toEqual(["disabled", 1]);
  });
});

describe("faults found in how runs end", () => {
  it("TRU-03: a skill a person revived is offered again (its old record still hides it, and its next failure retires it at once)", async () => {
    const on = stage(billsSite());
    const skill = await skillOn(on);
    for (let run = 0; run < 6; run++) {
      endRuns(on, skill, [["failure", `${run}`]]);
      if (status(on, skill) === "disabled") setStatus(on.skillWorld, skill.name, "active", "human:Kim", "go on");
    }
    expect(status(on, skill)).toBe("retired");
    setStatus(on.skillWorld, skill.name, "active", "human:Kim", "the site is back");
    expect((await matchGoal(on.skillWorld, "Goal of download-bill", new AbortController().signal)).verdict).toBe("matched");
  });
});
