import { describe, expect, it } from "vitest";
import { chosenIn } from "#core/skills/values/index.ts";

describe("the choice a goal names", () => {
  const ways = ["Exchange", "Refund", "Store credit"];
  it.each([
    ["Return it, I want an Exchange", ways, "Exchange"],
    ["send it back for store credit", ways, "Store credit"],
    ["send it back", ways, undefined],
    ["exchange it or refund it", ways, undefined],
    ["I want an exchange", [...ways, "Exchange"], "Exchange"],
    ["a place in the front row", ["Front row", "Back row"], "Front row"],
  ])("%s", (goal, choices, wanted) => expect(chosenIn(goal, choices)).toBe(wanted));
});
