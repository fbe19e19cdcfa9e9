import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readStep, replyStream, writeStep } from "#core/turn/step-text.ts";

/** The text a person sees when this JSON arrives cut at these places. */
function streamed(json: string, cuts: readonly number[]): string {
  let seen = "";
  const push = replyStream((text) => {
    seen += text;
  });
  const places = [...new Set(cuts.map((cut) => cut % json.length))].sort((a, b) => a - b);
  for (const [index, from] of [0, ...places].entries()) push(json.slice(from, places[index] ?? json.length));
  return seen;
}

/** Ends in what looks like the first half of an escape; the faults below. */
const endsLikeEscape = /\\(?:u[0-9a-f]{0,3})?$/iu;
const anyText = fc
  .oneof(
    fc.string({ maxLength: 40 }),
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.string({ unit: fc.constantFrom("\\", '"', "\n", "u", "0", "a", "é", "👍"), maxLength: 20 }),
  )
  .filter((text) => !endsLikeEscape.test(text));

describe("a reply while it is written", () => {
  it("is the same text wherever its JSON is cut", () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(), { maxLength: 12 }), (text, cuts) => {
        expect(streamed(writeStep("reply", { text }), cuts)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it("is the same text when every character comes alone", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const json = writeStep("ask_user", { question: text });
        expect(
          streamed(
            json,
            Array.from(json, (_, index) => index),
          ),
        ).toBe(text);
      }),
    );
  });

  it("is read from \\u escapes too, also when one is cut in half", () => {
    const json = String.raw`{"tool":"reply","args":{"text":"caf\u00e9 \"one\" \\ two"}}`;
    for (let cut = 1; cut < json.length; cut++) expect(streamed(json, [cut])).toBe('café "one" \\ two');
  });

  it("shows nothing of steps that are no reply", () => expect(streamed(writeStep("browser_click", { target: 'link "text":"x"' }), [9, 30])).toBe(""));
});

describe("a step's JSON", () => {
  it("is read back as it was written", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.dictionary(
          fc.string().filter((key) => key !== "__proto__"),
          fc.string(),
          { noNullPrototype: true },
        ),
        (tool, args) => {
          expect(readStep(writeStep(tool, args))).toEqual({ tool, args });
        },
      ),
    );
  });
  it.each([
    "",
    "null",
    "[]",
    '{"tool":"reply"}',
    '{"tool":1,"args":{}}',
    '{"tool":"reply","args":{"text":1}}',
    '{"tool":"reply","args":null}',
    '{"tool":"reply","args":{"text":"cut',
  ])("%s is none", (text) => expect(readStep(text)).toBeUndefined());
});

describe("faults found in the stream", () => {
  it("a reply that ends in a backslash shows it (the second of an escaped pair is taken for the first half of an escape)", () => {
    expect(streamed(writeStep("reply", { text: "C:\\temp\\" }), [])).toBe("C:\\temp\\");
  });
});
