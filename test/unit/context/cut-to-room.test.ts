import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutToRoom, roomOf } from "#core/prompt/index.ts";

const count = (text: string): number => Math.ceil(text.length / 4);
const room = (tokens: number) => ({ tokens, count });
const lines = (many: number): string => Array.from({ length: many }, (_, index) => `line ${index} of a long text`).join("\n");

describe("a result that is longer than its room", () => {
  it("is cut at the end of a line, and says how much is left out", () => {
    const whole = lines(200);
    const { text, leftOut } = cutToRoom(whole, room(100));
    const [kept, note] = text.split("\n… ");
    expect(whole.startsWith(`${kept}\n`)).toBe(true);
    expect(note).toBe(`(truncated, ${leftOut.toLocaleString("en")} characters left out; open full result)`);
    expect((kept ?? "").length + leftOut).toBe(whole.length);
    expect(count(text)).toBeLessThanOrEqual(100);
    // The next line would not have fitted.
    expect(count(`${text}\n${lines(1)}`)).toBeGreaterThan(100);
  });

  it("is cut within a line that alone is too long, and never inside a character of two halves", () => {
    const { text } = cutToRoom("😀".repeat(2000), room(60));
    expect(text).toMatch(/^(?:😀)+\n… /u);
    expect(text.isWellFormed()).toBe(true);
  });

  it("is never longer than its room, whatever it is, and what fits comes back as it is", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "binary", maxLength: 300, size: "max" }), { maxLength: 40, size: "max" }),
        fc.integer({ min: 40, max: 900 }),
        (parts, tokens) => {
          const whole = parts.join("\n");
          const { text, leftOut } = cutToRoom(whole, room(tokens));
          if (count(whole) <= tokens) expect({ text, leftOut }).toEqual({ text: whole, leftOut: 0 });
          else expect(count(text)).toBeLessThanOrEqual(tokens);
          expect(leftOut).toBeGreaterThanOrEqual(0);
        },
      ),
      { endOnFailure: true },
    );
  });

  it("has a quarter of the model's context, by the model's own count", () => {
    const { tokens, count: own } = roomOf({ contextSize: 4096, countTokens: (text) => text.length });
    expect([tokens, own("four")]).toEqual([1024, 4]);
  });
});
