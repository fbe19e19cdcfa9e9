import { describe, expect, it } from "vitest";
import { actOnAlert, resolveAlert } from "#app/alerts.ts";
import { createSkill, detailOf, reviseSkill, setStatus, skillNamed } from "#app/skills.ts";
import type { Alert } from "#contract/alerts/schema.ts";
import type { Skill } from "#contract/skills/schema.ts";
import { isOpenToLearning } from "#core/skills/index.ts";
import { finishRun } from "#core/turn/index.ts";
import { procedure } from "../../fixtures/makers/content.ts";
import { endRuns, failedAt, times } from "../../fixtures/makers/ended-runs.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { type Stage, stage } from "../../fixtures/makers/stage.ts";

const { signal } = new AbortController();
const name = "download-bill";
const by = "human:Kim";
const skill = (on: Stage): Skill => skillNamed(on.skillWorld, name);
const revise = (on: Stage, goal: string): ReturnType<typeof reviseSkill> =>
  reviseSkill(on.skillWorld, skill(on), { content: procedure(goal), author: by, evidence: [], reason: "better" }, signal);
const open = (on: Stage): Alert => on.stores.alerts.list()[0] as Alert;

/** Revisions 1 and 2 worked, 3 was never used, and 4 never worked and is switched off by drift. */
async function drifted(): Promise<Stage> {
  const on = stage(billsSite());
  await on.addSkill(name, procedure("Download my bill"));
  endRuns(on, skill(on), times(2, ["success"]));
  await revise(on, "Download my newest bill");
  endRuns(on, skill(on), [["success"]]);
  await revise(on, "Download some bill");
  await revise(on, "Download a bill of mine");
  endRuns(on, skill(on), times(2, failedAt(1, "Sign in")));
  return on;
}

describe("an alert of a skill that stopped working", () => {
  it("names the last revision that worked to go back to, and is raised once, not once a run", async () => {
    const on = await drifted();
    endRuns(on, skill(on), times(3, failedAt(1, "Sign in")));
    expect(on.stores.alerts.list({ all: true })).toMatchObject([
      { kind: "drift", revertTo: 2, title: '"download-bill" switched itself off', detail: "Step 1 failed twice: expected heading 'Bills', saw 'Sign in'" },
    ]);
  });

  it("names the one before where none worked, and none where there is none or all say the same", async () => {
    const on = stage(billsSite());
    const [one, two, three] = [await on.addSkill("one", procedure("a")), await on.addSkill("two", procedure("b")), await on.addSkill("three", procedure("c"))];
    const next = (of: Skill, goal: string) => reviseSkill(on.skillWorld, of, { content: procedure(goal), author: by, evidence: [], reason: "" }, signal);
    await next(two, "b again");
    await next(three, "c again");
    await next(three, "c");
    for (const made of [one, two, three]) endRuns(on, made, times(2, failedAt(1, "Sign in")));
    expect(on.stores.alerts.list().map(({ revertTo }) => revertTo)).toEqual([2, 1, null]);
  });

  it("revert: goes back, switches on again, settles, and grants nothing", async () => {
    const on = await drifted();
    const grants = on.stores.grants.list();
    const settled = await actOnAlert(on.skillWorld, open(on).id, "revert", by);
    expect([skill(on), settled.resolution, on.stores.alerts.list(), on.stores.grants.list()]).toEqual([
      expect.objectContaining({ activeRevision: 2, status: "active" }),
      "went back to revision 2",
      [],
      grants,
    ]);
    expect(detailOf(on.skillWorld, name).ledger.slice(-2)).toMatchObject([
      { action: "revert", actor: by, beforeRevision: 4, afterRevision: 2 },
      { action: "enable", actor: by, reason: "went back to revision 2" },
    ]);
  });

  it("revert: where a person went back already, it only switches on", async () => {
    const on = await drifted();
    const { id } = open(on);
    on.stores.skills.setActiveRevision(
      skill(on).id,
      2,
      { id: "row", skillId: skill(on).id, action: "revert", actor: by, reason: "", before: null, after: null, at: 1 },
      1,
    );
    await actOnAlert(on.skillWorld, id, "revert", by);
    expect(skill(on)).toMatchObject({ activeRevision: 2, status: "active" });
  });

  it("learn again and keep off leave it off, say so in the ledger, and open or close it to learning", async () => {
    for (const [action, isOpen] of [
      ["learn-again", true],
      ["keep-off", false],
    ] as const) {
      const on = await drifted();
      await actOnAlert(on.skillWorld, open(on).id, action, by);
      expect([skill(on).status, isOpenToLearning(on.stores.skills.ledger(skill(on).id)), on.stores.alerts.list()]).toEqual(["disabled", isOpen, []]);
    }
  });

  it("a switch by hand settles it, and closes the skill to learning again", async () => {
    const on = await drifted();
    const { id } = open(on);
    await actOnAlert(on.skillWorld, id, "learn-again", by);
    setStatus(on.skillWorld, name, "active", by, "the site is back");
    setStatus(on.skillWorld, name, "disabled", by, "no longer wanted");
    expect(isOpenToLearning(on.stores.skills.ledger(skill(on).id))).toBe(false);
    await expect(actOnAlert(on.skillWorld, id, "revert", by)).rejects.toMatchObject({ code: "alert.settled", exit: 3 });
  });

  it("settled by a word it keeps that word: it is said once, and never with none", async () => {
    const on = await drifted();
    const { id } = open(on);
    for (const word of ["", "  ", "x".repeat(1001)]) expect(() => resolveAlert(on.skillWorld, id, word)).toThrow("in 1 to 1000 characters");
    resolveAlert(on.skillWorld, id, " looked at ");
    expect(() => resolveAlert(on.skillWorld, id, "seen")).toThrow("settled already: looked at");
    expect(on.stores.alerts.get(id)?.resolution).toBe("looked at");
    expect(() => resolveAlert(on.skillWorld, "none", "seen")).toThrow("There is no alert none; see: knack alerts list");
  });

  it("what it does not offer is refused, and changes nothing", async () => {
    const on = stage(billsSite());
    await on.addSkill(name, procedure("Download my bill"));
    endRuns(on, skill(on), times(2, failedAt(1, "Sign in")));
    const rows = on.stores.skills.ledger(skill(on).id).length;
    await expect(actOnAlert(on.skillWorld, open(on).id, "revert", by)).rejects.toMatchObject({ code: "alert.no-revision", exit: 3 });
    const notice: Alert = { ...open(on), id: "notice", kind: "notice", skillId: null };
    on.stores.alerts.add(notice);
    await expect(actOnAlert(on.skillWorld, "notice", "keep-off", by)).rejects.toMatchObject({ code: "alert.no-action", exit: 3 });
    await expect(actOnAlert(on.skillWorld, "none", "keep-off", by)).rejects.toThrow("There is no alert none; see: knack alerts list");
    expect([on.stores.alerts.list().length, on.stores.skills.ledger(skill(on).id).length, skill(on).status]).toEqual([2, rows, "disabled"]);
  });

  it("a skill of a pack is not learned again, but may be kept off", async () => {
    const on = stage(billsSite());
    const made = { name, content: procedure("Download my bill"), author: "authored:bills", evidence: [], reason: "" };
    await createSkill(on.skillWorld, made, signal);
    endRuns(on, skill(on), times(2, failedAt(1, "Sign in")));
    await expect(actOnAlert(on.skillWorld, open(on).id, "learn-again", by)).rejects.toMatchObject({ code: "skill.authored" });
    expect((await actOnAlert(on.skillWorld, open(on).id, "keep-off", by)).resolution).toBe("kept off");
  });

  it("one that is off for too little trust is answered alike", async () => {
    const on = await drifted();
    await actOnAlert(on.skillWorld, open(on).id, "revert", by);
    for (const saw of ["a", "b", "c", "d", "e", "f", "g", "h"]) {
      endRuns(on, skill(on), [failedAt(1, saw)]);
      if (skill(on).status === "disabled") setStatus(on.skillWorld, name, "active", by, "again");
    }
    expect([skill(on).status, open(on).title]).toEqual(["retired", '"download-bill" was retired']);
    await actOnAlert(on.skillWorld, open(on).id, "revert", by);
    expect(skill(on)).toMatchObject({ status: "active", activeRevision: 1 });
  });

  it("a run of an earlier revision that ends late says nothing about the one in use", async () => {
    const on = stage(billsSite());
    await on.addSkill(name, procedure("Download my bill"));
    const late = skill(on);
    await revise(on, "Download my newest bill");
    for (const id of ["a", "b", "c"]) {
      const run = {
        id,
        skillId: late.id,
        revision: 1,
        episodeId: "e",
        turnId: id,
        mode: "advisory" as const,
        inputs: {},
        finding: null,
        startedAt: 1,
        endedAt: null,
      };
      on.stores.skills.addRun({ ...run, outcome: "failure", endedAt: 2 });
    }
    const [first] = on.stores.skills.runs(late.id, 1);
    if (first) finishRun(on.world, first, "failure", "x");
    expect([skill(on).status, on.stores.alerts.list()]).toEqual(["provisional", []]);
  });
});

describe("what waits for a yes", () => {
  const waiting = async () => {
    const on = stage(billsSite(), { settings: { reviewBeforeActive: true } });
    const skill = await on.addSkill("fetch-bill", procedure("Fetch the bill"), { author: "agent:dreaming" });
    const [alert] = on.stores.alerts.list();
    return { on, skill, id: alert?.id ?? "", status: () => on.stores.skills.get(skill.id)?.status };
  };

  it("a skill that was learned is taken into use, or declined and retired; either settles the alert", async () => {
    const [taken, declined] = [await waiting(), await waiting()];
    expect([(await actOnAlert(taken.on.skillWorld, taken.id, "accept", "human:Kim")).resolution, taken.status()]).toEqual(["active", "active"]);
    expect([(await actOnAlert(declined.on.skillWorld, declined.id, "decline", "human:Kim")).resolution, declined.status()]).toEqual(["retired", "retired"]);
    expect(declined.on.stores.skills.ledger(declined.skill.id).at(-1)).toMatchObject({ actor: "human:Kim", reason: "looked at and declined" });
  });

  it("a change is taken as the next revision, or declined", async () => {
    for (const [action, revision, status] of [
      ["accept", 2, "accepted"],
      ["decline", 1, "declined"],
    ] as const) {
      const on = stage(billsSite(), { settings: { reviewBeforeActive: true } });
      const skill = await on.addSkill("fetch-bill", procedure("Fetch the bill"));
      const change = {
        content: procedure("Fetch the bill", { edgeCases: ["Leave out paid ones"] }),
        author: "agent:dreaming",
        evidence: [],
        reason: "learned again",
      };
      await expect(reviseSkill(on.skillWorld, skill, change, AbortSignal.timeout(20_000))).rejects.toMatchObject({ code: "skill.waits" });
      const [alert] = on.stores.alerts.list();
      await actOnAlert(on.skillWorld, alert?.id ?? "", action, "human:Kim");
      expect([on.stores.skills.get(skill.id)?.activeRevision, on.stores.proposals.list({ all: true })[0]?.status, on.stores.alerts.list()]).toEqual([
        revision,
        status,
        [],
      ]);
    }
  });

  it("what waits for nothing cannot be taken, and what was settled not again", async () => {
    const { on, id } = await waiting();
    await actOnAlert(on.skillWorld, id, "accept", "human:Kim");
    await expect(actOnAlert(on.skillWorld, id, "decline", "human:Kim")).rejects.toMatchObject({ code: "alert.settled" });
    const off = await waiting();
    await expect(actOnAlert(off.on.skillWorld, off.id, "revert", "human:Kim")).rejects.toMatchObject({ code: "alert.no-action" });
  });
});
