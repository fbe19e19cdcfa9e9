import { describe, expect, it } from "vitest";
import type { Stores } from "#core/ports/stores.ts";
import { ledgerEntry, revision, run, skill } from "./fixtures/records.ts";
import { codeThrown, knackError, memoryStores } from "./fixtures/stores.ts";

function withSkill(): Stores {
  const stores = memoryStores();
  stores.skills.create(skill("s", "download-bill"), revision("s", 1), ledgerEntry("l1", "s"));
  return stores;
}

describe("a skill", () => {
  it("comes back as it was stored, with revision 1 and its ledger row", () => {
    const { skills } = withSkill();
    expect(skills.get("s")).toEqual(skill("s", "download-bill"));
    expect(skills.byName("download-bill")?.id).toBe("s");
    expect(skills.revision("s", 1)).toEqual(revision("s", 1));
    expect(skills.ledger("s")).toEqual([ledgerEntry("l1", "s")]);
    expect([skills.get("none"), skills.byName("none"), skills.revision("s", 2)]).toEqual([undefined, undefined, undefined]);
  });

  it("cannot take the name of another, even a retired one, and leaves nothing behind when it tries", () => {
    const { skills } = withSkill();
    skills.setStatus("s", "retired", ledgerEntry("l2", "s"), 2);
    const error = knackError(() => skills.create(skill("other", "download-bill"), revision("other", 1), ledgerEntry("l3", "other")));
    expect(error.code).toBe("skill.name-taken");
    expect(error.fields).toEqual({ name: "download-bill", skillId: "s", status: "retired" });
    expect([skills.get("other"), skills.revisions("other"), skills.ledger("other")]).toEqual([undefined, [], []]);
  });

  it("is created as a whole or not at all", () => {
    const { skills } = withSkill();
    expect(() => skills.create(skill("new", "pay-rent"), revision("new", 1), ledgerEntry("l1", "new"))).toThrow(/written once/u);
    expect([skills.get("new"), skills.revisions("new")]).toEqual([undefined, []]);
  });

  it("always has the revision it calls active", () => {
    const { skills } = memoryStores();
    expect(() => skills.create(skill("s", "a", { activeRevision: 2 }), revision("s", 1), ledgerEntry("l", "s"))).toThrow(/FOREIGN KEY/u);
    expect(skills.get("s")).toBeUndefined();
  });

  it("changes with a ledger row each time", () => {
    const { skills } = withSkill();
    skills.create(skill("t", "newer"), revision("t", 1), ledgerEntry("t1", "t"));
    skills.setStatus("s", "disabled", ledgerEntry("l2", "s", { action: "disable", at: 2 }), 2);
    skills.setPinned("s", true, ledgerEntry("l3", "s", { action: "pin", at: 3 }), 3);
    skills.setStatus("s", "retired", ledgerEntry("l4", "s", { action: "supersede", at: 4 }), 4, "t");
    expect(skills.get("s")).toEqual(skill("s", "download-bill", { status: "retired", pinned: true, supersededBy: "t", updatedAt: 4 }));
    expect(skills.ledger("s").map(({ action }) => action)).toEqual(["create", "disable", "pin", "supersede"]);
    expect(codeThrown(() => skills.setStatus("none", "active", ledgerEntry("l5", "none"), 1))).toBe("store.missing");
    expect(skills.ledger("none")).toEqual([]);
  });

  it("is listed by name, those in use only unless all are asked for", () => {
    const { skills } = memoryStores();
    for (const [name, status] of [
      ["d", "provisional"],
      ["b", "active"],
      ["c", "disabled"],
      ["a", "retired"],
    ] as const) {
      skills.create(skill(name, name, { status }), revision(name, 1), ledgerEntry(`l-${name}`, name));
    }
    expect(skills.list().map(({ name }) => name)).toEqual(["b", "d"]);
    expect(skills.list({ all: true }).map(({ name }) => name)).toEqual(["a", "b", "c", "d"]);
  });
});

describe("revisions", () => {
  it("follow one another, the newest active, an earlier one on request", () => {
    const { skills } = withSkill();
    skills.addRevision(revision("s", 2, { body: "2" }), ledgerEntry("l2", "s", { at: 2 }), 2);
    expect(skills.get("s")).toMatchObject({ activeRevision: 2, updatedAt: 2 });
    expect(skills.revisions("s").map(({ number, body }) => [number, body])).toEqual([
      [1, "1. Open Bills"],
      [2, "2"],
    ]);
    skills.setActiveRevision("s", 1, ledgerEntry("l3", "s", { at: 3 }), 3);
    expect(skills.get("s")?.activeRevision).toBe(1);
  });

  it("cannot be skipped, written twice, or activated when there is none", () => {
    const { skills } = withSkill();
    expect(() => skills.addRevision(revision("s", 3), ledgerEntry("l2", "s"), 2)).toThrow(/next number/u);
    expect(() => skills.addRevision(revision("s", 1), ledgerEntry("l2", "s"), 2)).toThrow(/next number/u);
    expect(codeThrown(() => skills.setActiveRevision("s", 2, ledgerEntry("l2", "s"), 2))).toBe("skill.no-revision");
    expect(skills.ledger("s")).toHaveLength(1);
  });
});

describe("runs", () => {
  it("come back in the order they were begun, of a skill or of one revision, whatever the clock said", () => {
    const { skills } = withSkill();
    skills.addRevision(revision("s", 2), ledgerEntry("l2", "s"), 2);
    skills.addRun(run("late", "s", { startedAt: 9 }));
    skills.addRun(run("early", "s", { startedAt: 1, turnId: "turn-2" }));
    skills.addRun(run("of 2", "s", { startedAt: 5, revision: 2, turnId: "turn-3" }));
    const ended = run("early", "s", { startedAt: 1, turnId: "turn-2", outcome: "failure", finding: "Step 1: no Bills", endedAt: 3 });
    skills.updateRun(ended);
    expect(skills.runs("s").map(({ id }) => id)).toEqual(["late", "early", "of 2"]);
    expect(skills.runs("s", 1).map(({ id }) => id)).toEqual(["late", "early"]);
    expect(skills.runOfTurn("turn-2")).toEqual(ended);
    expect(skills.runOfTurn("none")).toBeUndefined();
  });

  it("belong to a revision that exists, and say so when they are gone", () => {
    const { skills } = withSkill();
    expect(() => skills.addRun(run("r", "s", { revision: 2 }))).toThrow(/FOREIGN KEY/u);
    expect(codeThrown(() => skills.updateRun(run("none", "s")))).toBe("store.missing");
  });
});

describe("phrasings", () => {
  it("keep the latest answer for the same words", () => {
    const { skills } = withSkill();
    skills.addPhrasing("s", "fetch my bill", false, 2);
    skills.addPhrasing("s", "pay my bill", true, 1);
    skills.addPhrasing("s", "fetch my bill", true, 3);
    expect(skills.phrasings("s")).toEqual([
      { text: "pay my bill", counter: true },
      { text: "fetch my bill", counter: true },
    ]);
  });
});
