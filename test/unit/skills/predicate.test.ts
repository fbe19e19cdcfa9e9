import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluateStatePredicate, freezeState, skillApplies, statePredicatesIn } from "#core/skills/index.ts";

const state = freezeState({ user_profile: { region: "EU", AGE: 40, tags: ["a"] }, VERIFIED: false, nothing: null });
const ask = (path: unknown, op: unknown, ...value: unknown[]) =>
  evaluateStatePredicate(state, { state: { path, op, ...(value.length > 0 ? { value: value[0] } : {}) } });

describe("state predicates", () => {
  it("compare by eq, neq, in and exists", () => {
    expect(ask("user_profile.region", "eq", "EU").matched).toBe(true);
    expect(ask("user_profile.region", "eq", "US").matched).toBe(false);
    expect(ask("user_profile.region", "neq", "US").matched).toBe(true);
    expect(ask("user_profile.region", "neq", "EU").matched).toBe(false);
    expect(ask("user_profile.region", "in", ["US", "EU"]).matched).toBe(true);
    expect(ask("user_profile.region", "in", ["US"]).matched).toBe(false);
    expect(ask("verified", "exists").matched).toBe(true);
    expect(ask("nothing", "eq", null).matched).toBe(true);
    expect(ask("user_profile.tags", "eq", ["a"]).matched).toBe(true);
  });
  it("look up each segment in upper case, then in lower case", () => {
    expect(ask("user_profile.age", "eq", 40).matched).toBe(true);
    expect(ask("USER_PROFILE.Region", "eq", "EU").matched).toBe(true);
    expect(evaluateStatePredicate(freezeState({ REGION: "upper", region: "lower" }), { path: "region", op: "eq", value: "upper" }).matched).toBe(true);
    expect(evaluateStatePredicate(freezeState({ Region: "mixed" }), { path: "Region", op: "exists" }).matched).toBe(false);
  });
  it("do not mistake what is no number for nothing", () =>
    expect(evaluateStatePredicate(freezeState({ x: Number.NaN }), { path: "x", op: "eq", value: null }).matched).toBe(false));
  it("do not mistake a text for a number", () => expect(ask("user_profile.age", "eq", "40").matched).toBe(false));

  it.each([
    ["a missing path", ["user_profile.city", "eq", "X"], /missing/u],
    ["a missing path, excluded", ["user_profile.city", "neq", "X"], /missing/u],
    ["an unknown op", ["user_profile.region", "like", "E"], /unknown op/u],
    ["no value", ["user_profile.region", "eq"], /no value/u],
    ["in with a bare string", ["user_profile.region", "in", "EUROPE"], /bare string/u],
    ["in with a mapping", ["user_profile.region", "in", { EU: 1 }], /list/u],
    ["__proto__", ["__proto__.toString", "exists"], /missing/u],
    ["constructor", ["constructor", "exists"], /missing/u],
    ["the length of a list", ["user_profile.tags.length", "exists"], /missing/u],
    ["a character of a text", ["user_profile.region.0", "exists"], /missing/u],
    ["an empty segment", ["user_profile..region", "exists"], /missing/u],
    ["a path that is no text", [7, "eq", 7], /not a predicate/u],
  ] as [string, [unknown, unknown, ...unknown[]], RegExp][])("PRE-04: %s does not match and says why", (_name, [path, op, ...value], reason) => {
    expect(ask(path, op, ...value)).toEqual({ matched: false, reason: expect.stringMatching(reason) as string });
  });
  it("PRE-04: what a plain mapping inherits is not there", () => {
    for (const path of ["constructor", "user.constructor", "user.__proto__", "tostring"])
      expect(evaluateStatePredicate({ user: {} }, { path, op: "exists" }).matched).toBe(false);
  });
  it("PRE-04: a predicate whose parts are inherited is none", () => {
    const inherited: unknown = Object.create({ state: { path: "verified", op: "exists" } });
    expect(evaluateStatePredicate(state, inherited).matched).toBe(false);
  });

  it("PRE-03: a rule about the US does not apply to a state in the EU", () => {
    const stored = ["get_status", { state: { path: "user_profile.region", op: "eq", value: "US" } }];
    expect(skillApplies(state, stored)).toBe(false);
    expect(skillApplies(freezeState({ user_profile: { region: "US" } }), stored)).toBe(true);
    expect(skillApplies(state, "get_status")).toBe(true);
    expect(skillApplies(state, null)).toBe(true);
  });
  it("are taken out of a list unwrapped, malformed ones included, and those never apply", () => {
    const stored = ["rule", { state: { path: "a", op: "exists" } }, { status: 1 }];
    expect(statePredicatesIn(stored)).toEqual([{ path: "a", op: "exists" }, { status: 1 }]);
    expect(skillApplies(freezeState({ a: 1 }), stored)).toBe(false);
  });

  it("never throw and never match what is not there, whatever they are made of", () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), fc.string(), fc.anything(), (predicate, path, op, value) => {
        for (const each of [predicate, { state: { path, op, value } }]) expect(typeof evaluateStatePredicate(freezeState({}), each).matched).toBe("boolean");
        expect(evaluateStatePredicate(freezeState({}), { state: { path, op, value } }).matched).toBe(false);
      }),
    );
  });
  it("eq and neq are opposites wherever the path is there", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const facts = freezeState({ x: one });
        const eq = evaluateStatePredicate(facts, { path: "x", op: "eq", value: other }).matched;
        expect(evaluateStatePredicate(facts, { path: "x", op: "neq", value: other }).matched).toBe(!eq);
        expect(evaluateStatePredicate(facts, { path: "x", op: "in", value: [other] }).matched).toBe(eq);
      }),
    );
  });
});
