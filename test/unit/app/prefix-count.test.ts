import { expect, it } from "vitest";
import { prefixCount } from "#app/bench/prefix-count.ts";

it("new is what no prompt or answer had in this place, and a system prompt built anew has only its own turn to go on from", () => {
  const count = prefixCount();
  count.prompt([1, 2, 3, 4], 4);
  count.held([1, 2, 3, 4, 5, 6]);
  expect(count.end()).toEqual({ evaluated: 4, fresh: 4, reference: 4, prompts: 1 });
  count.prompt([1, 2, 3, 4, 5, 6, 7, 8], 2);
  count.held([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  count.prompt([1, 2, 3, 4, 5, 6, 7, 10, 11], 5);
  // Two, then two: an engine that evaluated five has done three again.
  expect(count.end()).toEqual({ evaluated: 7, fresh: 4, reference: 10, prompts: 2 });
});

it("counts the last token of a prompt that was there before: the next one is read off it", () => {
  const count = prefixCount();
  count.prompt([1, 2, 3], 3);
  count.prompt([1, 2, 3], 1);
  expect(count.end()).toMatchObject({ evaluated: 4, fresh: 4 });
});
