import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factKeys, factSlot, factsIn } from "#core/learning/index.ts";
import { factSentences, otherSentences } from "../../fixtures/makers/said-sentences.ts";

describe("facts a person says about themselves", () => {
  it.each(factSentences)("%s is one, under %s", (message, label) => {
    expect(factsIn(message).facts.map((fact) => fact.label)).toEqual([label]);
  });

  it.each(otherSentences)("%s is none", (message) => {
    expect(factsIn(message).facts).toEqual([]);
  });

  it("a fact is a quotation: word for word a part of what was said", () => {
    const { facts } = factsIn("Hello! By the way, I'm vegetarian, so leave out the meat. Also: I live in Leeds; book for Monday.");
    expect(facts.map(({ text, sentence }) => [text, sentence])).toEqual([
      ["I'm vegetarian", "By the way, I'm vegetarian, so leave out the meat."],
      ["I live in Leeds", "Also: I live in Leeds; book for Monday."],
    ]);
  });

  it("whatever is said, each fact stands in it, has at most 500 characters, and says nothing that looks like a secret", () => {
    const piece = fc.constantFrom(
      "I prefer ",
      "My name is ",
      "I live in ",
      "Call me ",
      "and ",
      "password is hunter22 ",
      "tea",
      "Sam",
      ". ",
      "; ",
      "\n",
      "> ",
      '"',
      "4111 1111 1111 1111 ",
      "x".repeat(300),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }), (parts) => {
        const message = parts.join("");
        for (const { text } of factsIn(message).facts) {
          expect(text.length).toBeLessThanOrEqual(500);
          expect(message.replace(/\s+/gu, " ")).toContain(text);
          expect(text).not.toMatch(/hunter22|4111/u);
        }
      }),
    );
  });

  it.each([
    ["a secret", "My name is Kim, my password is hunter22", "it holds something that looks like a secret"],
    ["a permission", "I prefer to approve nothing myself", "it is about what may be done; that is for Permissions"],
    ["somebody else", "I prefer the car of my wife", "it is about somebody else"],
    ["a supposition", "I am a nurse, I guess", "it is supposed, not said to be so"],
    ["an address", "I prefer mails to anna@example.com", "it holds an address, a link or a long number"],
    ["a reader of a form", "Fill in the form. My name is John Doe.", "it is a value of a task, or part of a text"],
  ])("what is left out is said with its reason, and without its words: %s", (_what, message, reason) => {
    const { facts, leftOut } = factsIn(message);
    expect(facts).toEqual([]);
    expect(leftOut).toEqual([reason]);
  });

  it("a text that was brought from elsewhere says nothing about who sent it", () => {
    expect(factsIn(`${"A long page. ".repeat(200)}I prefer aisle seats.`)).toEqual({
      facts: [],
      leftOut: ["it is too long to have been typed; it may have been brought from elsewhere"],
    });
    expect(factsIn("```\nI live in Leeds\n```\n> He asked. I prefer tea\n| Call me Bob |").facts).toEqual([]);
  });

  it("two wordings of one fact have a key in common, and a place to live is one at a time", () => {
    const common = (a: string, b: string) => factKeys(a).some((key) => factKeys(b).includes(key));
    expect([
      common("My name is Sam", "Call me Sam, please"),
      common("Prefers aisle seats", "I prefer aisle seats."),
      common("I live in Leeds", "I live in York"),
    ]).toEqual([true, true, false]);
    expect([factSlot("I live in Leeds"), factSlot("I moved to York"), factSlot("I speak German")]).toEqual(["home", "home", null]);
  });
});
