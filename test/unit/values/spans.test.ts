import { describe, expect, it } from "vitest";
import { literalIn, longestSharedSpan } from "#core/skills/values/index.ts";

describe("what two texts share", () => {
  it("the longest run of words with a meaning, as each text writes it", () => {
    expect(longestSharedSpan("Household waste (black bin)", "When is household waste collected?")).toMatchObject({
      inFirst: "Household waste",
      inSecond: "household waste",
      start: 0,
      end: 15,
    });
  });
  it("words without a meaning at its edges do not belong to it", () =>
    expect(longestSharedSpan("Renew the Night Ferries", "renew for the Night Ferries")?.inFirst).toBe("Night Ferries"));
  it("what belongs to somebody is told by that one's name; a name that has it keeps it", () => {
    expect(longestSharedSpan("Olive", "the summary of Olive's visit")?.inSecond).toBe("Olive");
    expect(longestSharedSpan("The Clockmaker's", "renew The Clockmaker's")?.inFirst).toBe("Clockmaker's");
  });
  it("nothing but such words is nothing", () => expect(longestSharedSpan("the one of it", "of it the")).toBeUndefined());
});

describe("a literal in a text", () => {
  it.each([
    ["plate AB12 CDE please", "AB12CDE", "AB12 CDE"],
    ["plate ab12cde please", "AB12 CDE", "ab12cde"],
    ["the Salt Road", "Salt-Road", "Salt Road"],
  ])("in %s, %s stands as %s", (text, literal, written) => {
    const place = literalIn(text, literal);
    expect(text.slice(place?.start, place?.end)).toBe(written);
  });
  it.each([
    ["saltroads", "Salt Road"],
    ["Salt Lake Road", "Salt Road"],
    ["anything", "—"],
  ])("in %s, %s does not stand", (text, literal) => expect(literalIn(text, literal)).toBeUndefined());
});
