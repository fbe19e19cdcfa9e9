import { describe, expect, it } from "vitest";
import { normalisePrecondition, parsePreflight } from "#core/skills/index.ts";

const value = (given: unknown) => {
  const result = normalisePrecondition(given);
  return result.ok ? result.value : result.error;
};
const predicate = { state: { path: "region", op: "eq", value: "US" } };

describe("PRE-07: preconditions as stored", () => {
  it("six rules are refused with field and limit", () =>
    expect(value(Array(6).fill("get_status"))).toEqual({ field: "preconditions", message: "preconditions has 6 entries; at most 5 are allowed" }));
  it("five are kept in order", () => expect(value(["a", "b", "c", "d", "e"])).toEqual(["a", "b", "c", "d", "e"]));
  it("a rule of 501 characters is refused, one of 500 kept", () => {
    expect(value("x".repeat(501))).toEqual({ field: "preconditions", message: "preconditions has 501 characters; at most 500 are allowed" });
    expect(value(["ok", "x".repeat(501)])).toMatchObject({ field: "preconditions[1]" });
    expect(value("😀".repeat(500))).toBe("😀".repeat(500));
  });
  it("a list of one is stored as the string", () => expect(value(["x"])).toBe("x"));
  it("empty rules are dropped, and all empty means none", () => {
    expect(value(["", " "])).toBeNull();
    expect(value(["", "x", " ", "y"])).toEqual(["x", "y"]);
    expect(value("  ")).toBeNull();
    expect(value([])).toBeNull();
    expect(value(undefined)).toBeNull();
  });
  it("empty rules do not count towards the limit", () => expect(value(["a", "", "b", "c", "d", "e"])).toHaveLength(5));
  it("a predicate alone stays a list", () => expect(value([predicate])).toEqual([predicate]));
  it("anything else is refused where it stands", () => expect(value(["x", 7])).toMatchObject({ field: "preconditions[1]" }));
  it("a predicate that is too long is refused", () =>
    expect(value([{ state: { ...predicate.state, value: "x".repeat(500) } }])).toMatchObject({ field: "preconditions[0]" }));
});

describe("bare-id rules", () => {
  it("are read with arguments and freshness", () => {
    expect(parsePreflight("get_status")).toEqual({ rule: "get_status", tool: "get_status", args: null, freshness: "turn" });
    expect(parsePreflight('tool:get_status(id=42, name="a, b")')).toMatchObject({ tool: "get_status", args: { id: "42", name: "a, b" } });
    expect(parsePreflight("call get_status(brand=<active>) within 10 min")).toMatchObject({
      tool: "get_status",
      args: { brand: "<active>" },
      freshness: { milliseconds: 600_000 },
    });
    expect(parsePreflight("get_status within episode")).toMatchObject({ freshness: "episode" });
    expect(parsePreflight("get_status()")).toMatchObject({ args: null });
  });
  it("are told from prose and predicates", () => {
    for (const prose of ["the user is signed in", "before delivery, call get_status", "get_status(not an argument list)", "call mother", predicate])
      expect(parsePreflight(prose)).toBeNull();
  });
});
