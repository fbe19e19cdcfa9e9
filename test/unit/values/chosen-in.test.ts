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
    ["a compact from Friday on", ["Compact £34 a day", "Compact automatic £41 a day", "Van £70 a day"], "Compact £34 a day"],
    ["a compact automatic from Friday on", ["Compact £34 a day", "Compact automatic £41 a day", "Van £70 a day"], "Compact automatic £41 a day"],
    ["credit for Nina's tablet", ["Nina, phone (07700 900121)", "Nina, tablet (07700 900148)", "Gran, phone (07700 900402)"], "Nina, tablet (07700 900148)"],
    ["07700 900402 needs credit", ["Nina, phone (07700 900121)", "Gran, phone (07700 900402)"], "Gran, phone (07700 900402)"],
    ["tick off netting the beds", ["Net the beds", "Mend the gate", "Water the beds"], "Net the beds"],
  ])("%s", (goal, choices, wanted) => expect(chosenIn(goal, choices)).toBe(wanted));
});
