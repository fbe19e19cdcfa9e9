import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SkillStatus } from "#contract/skills/schema.ts";
import { actionTowards, changeStatus, isUsable, type StatusAction, type StatusActor, statusTable } from "#core/skills/index.ts";

const change = (status: SkillStatus, action: StatusAction, actor: StatusActor, isAuthored = false) => {
  const result = changeStatus({ name: "bill", status, isAuthored }, action, actor);
  return result.ok ? result.value : null;
};

describe("the status of a skill", () => {
  it("TRU-11: a provisional skill becomes active with its first success", () => expect(change("provisional", "succeed", "rule")).toBe("active"));
  it("TRU-03: a retired skill can be revived, by a person only", () => {
    expect(change("retired", "revive", "human")).toBe("active");
    expect(change("retired", "revive", "agent")).toBeNull();
    expect(change("retired", "enable", "human")).toBeNull();
  });
  it("drift disables; only a person enables again", () => {
    expect(change("active", "drift", "rule")).toBe("disabled");
    for (const actor of ["agent", "learning", "rule"] as const) expect(change("disabled", "enable", actor)).toBeNull();
    expect(change("disabled", "enable", "human")).toBe("active");
  });
  it("the model may remove, never disable", () => {
    expect(change("active", "remove", "agent")).toBe("retired");
    expect(change("active", "disable", "agent")).toBeNull();
  });
  it("PRE-11: an authored skill is neither superseded by learning nor removed by the model", () => {
    expect(change("active", "supersede", "learning", true)).toBeNull();
    expect(change("active", "remove", "agent", true)).toBeNull();
    expect(change("active", "outlive", "rule", true)).toBeNull();
    expect(change("active", "remove", "human", true)).toBe("retired");
    expect(change("active", "drift", "rule", true)).toBe("disabled");
  });
  it("says what stands in the way", () =>
    expect(changeStatus({ name: "bill", status: "retired" }, "disable", "human")).toEqual({
      ok: false,
      error: '"bill" is retired; disable needs it to be provisional or active.',
    }));
  it("a person's wish leads to an action that the table allows, or to none", () => {
    fc.assert(
      fc.property(
        fc.constantFrom<SkillStatus>("provisional", "active", "disabled", "retired"),
        fc.constantFrom<SkillStatus>("provisional", "active", "disabled", "retired"),
        (from, to) => {
          const action = actionTowards(from, to);
          if (action !== null) expect(change(from, action, "human")).toBe(to);
        },
      ),
    );
    expect(actionTowards("retired", "active")).toBe("revive");
    expect(actionTowards("active", "retired")).toBe("remove");
    expect(actionTowards("disabled", "active")).toBe("enable");
  });
  it("nothing but a person brings a skill back into use", () => {
    for (const [action, { from, to, by }] of Object.entries(statusTable))
      if (isUsable(to) && from.some((status) => !isUsable(status))) expect([action, by]).toEqual([action, ["human"]]);
  });
});
