import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createSkill,
  detailOf,
  revertSkill,
  reviseSkill,
  setMode,
  setOpenToLearning,
  setPinned,
  setStatus,
  skillNamed,
  supersedeSkill,
  undoChange,
} from "#app/skills.ts";
import type { LedgerEntry, Skill } from "#contract/skills/schema.ts";
import { isOpenToLearning } from "#core/skills/index.ts";
import { procedure } from "../../fixtures/makers/content.ts";
import { endRuns, failedAt, times } from "../../fixtures/makers/ended-runs.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { type Stage, stage } from "../../fixtures/makers/stage.ts";

const { signal } = new AbortController();
const name = "show-bills";
const by = "human:Kim";

async function withSkill(): Promise<Stage> {
  const on = stage(billsSite());
  await on.addSkill(name, procedure("Show my bills"));
  return on;
}
const skill = (on: Stage): Skill => skillNamed(on.skillWorld, name);
const ledger = (on: Stage): LedgerEntry[] => on.stores.skills.ledger(skill(on).id);
const last = (on: Stage): LedgerEntry => ledger(on).at(-1) as LedgerEntry;
const undo = (on: Stage, entry: LedgerEntry): Promise<Skill> => undoChange(on.skillWorld, entry.id, by, signal);
const revise = (on: Stage, goal: string): ReturnType<typeof reviseSkill> =>
  reviseSkill(on.skillWorld, skill(on), { content: procedure(goal), author: "agent:inline", actor: by, evidence: [], reason: "other words" }, signal);

/** What can be seen of the skill and can be changed. */
function facts(on: Stage): unknown {
  const { status, activeRevision, pinned, mode, supersededBy } = skill(on);
  return { status, activeRevision, pinned, mode, supersededBy, isOpen: isOpenToLearning(ledger(on)) };
}

const changes: Readonly<Record<string, (on: Stage) => unknown>> = {
  modify: (on) => revise(on, `Show my bills, way ${ledger(on).length}`),
  revert: (on) => revertSkill(on.skillWorld, name, skill(on).activeRevision === 1 ? 2 : 1, by, signal),
  disable: (on) => setStatus(on.skillWorld, name, "disabled", by, ""),
  enable: (on) => setStatus(on.skillWorld, name, "active", by, ""),
  remove: (on) => setStatus(on.skillWorld, name, "retired", by, ""),
  pin: (on) => setPinned(on.skillWorld, name, !skill(on).pinned, by),
  supersede: (on) => supersedeSkill(on.skillWorld, name, "better", by),
  mode: (on) => setMode(on.skillWorld, name, skill(on).mode === "advisory" ? "assisted" : "advisory", by),
  drift: (on) => endRuns(on, skill(on), times(2, failedAt(1, `Sign in ${ledger(on).length}`))),
  succeed: (on) => endRuns(on, skill(on), times(6, ["success"])),
  clock: (on) => on.setClock(Date.UTC(2026, 0, 1) + ledger(on).length * 1000),
  learning: (on) => setOpenToLearning(on.skillWorld, skill(on).id, !isOpenToLearning(ledger(on)), by, ""),
};

describe("taking back a change", () => {
  it("any change, after any others, is taken back exactly, and so is that; each with one row more", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...Object.keys(changes)), { minLength: 1, maxLength: 7 }), async (chosen) => {
        const on = await withSkill();
        await on.addSkill("better", procedure("Show my bills better"), { status: "active" });
        for (const change of chosen) {
          const [before, rows] = [facts(on), ledger(on).length];
          try {
            await changes[change]?.(on);
          } catch {
            expect([facts(on), ledger(on).length]).toEqual([before, rows]);
            continue;
          }
          if (ledger(on).length === rows) continue;
          const [after, entry] = [facts(on), last(on)];
          await undo(on, entry);
          expect([facts(on), ledger(on).length]).toEqual([before, rows + 2]);
          await undo(on, last(on));
          expect([facts(on), ledger(on).length]).toEqual([after, rows + 3]);
          expect(ledger(on).slice(-2)).toMatchObject([{ action: "undo", undoes: entry.id }, { action: "undo" }]);
        }
      }),
      { numRuns: 80 },
    );
  });

  it("one change after the other can be taken back, newest first, and given again in turn", async () => {
    const on = await withSkill();
    await revise(on, "Show all bills");
    const second = last(on);
    await revise(on, "Show every bill");
    const third = last(on);
    await expect(undo(on, second)).rejects.toMatchObject({ code: "skill.not-undone", exit: 3, message: expect.stringContaining(third.id) as string });
    await undo(on, third);
    const thirdUndone = last(on);
    await undo(on, second);
    const secondUndone = last(on);
    expect(skill(on).activeRevision).toBe(1);
    await expect(undo(on, thirdUndone)).rejects.toThrow(`changed since (undo, ${secondUndone.id})`);
    await undo(on, secondUndone);
    await undo(on, thirdUndone);
    expect(skill(on).activeRevision).toBe(3);
  });

  it("the newest change is the one that is taken back, also when the clock was put back before it", async () => {
    const on = await withSkill();
    setStatus(on.skillWorld, name, "disabled", by, "pause");
    setStatus(on.skillWorld, name, "active", by, "go on");
    const earlier = last(on);
    on.setClock(Date.UTC(2020, 0, 1));
    setStatus(on.skillWorld, name, "disabled", by, "the clock is wrong");
    expect(last(on).reason).toBe("the clock is wrong");
    await expect(undo(on, earlier)).rejects.toThrow("changed since (disable");
    await undo(on, last(on));
    expect(skill(on).status).toBe("active");
  });

  it("taking back a skill that waits for its review settles the alert that asked for it", async () => {
    const on = stage(billsSite(), { settings: { reviewBeforeActive: true } });
    await createSkill(on.skillWorld, { name, content: procedure("Show my bills"), author: "agent:synthesis", evidence: [], reason: "" }, signal);
    expect(on.stores.alerts.list()).toHaveLength(1);
    await undo(on, last(on));
    expect([skill(on).status, on.stores.alerts.list()]).toEqual(["retired", []]);
  });

  it("what was taken back already is not taken back twice", async () => {
    const on = await withSkill();
    await revise(on, "Show all bills");
    const entry = last(on);
    await undo(on, entry);
    await expect(undo(on, entry)).rejects.toThrow("taken back already");
  });

  it("a revert goes back to the very revision, also where another says the same", async () => {
    const on = await withSkill();
    await revise(on, "Show all bills");
    await revise(on, "Show my bills");
    const hashes = detailOf(on.skillWorld, name).revisions.map(({ contentHash }) => contentHash);
    expect(hashes[0]).toBe(hashes[2]);
    await revertSkill(on.skillWorld, name, 1, by, signal);
    await revertSkill(on.skillWorld, name, 2, by, signal);
    await undo(on, last(on));
    expect(skill(on).activeRevision).toBe(1);
    await revertSkill(on.skillWorld, name, 3, by, signal);
    await undo(on, last(on));
    expect(skill(on).activeRevision).toBe(1);
  });

  it("a creation is taken back by retiring, unless a later version rests on it", async () => {
    const on = await withSkill();
    const created = last(on);
    await revise(on, "Show all bills");
    await expect(undo(on, created)).rejects.toThrow("changed since (modify");
    await undo(on, last(on));
    await undo(on, created);
    expect([skill(on).status, detailOf(on.skillWorld, name).revisions.length]).toEqual(["retired", 2]);
    await undo(on, last(on));
    expect(skill(on).status).toBe("provisional");
  });

  it("an earlier switch-off is not taken back in the place of a later one", async () => {
    const on = await withSkill();
    setStatus(on.skillWorld, name, "disabled", by, "pause");
    const first = last(on);
    setStatus(on.skillWorld, name, "active", by, "go on");
    setStatus(on.skillWorld, name, "disabled", by, "another reason");
    await expect(undo(on, first)).rejects.toThrow("changed since (disable");
    expect(skill(on).status).toBe("disabled");
  });

  it("drift's own switch-off too: the alert is settled, and what failed before is forgiven", async () => {
    const on = await withSkill();
    endRuns(on, skill(on), [["success"], ...times(2, failedAt(1, "Sign in"))]);
    expect([skill(on).status, last(on).actor, on.stores.alerts.list().length]).toEqual(["disabled", "knack", 1]);
    await undo(on, last(on));
    expect([skill(on).status, on.stores.alerts.list(), on.stores.alerts.list({ all: true })[0]?.resolution]).toEqual([
      "active",
      [],
      "switched on by human:Kim",
    ]);
    endRuns(on, skill(on), [failedAt(1, "Sign in")]);
    expect(skill(on).status).toBe("active");
  });

  it("a skill that gave way to one erased since comes back retired, resting on nothing", async () => {
    const on = await withSkill();
    const better = await on.addSkill("better", procedure("Show my bills better"));
    supersedeSkill(on.skillWorld, name, "better", by);
    setStatus(on.skillWorld, name, "active", by, "still needed");
    const revived = last(on);
    expect(skill(on).supersededBy).toBeNull();
    on.stores.skills.erase(better.id, on.world.clock());
    await undo(on, revived);
    expect(skill(on)).toMatchObject({ status: "retired", supersededBy: null });
  });

  it("nothing is left to take back once the skill is erased, and what never was is said so", async () => {
    const on = await withSkill();
    const [created, { id }] = [last(on), skill(on)];
    on.stores.skills.erase(id, on.world.clock());
    const stone = on.stores.skills.ledger(id)[0];
    for (const entry of [created.id, stone?.id ?? "", "nothing"])
      await expect(undoChange(on.skillWorld, entry, by, signal)).rejects.toThrow(`There is no change ${entry}`);
  });

  it("recall knows the words of the revision that is in use again", async () => {
    const on = await withSkill();
    await revise(on, "Present what must be settled");
    await undo(on, last(on));
    const texts = on.stores.vectors.vectorsOf(on.embedder.key, "phrasing", skill(on).id).map(({ text }) => text);
    expect(texts).toEqual(["Show my bills"]);
  });
});

describe("the ledger", () => {
  it("says who made a revision and who had it made, apart", async () => {
    const on = await withSkill();
    const revision = await revise(on, "Show all bills");
    expect([revision?.author, last(on).actor]).toEqual(["agent:inline", by]);
  });

  it("names a skill that gave way to another, and refuses what makes no sense", async () => {
    const on = await withSkill();
    const better = await on.addSkill("better", procedure("Show my bills better"));
    supersedeSkill(on.skillWorld, name, "better", by);
    expect([skill(on), last(on)]).toMatchObject([
      { status: "retired", supersededBy: better.id },
      { action: "supersede", before: "provisional", after: `superseded by ${better.id}`, reason: '"better" took its place' },
    ]);
    expect(() => supersedeSkill(on.skillWorld, "better", "better", by)).toThrow("cannot take the place of itself");
    expect(() => supersedeSkill(on.skillWorld, "better", name, by)).toThrow("is retired, so it cannot take the place");
  });
});

describe("names", () => {
  it("are mapped as they are given, found as they are given, and a clash names the other skill", async () => {
    const on = stage(billsSite());
    const made = { content: procedure("Order groceries"), author: by, evidence: [], reason: "" };
    const skill = await createSkill(on.skillWorld, { ...made, name: "Order_Groceries" }, signal);
    expect([skill.name, skillNamed(on.skillWorld, "Order Groceries").id]).toEqual(["order-groceries", skill.id]);
    await expect(createSkill(on.skillWorld, { ...made, name: "order groceries" }, signal)).rejects.toMatchObject({
      code: "skill.name-taken",
      message: expect.stringContaining(`"order groceries" (stored as "order-groceries") is taken by the skill "order-groceries" (${skill.id})`) as string,
    });
    await expect(createSkill(on.skillWorld, { ...made, name: "ordér/groceries" }, signal)).rejects.toThrow("cannot be a skill's name");
  });
});
