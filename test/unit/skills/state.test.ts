import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { freezeState } from "#core/skills/index.ts";

describe("the state of a turn", () => {
  it("PRE-05: does not see what the caller changes afterwards", () => {
    const mine = { user: { region: "EU" } };
    const state = freezeState(mine);
    mine.user.region = "US";
    expect(state.facts()).toEqual({ user: { region: "EU" } });
  });
  it("PRE-05: throws when a rule writes to it, at any depth", () => {
    const facts = freezeState({ user: { region: "EU", tags: ["a"] } }).facts() as { user: { region: string; tags: string[] }; more?: number };
    expect(() => (facts.user.region = "US")).toThrow(TypeError);
    expect(() => facts.user.tags.push("b")).toThrow(TypeError);
    expect(() => (facts.more = 1)).toThrow(TypeError);
  });
  it("PRE-06: is in no printed form of the turn", () => {
    const turn = { id: "T", state: freezeState({ region: "SECRET-REGION", toJSON: "SECRET-REGION" }) };
    for (const printed of [
      JSON.stringify(turn),
      inspect(turn, { depth: 9, showHidden: true }),
      `${turn.state}`,
      String(Object.entries(turn.state)),
      inspect({ ...turn.state }),
    ])
      expect(printed).not.toContain("SECRET-REGION");
    expect(JSON.stringify(turn)).toBe('{"id":"T"}');
  });
  it("is not shared between turns", () => {
    const mine = { a: { b: 1 } };
    expect(freezeState(mine).facts()["a"]).not.toBe(freezeState(mine).facts()["a"]);
  });
  it.each([null, undefined, [], "text", 7, new Map(), new Date(), { f: () => 1 }, { d: new Date() }])("throws where %s is passed", (value) =>
    expect(() => freezeState(value)).toThrow(),
  );
  it("throws for a mapping that contains itself", () => {
    const mapping: Record<string, unknown> = {};
    mapping["self"] = mapping;
    expect(() => freezeState(mapping)).toThrow(/contains itself/u);
    const [one, other]: Record<string, unknown>[] = [{}, {}];
    Object.assign(one as object, { other });
    Object.assign(other as object, { one });
    expect(() => freezeState(one)).toThrow(/contains itself/u);
  });
});
