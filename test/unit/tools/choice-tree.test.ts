import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChoiceNode, childOf, choiceTree, forcedRun } from "#adapters/llama/choice-tree.ts";

type Token = Parameters<Parameters<typeof choiceTree>[1]>[0] extends string ? ReturnType<Parameters<typeof choiceTree>[1]>[number] : never;

/** One token a character, and pairs that a real vocabulary would have as one. */
const tokenize = (text: string): Token[] =>
  (text.match(/ab|"\}|[\s\S]/gu) ?? []).map((piece) => (piece.codePointAt(0) ?? 0) * 1000 + (piece.codePointAt(1) ?? 0)) as unknown as Token[];

/** Goes down the tree towards a choice as the model would, counting what it is asked. */
function walk(root: ChoiceNode, wanted: readonly Token[]): { node: ChoiceNode; asked: number } {
  let node = root;
  let at = 0;
  let asked = 0;
  for (;;) {
    const run = forcedRun(node);
    expect(run.tokens).toEqual(wanted.slice(at, at + run.tokens.length));
    at += run.tokens.length;
    node = run.node;
    if (node.children.size === 0) return { node, asked };
    asked += 1;
    node = childOf(node, wanted[at] as Token);
    at += 1;
  }
}

const texts = fc.uniqueArray(fc.string({ unit: fc.constantFrom("a", "b", "c", '"', "}"), maxLength: 8 }), { minLength: 1, maxLength: 12 });

describe("choices as a tree", () => {
  it("every choice that closes itself can be reached", () => {
    fc.assert(
      fc.property(texts, (given) => {
        const choices = given.map((text) => ({ text: `${text}$` }));
        const root = choiceTree(choices, tokenize);
        for (const choice of choices) expect(walk(root, tokenize(choice.text)).node.choice).toBe(choice);
      }),
    );
  });

  it("a single choice asks nothing", () => expect(walk(choiceTree([{ text: "aabbcc$" }], tokenize), tokenize("aabbcc$")).asked).toBe(0));

  it("asks once where two choices part, however long they are", () => {
    const choices = ["click link Home$", "click link Help$"].map((text) => ({ text }));
    expect(choices.map((choice) => walk(choiceTree(choices, tokenize), tokenize(choice.text)).asked)).toEqual([1, 1]);
  });

  it("asks no more often than choices part", () => {
    fc.assert(
      fc.property(texts, (given) => {
        const choices = given.map((text) => ({ text: `${text}$` }));
        const root = choiceTree(choices, tokenize);
        for (const choice of choices) expect(walk(root, tokenize(choice.text)).asked).toBeLessThanOrEqual(choices.length - 1);
      }),
    );
  });

  it("equal choices are one, and the first is kept", () => {
    const [first, second] = [{ text: "a$" }, { text: "a$", open: true }];
    expect(forcedRun(choiceTree([first, second], tokenize)).node.choice).toBe(first);
  });

  it("a token that is no way on is an error", () => {
    const root = choiceTree([{ text: "a$" }, { text: "c$" }], tokenize);
    expect(() => childOf(root, tokenize("b")[0] as Token)).toThrow("no way on");
  });
});
