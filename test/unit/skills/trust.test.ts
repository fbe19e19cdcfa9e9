import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Run } from "#contract/skills/schema.ts";
import { detectDrift, findingText, mayBeOffered, trustOf } from "#core/skills/index.ts";

const day = 86_400_000;
const now = 1000 * day;

type Outcomes = readonly (Run["outcome"] | string)[];
function runs(outcomes: Outcomes, ageDays = 0, finding: string | null = null) {
  return outcomes.map((outcome, index) => ({
    outcome: (outcome === "s" ? "success" : outcome === "f" ? "failure" : outcome) as Run["outcome"],
    startedAt: now - ageDays * day + index,
    endedAt: now - ageDays * day + index,
    finding,
  }));
}
const of = (text: string, ageDays = 0) => trustOf(runs([...text], ageDays), now);

describe("trust", () => {
  it("TRU-01: 3 of 6 is offered with its caveat", () => {
    expect(of("sfsfsf")).toMatchObject({ trust: expect.closeTo(0.5, 6) as number, band: "caveat", caveat: "This worked 3 of 6 times. Verify each step." });
  });
  it("TRU-02: a new skill whose first run fails is still offered, with its caveat", () => {
    const trust = of("f");
    expect(trust.caveat).toBe("This worked 0 of 1 times. Verify each step.");
    expect(mayBeOffered(trust)).toBe(true);
  });
  it("TRU-03: six failures retire", () => {
    expect(of("ffffff").band).toBe("retired");
    expect(mayBeOffered(of("ffffff"))).toBe(false);
  });
  it("the floor counts after three runs, retirement after five", () => {
    expect([of("ff"), of("fff"), of("ffff"), of("fffff")].map((trust) => [trust.band, mayBeOffered(trust)])).toEqual([
      ["caveat", true],
      ["caveat", false],
      ["caveat", false],
      ["retired", false],
    ]);
  });
  it("TRU-04: the same record a year older is trusted less, and one fresh success does not bring the old weight back", () => {
    const [fresh, old] = [of("ssssss"), of("ssssss", 365)];
    expect(old.trust).toBeLessThan(fresh.trust);
    expect(trustOf([...runs([..."ssssss"], 365), ...runs(["s"])], now).trust).toBeLessThan(of("sssssss").trust - 0.1);
  });
  it("each run weighs by its own age", () => expect(of("s", 90).trust).toBeCloseTo((0.5 + 1) / (0.5 + 2), 4));
  it("a skill without runs prints no caveat", () => expect(trustOf([], now)).toEqual({ trust: 0.5, runs: 0, successes: 0, band: "offered", caveat: null }));
  it("counts neither claims nor what was abandoned, left or is running", () =>
    expect(trustOf(runs(["claimed_success", "abandoned", "left", null]), now).runs).toBe(0));
  it("is offered without a caveat from 0.7", () => expect(of("sssss")).toMatchObject({ band: "offered", caveat: null }));
  it("lies between 0 and 1, rises with a success and falls with a failure", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ outcome: fc.constantFrom("success" as const, "failure" as const), age: fc.nat(2000) })), (list) => {
        const made = list.map(({ outcome, age }) => ({ outcome, startedAt: now - age * day, endedAt: null }));
        const { trust } = trustOf(made, now);
        expect(trust).toBeGreaterThan(0);
        expect(trust).toBeLessThan(1);
        expect(trustOf([...made, { outcome: "success", startedAt: now, endedAt: null }], now).trust).toBeGreaterThan(trust);
        expect(trustOf([...made, { outcome: "failure", startedAt: now, endedAt: null }], now).trust).toBeLessThan(trust);
      }),
    );
  });
});

describe("drift", () => {
  const drift = (text: string, finding: string | null = null) => detectDrift(runs([...text], 0, finding))?.rule ?? null;
  it("TRU-05: after 20 of 20 the third failure in a row is drift, the second is not", () => {
    expect(drift(`${"s".repeat(20)}ff`)).toBeNull();
    expect(drift(`${"s".repeat(20)}fff`)).toBe("three-in-a-row");
  });
  it("TRU-06: the same check with the same finding twice is drift, and the alert names step, expected and seen", () => {
    expect(detectDrift(runs([..."sff"], 0, findingText(3, "expected heading 'Billing', saw 'Sign in'")))).toEqual({
      rule: "same-finding",
      message: "Step 3 failed twice: expected heading 'Billing', saw 'Sign in'",
    });
  });
  it("another finding, a success between, or a call that failed is not", () => {
    const [one, two] = runs(["f", "f"]);
    expect(
      detectDrift([
        { ...one!, finding: "Step 3: expected a, saw b" },
        { ...two!, finding: "Step 3: expected a, saw c" },
      ]),
    ).toBeNull();
    expect(drift("fsf", "Step 3: expected a, saw b")).toBeNull();
    expect(drift("ff", "Step 1: the site did not answer")).toBeNull();
  });
  it("four of the last six is drift, three are not", () => {
    expect(drift("fsffsf")).toBe("four-of-six");
    expect(drift("sfsfsf")).toBeNull();
    expect(drift("ffsffsssf")).toBeNull();
  });
  it("is not found after a success", () => expect(drift("fffs")).toBeNull());
  it("passes over runs that say nothing", () => expect(detectDrift(runs(["f", "left", "f", "abandoned", "f"]))?.rule).toBe("three-in-a-row"));
  it("forgives what was before a person switched it on again", () => {
    const list = runs([..."fff"]);
    expect(detectDrift(list, list[2]!.startedAt)).toBeNull();
    expect(detectDrift(list, list[0]!.startedAt)).not.toBeNull();
  });
});
