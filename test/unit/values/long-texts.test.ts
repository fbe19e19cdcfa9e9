import { describe, expect, it } from "vitest";
import { withoutPersonalText } from "#core/learning/personal.ts";
import { findValues } from "#core/skills/values/index.ts";

/** The longest message there may be, without a space in it. */
const long = "漢".repeat(20_000);
const within = (work: () => unknown): number => {
  const since = performance.now();
  work();
  return performance.now() - since;
};

describe("a text as long as a message may be, in one word", () => {
  it("is searched for values and for addresses in a moment, not once from each letter", () => {
    expect(within(() => findValues(long, new Date(2027, 0, 10)))).toBeLessThan(2000);
    expect(within(() => withoutPersonalText(long))).toBeLessThan(2000);
  });

  it("and the address at its end is found", () => {
    const text = `${"漢".repeat(100)} write to o'neill.anna@mail.example.org`;
    expect(findValues(text, new Date(2027, 0, 10)).map((value) => value.text)).toEqual(["o'neill.anna@mail.example.org"]);
    expect(withoutPersonalText(text)).not.toContain("anna");
  });
});
