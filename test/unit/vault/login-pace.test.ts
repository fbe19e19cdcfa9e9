import { describe, expect, it } from "vitest";
import { LoginPace } from "#core/vault/index.ts";

describe("how fast logins may be tried", () => {
  it("INJ-17: three that are refused cost nothing, each further one twice the wait of the one before, at most five minutes, whichever name it has", () => {
    let now = 1_000_000;
    const pace = new LoginPace(() => now);
    const waits = Array.from({ length: 14 }, (_each, count) => {
      const wait = pace.waitMs(`name ${count}`);
      now += wait;
      pace.refused();
      return wait / 1000;
    });
    expect(waits).toEqual([0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
    now += 300_000;
    expect(pace.waitMs("any")).toBe(0);
  });

  it("one that works ends the wait, and ten quiet minutes begin anew", () => {
    let now = 0;
    const pace = new LoginPace(() => now);
    for (let count = 0; count < 5; count += 1) pace.refused();
    expect(pace.waitMs("a")).toBe(4000);
    pace.used("a");
    expect(pace.waitMs("a")).toBe(0);
    for (let count = 0; count < 5; count += 1) pace.refused();
    now += 11 * 60_000;
    pace.refused();
    expect(pace.waitMs("a")).toBe(0);
  });

  it("of one login sixty uses in a row are enough; another one is not held up by them", () => {
    const pace = new LoginPace(() => 0);
    for (let count = 0; count < 60; count += 1) pace.used("a");
    expect([pace.waitMs("a"), pace.waitMs("b")]).toEqual([1000, 0]);
  });

  it("a clock that is put back lengthens no wait and shortens none", () => {
    let now = 10_000_000;
    const pace = new LoginPace(() => now);
    for (let count = 0; count < 4; count += 1) pace.refused();
    now -= 5_000_000;
    expect(pace.waitMs("a")).toBe(2000);
  });
});
