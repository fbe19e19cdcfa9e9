import { describe, expect, it } from "vitest";
import { affirmed, chosenIn } from "#core/skills/values/index.ts";

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
    ["no more than 5 miles away", ["5 miles", "10 miles"], "5 miles"],
    ["store credit is fine for the refund", ["Refund to my card", "Foxglove store credit"], "Foxglove store credit"],
    ["3 of armchair from The Old Forge", ["3 Mill Row", "5 Mill Row"], undefined],
    ["there aren't enough people, call it off", ["Illness", "Not enough people"], "Not enough people"],
    ["a box of eggs of 2 May arrived broken", ["Milk 2 litres", "Free range eggs, box of 6"], "Free range eggs, box of 6"],
    ["tick off netting the beds", ["Net the beds", "Mend the gate", "Water the beds"], "Net the beds"],
  ])("%s", (goal, choices, wanted) => expect(chosenIn(goal, choices)).toBe(wanted));

  it.each([
    ["the 08:30 slot", ["8:30", "9:30", "10:30"], "8:30"],
    ["half past nine", ["8:30", "9:30"], "9:30"],
    ["at 8:45", ["8:30", "9:45"], undefined],
    ["on Fri 14 May", ["Friday 14 May", "Saturday 15 May"], "Friday 14 May"],
    ["on 14/5/2027", ["Friday 14 May 2027", "Friday 21 May 2027"], "Friday 14 May 2027"],
    ["on 14 May", ["14 May 2027", "21 May 2027"], "14 May 2027"],
    ["on 14 May 2028", ["14 May 2027", "21 May 2027"], undefined],
    ["the bill of 3 June", ["May", "June"], "June"],
    ["the report for October of 2025", ["2024", "2025", "2026"], "2025"],
    ["the report for October of 2025", ["September", "October"], "October"],
    ["come on 7 May 2027", ["6", "7", "8"], "7"],
    ["come at 9:45", ["00", "15", "30", "45"], "45"],
    ["raise it to £40", ["£40.00 a month", "£60.00 a month"], "£40.00 a month"],
  ])("values are compared, not their writing: %s", (goal, choices, wanted) => expect(chosenIn(goal, choices)).toBe(wanted));

  it.each([
    ["the large box", ["Extra large", "Medium"], undefined],
    ["the extra large box", ["Extra large", "Medium"], "Extra large"],
    ["the large box", ["Extra large", "Large"], "Large"],
    ["garden waste please", ["Household waste (black bin)", "Garden waste (brown bin)"], "Garden waste (brown bin)"],
  ])("a word that is narrowed by one not said names nothing: %s of %j", (goal, choices, wanted) => expect(chosenIn(goal, choices)).toBe(wanted));

  it.each([
    ["the green one, not the yellow", ["Green", "Yellow"], "Green"],
    ["not the yellow but the green", ["Green", "Yellow"], "Green"],
    ["no credit, I want a repair", ["Credit", "Repair"], "Repair"],
    ["I don't want the yellow one, take green", ["Green", "Yellow"], "Green"],
    ["repair it instead of a credit", ["Credit", "Repair"], "Repair"],
    ["not the yellow one", ["Green", "Yellow"], undefined],
    ["any but yellow", ["Green", "Yellow"], undefined],
    ["neither green nor yellow, blue", ["Green", "Yellow", "Blue"], "Blue"],
    ["tea, no milk", ["Milk", "No milk"], "No milk"],
  ])("what is denied is not named: %s", (goal, choices, wanted) => expect(chosenIn(goal, choices)).toBe(wanted));
});

describe("what a goal says it does not mean", () => {
  it.each([
    ["the kettle, not that of 3 May 2027, please", "the kettle, , please"],
    ["a permit for LM34 FGH, not for KX27 ABC", "a permit for LM34 FGH,"],
    ["it was not on 3 March 2027 but on 4 March", "it but on 4 March"],
    ["Renew everything but Moss", "Renew"],
    ["every bill but December 2026", "every bill"],
    ["a seat for anything but The Swan", "a seat for"],
    ["all meters except the gas one and the solar one", "all meters and the solar one"],
    ["any other than KX-2041; take KX-3055", "any ; take KX-3055"],
  ])("%s", (goal, left) => expect(affirmed(goal).replace(/\s+/gu, " ").trim()).toBe(left));

  it.each([
    "The fan is not working in the Bathroom",
    "Do not ring, come on 3 May",
    'with the note "not before 5 May"',
    "I can't make Body Pump on Sunday",
    "not only the May bill",
    "Please see whether or not it is due",
  ])("%s is all meant", (goal) => expect(affirmed(goal)).toBe(goal));

  it("keeps its offsets", () => expect(affirmed("take the one of 4 May, not that of 3 May")).toHaveLength(40));
});

describe("a verb that is denied", () => {
  it.each([
    ["The fan does not work in the Bathroom", "Bathroom"],
    ["not the Bathroom but the Kitchen", "Kitchen"],
  ])("denies nothing of where: %s", (goal, room) => expect(chosenIn(goal, ["Kitchen", "Bathroom"])).toBe(room));
});
