import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerptOf } from "#core/turn/attached.ts";

const room = (tokens: number) => ({ tokens, count: (text: string) => Math.ceil(text.length / 4) });

describe("what is read of a file", () => {
  it("is all of it where it fits", () => {
    expect(excerptOf("short", "what?", room(100))).toEqual({ excerpt: "short", read: 5, isSearched: false });
  });

  it("is its beginning and the passages that hold the words of the question", () => {
    const text = `The first line.\n${"Nothing here.\n".repeat(500)}The cellar key hangs behind the barometer.\n${"Nothing there.\n".repeat(500)}`;
    const { excerpt, read, isSearched } = excerptOf(text, "Where does the cellar key hang?", room(400));
    expect(excerpt.startsWith("The first line.")).toBe(true);
    expect(excerpt).toContain("The cellar key hangs behind the barometer.");
    expect([isSearched, read < text.length, room(400).count(excerpt) <= 400]).toEqual([true, true, true]);
  });

  it("never takes more than its room, and begins as the file does", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 4000 }), fc.string({ maxLength: 40 }), fc.integer({ min: 1, max: 300 }), (text, question, tokens) => {
        const { excerpt, read } = excerptOf(text, question, room(tokens));
        expect(room(tokens).count(excerpt)).toBeLessThanOrEqual(tokens);
        expect(text.startsWith(excerpt.slice(0, read))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
