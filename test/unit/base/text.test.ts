import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { safeFileName } from "#adapters/browser/safe-file-name.ts";
import { clip, cut } from "#base/text.ts";

describe("cutting a text", () => {
  it("never leaves half a character", () =>
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: -1, max: 12 }), (text, limit) => {
        expect(cut(text, limit).isWellFormed()).toBe(true);
        expect(clip(text, limit).isWellFormed()).toBe(true);
        expect(text.startsWith(cut(text, limit))).toBe(true);
        expect(cut(text, limit).length).toBeLessThanOrEqual(Math.max(0, limit));
      }),
      {
        examples: [
          ["😀😀", 1],
          ["a😀", 2],
          ["😀😀😀", 4],
        ],
      },
    ));
  it("leaves short texts and file names whole", () => {
    expect(clip("😀", 2)).toBe("😀");
    expect(safeFileName(`${"😀".repeat(120)}.pdf`).isWellFormed()).toBe(true);
    expect(safeFileName(`a${"😀".repeat(120)}.pdf`).isWellFormed()).toBe(true);
  });
});
