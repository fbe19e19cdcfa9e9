import { describe, expect, it } from "vitest";
import { withoutRepeat } from "#core/turn/without-repeat.ts";

const begun = "A lighthouse is a tower. Its lamp is lit at ni";
const stream = (pieces: readonly string[], from = begun): string => {
  const passed: string[] = [];
  const take = withoutRepeat(from).stream((piece) => passed.push(piece));
  for (const piece of pieces) take(piece);
  return passed.join("");
};

describe("an answer that goes on where it was cut", () => {
  it.each([
    ["goes on", "ght, so that ships see it."],
    ["begins the sentence that was cut once more", " Its lamp is lit at night, so that ships see it."],
    ["begins both sentences once more", " A lighthouse is a tower. Its lamp is lit at night, so that ships see it."],
  ])("and %s, says each thing once", (_what, after) => {
    const whole = "A lighthouse is a tower. Its lamp is lit at night, so that ships see it.";
    expect(withoutRepeat(begun).whole(begun + after)).toBe(whole);
    // Whatever the pieces in which it comes.
    expect(stream([begun, after])).toBe(whole);
    expect(stream([...`${begun}${after}`])).toBe(whole);
  });

  it("leaves alone what only begins alike, short words, and a text that is another one", () => {
    const other = `${begun}ght. Its lamp is of brass.`;
    expect([withoutRepeat(begun).whole(other), stream([...other])]).toEqual([other, other]);
    expect(withoutRepeat("Yes. Yes.").whole("Yes. Yes. Yes. It is.")).toBe("Yes. Yes. Yes. It is.");
    expect(withoutRepeat(begun).whole("Something else.")).toBe("Something else.");
  });
});
