import { describe, expect, it } from "vitest";
import { scriptedModel } from "#adapters/scripted/index.ts";
import {
  createSkill,
  detailOf,
  diffSkill,
  freeName,
  matchGoal,
  revertSkill,
  reviseSkill,
  setStatus,
  skillNamed,
  summariesOf,
  summaryOf,
  undoChange,
} from "#app/skills.ts";
import { indexUnknown } from "#core/recall/index.ts";
import { clickStep, procedure } from "../../fixtures/makers/content.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { type Stage, stage } from "../../fixtures/makers/stage.ts";

const { signal } = new AbortController();
const bills = (): Stage => stage(billsSite());
const revise = (on: Stage, goal: string): ReturnType<typeof reviseSkill> =>
  reviseSkill(
    on.skillWorld,
    skillNamed(on.skillWorld, "show-bills"),
    { content: procedure(goal), author: "human:Kim", evidence: [], reason: "better words" },
    signal,
  );

describe("skills as the app keeps them", () => {
  it("a new one is provisional, at revision 1, written in the ledger and found by recall", async () => {
    const on = bills();
    const skill = await createSkill(
      on.skillWorld,
      { name: "show-bills", content: procedure("Show my bills"), author: "human:Kim", evidence: [], reason: "written by hand" },
      signal,
    );
    expect(summaryOf(on.skillWorld, skill)).toMatchObject({
      status: "provisional",
      activeRevision: 1,
      author: "human:Kim",
      revisions: 1,
      fullyMechanical: true,
      lastUsedAt: null,
      trust: { caveat: null },
    });
    expect(on.stores.skills.ledger(skill.id)).toMatchObject([{ action: "create", actor: "human:Kim", reason: "written by hand", before: null }]);
    expect((await matchGoal(on.skillWorld, "Show my bills", signal)).verdict).toBe("matched");
  });

  it("a name in use is refused, naming the other skill; a free one is made by a number", async () => {
    const on = bills();
    await on.addSkill("show-bills", procedure("Show my bills"));
    await expect(on.addSkill("show-bills", procedure("Show other bills"))).rejects.toMatchObject({ code: "skill.name-taken" });
    expect([freeName(on.skillWorld, "show-bills"), freeName(on.skillWorld, "other")]).toEqual(["show-bills-2", "other"]);
    const longest = "a".repeat(64);
    await on.addSkill(longest, procedure("Show my bills"));
    expect(freeName(on.skillWorld, longest)).toBe(`${"a".repeat(62)}-2`);
  });

  it("a revision becomes active, and recall knows its words at once", async () => {
    const on = bills();
    await on.addSkill("show-bills", procedure("Show my bills"));
    expect((await revise(on, "Present what must be settled"))?.number).toBe(2);
    expect([skillNamed(on.skillWorld, "show-bills").activeRevision, (await matchGoal(on.skillWorld, "Present what must be settled", signal)).verdict]).toEqual([
      2,
      "matched",
    ]);
  });

  it("a process that ends, or a model that fails, between a change and its words leaves no old words; the new ones are read when next asked", async () => {
    const on = bills();
    const { id } = await on.addSkill("show-bills", procedure("Show my bills"));
    const words = () => on.stores.vectors.vectorsOf(on.embedder.key, "phrasing", id).map(({ text }) => text);
    const failing = { ...on.skillWorld, embedder: () => Promise.reject(new Error("the file of the model is gone")) };
    const content = procedure("Present what must be settled");
    const change = { content, author: "human:Kim", evidence: [], reason: "" };
    const unread = { code: "skill.unindexed", message: expect.stringContaining("was changed, but it is not recalled until") as string };
    await expect(reviseSkill(failing, skillNamed(on.skillWorld, "show-bills"), change, signal)).rejects.toMatchObject(unread);
    expect([skillNamed(on.skillWorld, "show-bills").activeRevision, words()]).toEqual([2, []]);
    await indexUnknown({ ...on.stores, embedder: on.embedder, now: on.skillWorld.clock() }, signal);
    expect(words()).toEqual(["Present what must be settled"]);
    await expect(revertSkill(failing, "show-bills", 1, "human:Kim")).rejects.toMatchObject(unread);
    expect(words()).toEqual([]);
    const reverted = detailOf(on.skillWorld, "show-bills").ledger.at(-1)?.id ?? "";
    await indexUnknown({ ...on.stores, embedder: on.embedder, now: on.skillWorld.clock() }, signal);
    await expect(undoChange(failing, reverted, "human:Kim")).rejects.toMatchObject(unread);
    expect([skillNamed(on.skillWorld, "show-bills").activeRevision, words()]).toEqual([2, []]);
  });

  it("enabling what is in use already is no change, also before its first success", async () => {
    const on = bills();
    const { id } = await on.addSkill("show-bills", procedure("Show my bills"));
    setStatus(on.skillWorld, "show-bills", "active", "human:Kim", "");
    expect([skillNamed(on.skillWorld, "show-bills").status, on.stores.skills.ledger(id).length]).toEqual(["provisional", 1]);
  });

  it("TRU-10: a revision that says the same is refused as unchanged", async () => {
    const on = bills();
    await on.addSkill("show-bills", procedure("Show my bills"));
    expect(await revise(on, "Show my bills")).toBeNull();
    expect(on.stores.skills.ledger(skillNamed(on.skillWorld, "show-bills").id)).toHaveLength(1);
  });

  it("TRU-09: a revert keeps every revision with its bytes and author, adds a ledger row, and can be undone", async () => {
    const on = bills();
    await on.addSkill("show-bills", procedure("Show my bills"));
    await revise(on, "Show other bills");
    const before = detailOf(on.skillWorld, "show-bills").revisions;
    await revertSkill(on.skillWorld, "show-bills", 1, "human:Kim");
    const after = detailOf(on.skillWorld, "show-bills");
    expect([after.revisions, after.skill.activeRevision, after.ledger.at(-1)?.action, after.ledger.at(-1)?.reason]).toEqual([
      before,
      1,
      "revert",
      "back to revision 1",
    ]);
    await revertSkill(on.skillWorld, "show-bills", 2, "human:Kim");
    expect(skillNamed(on.skillWorld, "show-bills").activeRevision).toBe(2);
  });

  it("a revert to what is not there, or is in use already, says so", async () => {
    const on = bills();
    await on.addSkill("show-bills", procedure("Show my bills"));
    await expect(revertSkill(on.skillWorld, "show-bills", 3, "human:Kim")).rejects.toThrow('"show-bills" has no revision 3; it has 1 to 1');
    await expect(revertSkill(on.skillWorld, "show-bills", 1, "human:Kim")).rejects.toThrow("is the one in use");
  });

  it("TRU-12: evidence that was pruned is shown as a link that hangs loose", async () => {
    const on = bills();
    const skill = await createSkill(
      on.skillWorld,
      { name: "show-bills", content: procedure("Show my bills"), author: "agent:synthesis", evidence: ["gone"], reason: "learned" },
      signal,
    );
    expect(detailOf(on.skillWorld, skill.name).evidence).toEqual([{ episodeId: "gone", goal: null, conversationId: null, at: null, fate: "pruned" }]);
  });

  it.each([
    ["provisional", "disabled", "disable"],
    ["disabled", "active", "enable"],
    ["active", "retired", "remove"],
    ["retired", "active", "revive"],
  ] as const)("from %s to %s is written as %s", async (from, to, action) => {
    const on = bills();
    const skill = await on.addSkill("show-bills", procedure("Show my bills"), { status: from });
    setStatus(on.skillWorld, "show-bills", to, "human:Kim", "because");
    expect([skillNamed(on.skillWorld, "show-bills").status, on.stores.skills.ledger(skill.id).at(-1)]).toEqual([
      to,
      expect.objectContaining({ action, actor: "human:Kim", reason: "because", before: from, after: to }),
    ]);
  });

  it("the status it has already is no change", async () => {
    const on = bills();
    const skill = await on.addSkill("show-bills", procedure("Show my bills"), { status: "active" });
    const rows = on.stores.skills.ledger(skill.id).length;
    setStatus(on.skillWorld, "show-bills", "active", "human:Kim", "again");
    expect(on.stores.skills.ledger(skill.id)).toHaveLength(rows);
  });

  it("two revisions are compared as text", async () => {
    const on = bills();
    await on.addSkill("show-bills", procedure("Show my bills"));
    await revise(on, "Show other bills");
    const text = diffSkill(on.skillWorld, "show-bills", 1, 2);
    expect([text.includes("-") && text.includes("Show my bills"), text.includes("Show other bills")]).toEqual([true, true]);
    expect(() => diffSkill(on.skillWorld, "show-bills", 1, 9)).toThrow("no revision 9");
  });

  it("what is not there is told with the way to what is", () => {
    const on = bills();
    expect(() => skillNamed(on.skillWorld, "nothing")).toThrow('There is no skill "nothing"; see: knack skills list --all');
    expect(() => detailOf(on.skillWorld, "nothing")).toThrow("There is no skill");
  });

  it("without an embedder nothing is recalled, and the way to one is said", async () => {
    const on = bills();
    await expect(matchGoal({ ...on.skillWorld, embedder: async () => null }, "Show my bills", signal)).rejects.toMatchObject({ code: "model.missing" });
    await expect(matchGoal(on.skillWorld, "  ", signal)).rejects.toThrow("Say the task to look for");
  });
});

describe("what is told of skills", () => {
  it("trust in a list is the trust that recall goes by: of a skill that was brought back only what it did since", async () => {
    const on = bills();
    const skill = await on.addSkill("show-bills", procedure("Show my bills"), { status: "active" });
    const run = (id: string, startedAt: number, outcome: "success" | "failure") =>
      on.stores.skills.addRun({
        id,
        skillId: skill.id,
        revision: 1,
        episodeId: "e",
        turnId: id,
        mode: "strict",
        inputs: {},
        outcome,
        finding: null,
        startedAt,
        endedAt: null,
      });
    run("before", 1, "failure");
    setStatus(on.skillWorld, "show-bills", "retired", "human:Kim", "");
    setStatus(on.skillWorld, "show-bills", "active", "human:Kim", "");
    run("since", on.skillWorld.clock(), "success");
    expect(summaryOf(on.skillWorld, skill).trust).toMatchObject({ runs: 1, successes: 1 });
    expect(summariesOf(on.skillWorld, true).map(({ trust }) => trust.runs)).toEqual([1]);
  });

  it("a list has those in use, or all, by name, with what their steps allow", async () => {
    const on = bills();
    await on.addSkill("show-bills", procedure("Show my bills"));
    await on.addSkill("ask-bills", procedure("Ask for my bills", { steps: [clickStep("Bills", { check: { prose: "it looks right" } })] }), {
      status: "disabled",
    });
    await revise(on, "Present what must be settled");
    expect(summariesOf(on.skillWorld, false).map(({ name, revisions, summary, fullyMechanical }) => [name, revisions, summary, fullyMechanical])).toEqual([
      ["show-bills", 2, "Present what must be settled", true],
    ]);
    expect(summariesOf(on.skillWorld, true).map(({ name, fullyMechanical }) => [name, fullyMechanical])).toEqual([
      ["ask-bills", false],
      ["show-bills", true],
    ]);
  });

  it("matching without doing anything asks the model as a turn would, and only where a condition in words decides", async () => {
    const on = bills();
    await on.addSkill("show-bills", procedure("Show my bills", { preconditions: ["the user has an account"] }));
    await on.addSkill("write-letter", procedure("Write a letter"));
    const model = scriptedModel([], () => 0.9);
    const world = { ...on.skillWorld, model: async () => model };
    expect([(await matchGoal(world, "Write a letter", signal)).verdict, model.questions]).toEqual(["matched", []]);
    expect([(await matchGoal(world, "Show my bills", signal)).verdict, model.questions.length]).toEqual(["matched", 1]);
    expect((await matchGoal(on.skillWorld, "Show my bills", signal)).verdict).toBe("blocked");
  });
});

describe("faults found in skills", () => {
  it("a revert makes recall know the words of the revision it went back to", async () => {
    const on = bills();
    await on.addSkill("show-bills", procedure("Show my bills"));
    await revise(on, "Present what must be settled");
    await revertSkill(on.skillWorld, "show-bills", 1, "human:Kim");
    expect((await matchGoal(on.skillWorld, "Show my bills", signal)).verdict).toBe("matched");
  });

  it("a status that the table of statuses does not allow is refused (retired to disabled)", async () => {
    const on = bills();
    await on.addSkill("show-bills", procedure("Show my bills"), { status: "retired" });
    expect(() => setStatus(on.skillWorld, "show-bills", "disabled", "human:Kim", "because")).toThrow();
  });
});
